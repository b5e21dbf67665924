// 200 KB of local memory per thread, deep recursion, and a stack that is refused as too large.
#include <cstdio>
__device__ int deep(int n) {
    volatile int a[64];
    a[n % 64] = n;
    return n == 0 ? 0 : a[n % 64] - (n - 1) + deep(n - 1);
}
__global__ void k(int *o, int n) {
    int a[50000];
    for (int i = 0; i < n; i++)
        a[i] = i;
    int s = 0;
    for (int i = 0; i < n; i += 7)
        s += a[(i * 31) % n];
    o[threadIdx.x] = s;
}
__global__ void r(int *o) {
    o[threadIdx.x] = deep(2000);
}
int main() {
    int *d, h;
    cudaMalloc(&d, 4096);
    cudaDeviceSetLimit(cudaLimitStackSize, 1 << 20);
    k<<<1, 32>>>(d, 50000);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %s\n", h, cudaGetErrorName(cudaGetLastError()));
    r<<<1, 32>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d %s\n", h, cudaGetErrorName(cudaGetLastError()));
}
