// status 4
// A barrier that some lanes never reach, and a shuffle that others never reach.
#include <cstdio>
__global__ void tree(int *v) {
    __shared__ int s[64];
    s[threadIdx.x] = v[threadIdx.x];
    if (threadIdx.x < 40)
        __syncthreads();
    else
        v[0] = __shfl_sync(~0u, s[threadIdx.x], 0);
    v[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    int *d;
    cudaMalloc(&d, 256);
    tree<<<2, 64>>>(d);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
