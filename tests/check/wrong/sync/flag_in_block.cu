/* Thread 0 waits for a flag; thread 32, which is to set it, waits for thread 0. Not a lock. */
#include <cstdio>

__global__ void hand_over(int *flag, int *out) {
    if (threadIdx.x == 0)
        while (atomicAdd(flag, 0) == 0) // finds livelock
            ;
    __syncthreads();
    if (threadIdx.x == 32)
        atomicExch(flag, 1);
    *out = 1;
    // says instead: let the lane that is to change the memory run
}

int main() {
    int *flag, *out;
    cudaMalloc(&flag, sizeof *flag);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(flag, 0, sizeof *flag);
    hand_over<<<1, 64>>>(flag, out);
    cudaDeviceSynchronize();
}
