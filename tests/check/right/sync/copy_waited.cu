/* Waits for a single copy, copies in several stages, and a copy by PTX. One buffer is reused. */
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void reverse(const int *in, int *out) {
    __shared__ int s[64];
    const int t = (int)threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[64 * blockIdx.x + t] = s[63 - t];
    __syncthreads();
    s[t] = t; /* filled again, by a plain store */
    __syncthreads();
    out[64 * blockIdx.x + t] += s[63 - t];
}

__global__ void stages(const int *in, int *out, int rounds) {
    __shared__ int s[2][64];
    const int t = (int)threadIdx.x;
    int sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(int));
    __pipeline_commit();
    for (int round = 0; round < rounds; round++) {
        if (round + 1 < rounds)
            __pipeline_memcpy_async(&s[(round + 1) % 2][t], &in[t], sizeof(int));
        __pipeline_commit(); /* an empty group in the last iteration */
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[round % 2][63 - t];
        __syncthreads();
    }
    out[64 * blockIdx.x + t] = sum;
}

__global__ void by_ptx(const int *in, int *out) {
    __shared__ int s[64];
    const int t = (int)threadIdx.x;
    const unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(&in[t]) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[64 * blockIdx.x + t] = s[63 - t];
}

int main() {
    int *in, *out, host[128];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemset(in, 1, sizeof host);
    reverse<<<2, 64>>>(in, out);
    stages<<<2, 64>>>(in, out, 5);
    by_ptx<<<2, 64>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
}
