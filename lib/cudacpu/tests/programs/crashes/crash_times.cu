// Two blocks, on two cores, do not end: one of them reports where it was.
// run: --time 1 --jobs 2
// status 4
#include <cstdio>
__global__ void k(volatile int *v) {
    while (*v == 0) {
    }
}
int main() {
    int *v;
    cudaMalloc(&v, 4);
    cudaMemset(v, 0, 4);
    k<<<2, 1>>>(v);
    cudaDeviceSynchronize();
    printf("not printed\n");
}
