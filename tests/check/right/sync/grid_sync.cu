// Blocks pass values on across the grid's barrier, with memory that the kernel allocates and
// frees in between.
#include <cooperative_groups.h>
#include <cstdlib>
namespace cg = cooperative_groups;
__global__ void pass(int *values, int *sums) {
    cg::grid_group grid = cg::this_grid();
    int me = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    for (int round = 1; round < 4; round++) {
        int *own = (int *)malloc((round * 24 + 8) * sizeof(int));
        for (int i = 0; i < round * 24 + 8; i++)
            own[i] = i + me;
        values[me] = own[round];
        free(own);
        grid.sync();
        sums[me] += values[(me + 33) % all];
        grid.sync();
    }
}

int main() {
    int *values, *sums;
    cudaMalloc(&values, 128 * sizeof(int));
    cudaMalloc(&sums, 128 * sizeof(int));
    cudaMemset(sums, 0, 128 * sizeof(int));
    void *arguments[] = {&values, &sums};
    cudaLaunchCooperativeKernel((void *)pass, 4, 32, arguments, 0, 0);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
