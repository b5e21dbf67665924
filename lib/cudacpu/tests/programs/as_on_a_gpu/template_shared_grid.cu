// A template kernel's shared array across grid.sync().
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
template <int N> __global__ void k(int *o) {
    __shared__ int s[N];
    s[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
    __syncthreads();
    cg::this_grid().sync();
    o[blockIdx.x * N + threadIdx.x] = s[(threadIdx.x + 1) % N];
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof h);
    void *a[] = {&d};
    cudaLaunchCooperativeKernel((void *)k<32>, 4, 32, a);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[0], h[32], h[64], h[96]);
}
