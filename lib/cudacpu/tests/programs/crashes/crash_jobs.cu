// A stack overflows on one of several cores: output printed before that is kept.
// run: --jobs 2
// status 4
#include <cstdio>
__device__ int deep(int n, int *v) {
    int large[4096];
    large[n % 4096] = n;
    return n ? deep(n - 1, v) + large[v[n % 2] % 4096] : 0;
}
__global__ void k(int *v) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        printf("before\n");
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 5)
        v[0] = deep(64, v);
}
int main() {
    int *v;
    cudaMalloc(&v, 64);
    cudaMemset(v, 0, 64);
    k<<<2, 32>>>(v);
    cudaDeviceSynchronize();
}
