// A member of a packed struct as an argument.
#include <cstdio>
struct __attribute__((packed)) S {
    char c;
    int i;
};
__global__ void k(int v, int *o) {
    if (threadIdx.x == 0)
        *o = v;
}
int main() {
    int *d, h;
    S s{1, 77};
    cudaMalloc(&d, 4);
    k<<<1, 32>>>(s.i, d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
}
