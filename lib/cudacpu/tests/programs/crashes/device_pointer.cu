// status 4
// The host follows a pointer to the device's memory, which kills the program on a real machine.
#include <cstdio>
__global__ void count(int *v) {
    v[threadIdx.x] = threadIdx.x;
}
int main() {
    int *v, first;
    cudaMalloc(&v, 32 * sizeof(int));
    count<<<1, 32>>>(v);
    cudaMemcpy(&first, v + 5, sizeof first, cudaMemcpyDeviceToHost);
    printf("copied: %d\n", first);
    printf("read: %d\n", v[5]);
}
