/* A kernel must not write memory that it reads through the read-only cache. */
#include <cstdio>

__global__ void scale(float *x, int n) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        x[i] = 2 * __ldg(&x[i]); // finds read_only_written
    // says writes x[0], which lane 0 of warp 0 in block (0,0,0) reads through the read-only cache
}

/* The writes come first, ordered by a barrier; even so, the cache need not see them. */
__global__ void behind_a_barrier(int *x, int *out) {
    x[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = __ldg(&x[63 - threadIdx.x]); // finds read_only_written
}

__global__ void by_ptx(int *x) {
    int value;
    asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(value) : "l"(x + threadIdx.x));
    x[threadIdx.x] = value + 1; // finds read_only_written
}

__global__ void wide(float4 *x) {
    const float4 v = __ldg(&x[threadIdx.x]);
    x[threadIdx.x].w = v.x; // finds read_only_written
}

int main() {
    float *x;
    int *y, *out;
    cudaMalloc(&x, 128 * sizeof *x);
    cudaMalloc(&y, 64 * sizeof *y);
    cudaMalloc(&out, 64 * sizeof *out);
    cudaMemset(x, 0, 128 * sizeof *x);
    cudaMemset(y, 0, 64 * sizeof *y);
    scale<<<2, 64>>>(x, 128);
    behind_a_barrier<<<1, 64>>>(y, out);
    by_ptx<<<1, 64>>>(y);
    wide<<<1, 32>>>((float4 *)x);
    return cudaDeviceSynchronize();
}
