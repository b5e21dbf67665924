/* A hand-made barrier for all blocks: 16 multiprocessors hold two blocks of 1024 threads each. */
#include <cstdio>

__global__ void meet(unsigned *arrived, int *out) {
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) // finds blocks_not_resident
            ;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    // says lane 0 of warp 0 in block (0,0,0) waits for blocks that have not begun: 32 blocks
    // says are waiting, as many as this device holds at once, and the grid has 33
}

int main() {
    unsigned *arrived;
    int *out;
    cudaMalloc(&arrived, sizeof *arrived);
    cudaMalloc(&out, 33 * 1024 * sizeof *out);
    cudaMemset(arrived, 0, sizeof *arrived);
    meet<<<33, 1024>>>(arrived, out);
    return cudaDeviceSynchronize();
}
