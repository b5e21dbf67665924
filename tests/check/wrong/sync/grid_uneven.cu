// One of four blocks does not reach the grid's barrier.
#include <cooperative_groups.h>

__global__ void meet(int *out) {
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
    if (blockIdx.x != 2)
        cooperative_groups::this_grid().sync(); // finds deadlock
    // says instead: make all blocks reach grid.sync() equally often
}

int main() {
    int *out;
    cudaMalloc(&out, 4 * sizeof(int));
    void *arguments[] = {&out};
    cudaLaunchCooperativeKernel((void *)meet, 4, 32, arguments);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
