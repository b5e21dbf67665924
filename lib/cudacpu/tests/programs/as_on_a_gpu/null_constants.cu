// Null pointer constants other than a plain 0.
#include <cstdio>
__global__ void k(int *p, int *o) {
    if (threadIdx.x == 0)
        *o = p == nullptr;
}
int main() {
    int *d, h;
    cudaMalloc(&d, 4);
    k<<<1, 32>>>((0), d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
    k<<<1, 32>>>(0x0, d);
    k<<<1, 32>>>(0L, d);
    k<<<1, 32>>>(__null, d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
}
