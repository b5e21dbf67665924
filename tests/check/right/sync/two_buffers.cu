// Two buffers, one barrier per iteration.
#include <cuda_runtime.h>
__global__ void scan(int *v) {
    __shared__ int s[2][128];
    int t = threadIdx.x, from = 0;
    s[0][t] = v[t];
    for (int d = 1; d < 128; d *= 2) {
        __syncthreads();
        s[1 - from][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
        from = 1 - from;
    }
    v[t] = s[from][t];
}
int main() {
    int *v;
    cudaMalloc(&v, 512);
    cudaMemset(v, 1, 512);
    scan<<<1, 128>>>(v);
    return cudaDeviceSynchronize();
}
