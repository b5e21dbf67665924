// __shared__ in a generic lambda and in a class template's member, across grid.sync().
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
template <class T> struct Store {
    __device__ static T &at(int i) {
        __shared__ T s[32];
        return s[i];
    }
};
__global__ void k(int *o) {
    Store<int>::at(threadIdx.x) = blockIdx.x + 1;
    __syncthreads();
    cg::this_grid().sync();
    o[blockIdx.x * 32 + threadIdx.x] = Store<int>::at(31 - threadIdx.x);
}
int main() {
    int *d, h[96];
    cudaMalloc(&d, sizeof h);
    void *a[] = {&d};
    cudaLaunchCooperativeKernel((void *)k, 3, 32, a);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[32], h[64]);
}
