/* As many blocks as the device can hold at once, 32 of 1024 threads, wait for each other. */
#include <cstdio>

__global__ void meet(unsigned *arrived, int *out) {
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x)
            ;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

/* Each block waits for block 0, which waits only for block 1. */
__global__ void lead(volatile int *flag, int *out) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 1)
            flag[1] = 1;
        if (blockIdx.x == 0) {
            while (flag[1] == 0)
                ;
            flag[0] = 1;
        }
        while (flag[0] == 0)
            ;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

/* Each block waits for the previous block, which began earlier. */
__global__ void chain(volatile int *flag) {
    if (threadIdx.x == 0) {
        while (blockIdx.x && flag[blockIdx.x - 1] == 0)
            ;
        flag[blockIdx.x] = 1;
    }
}

int main() {
    unsigned *arrived;
    int *flag, *out;
    cudaMalloc(&arrived, sizeof *arrived);
    cudaMalloc(&flag, 130 * sizeof *flag);
    cudaMalloc(&out, 64 * 1024 * sizeof *out);
    cudaMemset(arrived, 0, sizeof *arrived);
    cudaMemset(flag, 0, 130 * sizeof *flag);
    meet<<<32, 1024>>>(arrived, out);
    lead<<<64, 1024>>>(flag, out);
    chain<<<128, 1024>>>(flag + 2);
    return cudaDeviceSynchronize();
}
