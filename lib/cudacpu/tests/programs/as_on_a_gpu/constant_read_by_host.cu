// Host code that reads a __device__ variable reads the host's own copy.
#include <cstdio>
__device__ int counter = 3;
__global__ void k() {
    counter = 9;
}
int main() {
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    int seen = counter;
    printf("%d\n", seen);
}
