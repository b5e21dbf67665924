// A scan in one pass: each block looks back at the blocks before it.
#include <cuda_runtime.h>
__device__ unsigned next;
__device__ volatile int flags[64];
__device__ int sums[64], prefixes[64];
__global__ void scan(const int *in, int *out) {
    __shared__ int s[64];
    __shared__ unsigned block;
    __shared__ int before;
    int t = threadIdx.x;
    if (t == 0)
        block = atomicAdd(&next, 1);
    __syncthreads();
    s[t] = in[block * 64 + t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int x = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += x;
        __syncthreads();
    }
    if (t == 0) {
        sums[block] = s[63];
        __threadfence();
        flags[block] = 1;
        int sum = 0;
        for (int i = (int)block - 1; i >= 0; i--) {
            int f;
            while ((f = flags[i]) == 0)
                ;
            __threadfence();
            if (f == 2) {
                sum += prefixes[i];
                break;
            }
            sum += sums[i];
        }
        prefixes[block] = sum + s[63];
        __threadfence();
        flags[block] = 2;
        before = sum;
    }
    __syncthreads();
    out[block * 64 + t] = before + s[t];
}
int main() {
    int *in, *out;
    cudaMalloc(&in, 16 * 256);
    cudaMalloc(&out, 16 * 256);
    cudaMemset(in, 1, 16 * 256);
    scan<<<16, 64>>>(in, out);
    return cudaDeviceSynchronize();
}
