// A barrier's name without brackets compiles, as with nvcc, and is no barrier: that is said.
#include <cstdio>

__global__ void sum(int *out) {
    __shared__ int seen;
    if (threadIdx.x == 0)
        seen = 5;
    __syncthreads;
    __syncthreads();
    if (threadIdx.x == 33)
        *out = seen;
}

int main() {
    int *out, host = 0;
    cudaMalloc(&out, sizeof host);
    sum<<<1, 64>>>(out);
    cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
}
