// status 4
// A lock whose holder waits for lanes that wait for the lock.
#include <cstdio>
__device__ int lock, sum;
__global__ void take(int *v) {
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    sum += v[threadIdx.x];
    __syncwarp();
    atomicExch(&lock, 0);
}
int main() {
    int *d;
    cudaMalloc(&d, 256);
    take<<<1, 64>>>(d);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
