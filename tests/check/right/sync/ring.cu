// A ring with one writer and one reader, ordered by fences and atomics.
#include <cuda_runtime.h>
#define SIZE 8
__device__ int ring[SIZE];
__device__ unsigned head, tail;
__global__ void pass(int *out, int count) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int i = 0; i < count; i++) {
            while (atomicAdd(&head, 0) - atomicAdd(&tail, 0) == SIZE)
                ;
            __threadfence();
            ring[i % SIZE] = i * i;
            __threadfence();
            atomicAdd(&head, 1);
        }
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        for (int i = 0; i < count; i++) {
            while (atomicAdd(&head, 0) == atomicAdd(&tail, 0))
                ;
            __threadfence();
            out[i] = ring[i % SIZE];
            __threadfence();
            atomicAdd(&tail, 1);
        }
    }
}
int main() {
    int *out;
    cudaMalloc(&out, 400);
    pass<<<2, 32>>>(out, 100);
    return cudaDeviceSynchronize();
}
