// The host follows pointers to device memory, both directly and through the C library.
#include <cstdio>
#include <cstring>

__global__ void count(int *v) {
    v[threadIdx.x] = threadIdx.x;
}

int main() {
    int *v, copy[32];
    cudaMalloc(&v, sizeof copy);
    count<<<1, 32>>>(v);
    cudaDeviceSynchronize();
    printf("%d\n", v[5]); // finds wrong_memory_space
    v[5] = 6;             // finds wrong_memory_space
    size_t bytes = sizeof copy;
    memcpy(copy, v, bytes); // finds wrong_memory_space
    memset(v, 0, bytes);    // finds wrong_memory_space
    cudaMemcpy(copy, v, sizeof copy, cudaMemcpyDeviceToHost);
    printf("%d\n", copy[5]);
}
