// Launches by kernels: each runs when the grid that launched it has ended, in the order of
// launching.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int counted;

template <class T> __global__ void child(T from, int depth) {
    if (threadIdx.x > 0)
        return;
    atomicAdd(&counted, 1);
    printf("child of %d, depth %d\n", (int)from, depth);
    if (depth < 3)
        child<<<1, 32>>>(from, depth + 1);
}
__global__ void parent(int *values) {
    if (threadIdx.x == 0) {
        child<long><<<1, 64>>>(blockIdx.x, 1);
        values[blockIdx.x] = counted; // no child has begun
    }
}

int main() {
    int *values, host[2], all;
    cudaMalloc(&values, sizeof host);
    parent<<<2, 32>>>(values);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&all, counted, sizeof all);
    printf("%d %d, then %d\n", host[0], host[1], all);
}
