/*
 * dynamic_shared.cu - a kernel with an array whose size is given by the launch.
 */
#include "device_kernels.h"

#include <cuda_runtime.h>

__global__ void reverse(int *out) {
    extern __shared__ int numbers[];
    int thread = threadIdx.x;
    out[blockIdx.x * 2 * blockDim.x + thread] = numbers[thread]; /* garbage, not zero */
    __syncthreads();
    numbers[thread] = thread;
    __syncthreads();
    out[(blockIdx.x * 2 + 1) * blockDim.x + thread] = numbers[blockDim.x - 1 - thread];
}

int test_dynamic_shared(unsigned blocks, unsigned threads, int *out) {
    void *arguments[] = {&out};
    return cudaLaunchKernel(reverse, blocks, threads, arguments, threads * sizeof(int));
}
