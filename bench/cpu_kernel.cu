/*
 * cpu_kernel.cu - the work of the CPU warp's benchmark, as a kernel like any other.
 */
#include <cuda_runtime.h>

#include <stdint.h>

__global__ void butterflies(unsigned rounds, unsigned *results) {
    unsigned lane = threadIdx.x;
    unsigned x = blockIdx.x * 32 + lane + 1;
    for (unsigned round = 0; round < rounds; round++) {
        for (int laneMask = 16; laneMask > 0; laneMask >>= 1)
            x += __shfl_xor_sync(0xffffffff, x, laneMask);
        x = x * 5 + lane + round;
    }
    results[blockIdx.x * 32 + lane] = x;
}

/* Runs `warps` blocks of one warp. Returns the sum of the results; *error is a cudaError_t. */
extern "C" uint64_t cpu_bench_run(unsigned warps, unsigned rounds, int *error) {
    unsigned *results;
    uint64_t sum = 0;
    *error = cudaMalloc(&results, warps * 32 * sizeof *results);
    if (*error != cudaSuccess)
        return 0;
    void *arguments[] = {&rounds, &results};
    *error = cudaLaunchKernel(butterflies, warps, 32, arguments);
    for (unsigned thread = 0; thread < warps * 32 && *error == cudaSuccess; thread++)
        sum += results[thread];
    cudaFree(results);
    return sum;
}
