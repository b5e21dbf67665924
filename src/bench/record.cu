/*
 * record.cu - the work that is watched: butterflies, with nothing between the shuffles to hide
 * what watching costs.
 */
#include "bench/measure.h"

static __global__ void butterflies(unsigned rounds, unsigned *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = thread;
    for (unsigned round = 0; round < rounds; round++)
        for (int laneMask = 16; laneMask > 0; laneMask /= 2)
            value += __shfl_xor_sync(0xffffffff, value, laneMask);
    out[thread] = value;
}

static __global__ void butterflies_printed(unsigned rounds, unsigned *out) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = thread;
    for (unsigned round = 0; round < rounds; round++)
        for (int laneMask = 16; laneMask > 0; laneMask /= 2) {
            unsigned got = __shfl_xor_sync(0xffffffff, value, laneMask);
            printf("thread id = %u, before shuffle value = %u, after shuffle value=%u\n", thread,
                   value, got);
            value += got;
        }
    out[thread] = value;
}

extern "C" int shflviz_cpu_butterflies(int printed, unsigned blocks, unsigned threads,
                                       unsigned rounds) {
    device_array<unsigned> out(size_t(blocks) * threads);
    if (out.error != cudaSuccess)
        return out.error;
    void *arguments[] = {&rounds, &out.data};
    cudaError_t error =
        printed ? cudaLaunchKernel(butterflies_printed, blocks, threads, arguments, 0, 0)
                : cudaLaunchKernel(butterflies, blocks, threads, arguments, 0, 0);
    cudaError_t finished = cudaDeviceSynchronize();
    return error == cudaSuccess ? finished : error;
}
