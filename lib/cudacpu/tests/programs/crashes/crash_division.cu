// A division by zero stops the host; a kernel that divides by zero continues.
// status 4
#include <cstdio>
__global__ void k(int *v, int by) {
    v[0] = 7 / by;
}
int main(int argc, char **) {
    int *v;
    cudaMallocManaged(&v, 4);
    k<<<1, 1>>>(v, argc - 1);
    cudaDeviceSynchronize();
    printf("%d\n", v[0]);
    fflush(stdout);
    return 7 / (argc - 1);
}
