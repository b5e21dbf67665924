// A braced argument of a launch.
#include <cstdio>
struct Params {
    int n;
    float scale;
};
__global__ void k(Params p, int *out) {
    if (threadIdx.x == 0)
        *out = (int)(p.n * p.scale);
}
int main() {
    int *d, h;
    cudaMalloc(&d, 4);
    k<<<1, 32>>>({3, 2.0f}, d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h);
}
