// A bit-field as an argument.
#include <cstdio>
struct S {
    unsigned a : 3, b : 5;
};
__global__ void k(unsigned v, unsigned *out) {
    if (threadIdx.x == 0)
        *out = v;
}
int main() {
    unsigned *d, h;
    S s{5, 17};
    cudaMalloc(&d, 4);
    k<<<1, 32>>>(s.b, d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%u\n", h);
}
