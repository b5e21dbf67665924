// More threads than __launch_bounds__ allows; more dynamic shared memory than was asked for.
#include <cstdio>
__global__ void __launch_bounds__(64) k(int *o) {
    atomicAdd(o, 1);
}
__global__ void s(int *o) {
    extern __shared__ int m[];
    m[threadIdx.x] = 1;
    *o = m[0];
}
int main() {
    int *d;
    cudaMalloc(&d, 4);
    k<<<1, 128>>>(d);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    s<<<1, 32, 60000>>>(d);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
