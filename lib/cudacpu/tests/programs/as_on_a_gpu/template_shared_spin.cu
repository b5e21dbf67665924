// Decoupled look-back between blocks of a template kernel: block 0 waits for block 1's flag
// while its tile is in shared memory.
#include <cstdio>
__device__ volatile int flag;
template <int N> __global__ void k(int *o) {
    __shared__ int tile[N];
    tile[threadIdx.x] = (blockIdx.x + 1) * 1000 + threadIdx.x;
    __syncthreads();
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0)
            while (!flag)
                ;
        __syncthreads();
    } else if (threadIdx.x == 0) {
        __threadfence();
        flag = 1;
    }
    __syncthreads();
    o[blockIdx.x * N + threadIdx.x] = tile[threadIdx.x];
}
int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof h);
    k<32><<<2, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[3], h[35]);
}
