// An assertion on the host fails after some kernels have run.
// status 4
#include <cassert>
#include <cstdio>
__global__ void k(int *v) {
    *v = 3;
}
int main() {
    int *v;
    cudaMallocManaged(&v, 4);
    k<<<1, 1>>>(v);
    cudaDeviceSynchronize();
    printf("%d\n", *v);
    fflush(stdout);
    assert(*v == 4);
}
