/* A barrier does not wait for copies; a wait may leave out the last group. */
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void reverse(const int *in, int *out) {
    __shared__ int s[64];
    const int t = (int)threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));
    __pipeline_commit();
    __syncthreads();
    out[t] = s[63 - t]; // finds copy_not_waited
    // says reads s[63] without waiting for the copy that lane 31 of warp 1
}

__global__ void two_stages(const int *in, int *out) {
    __shared__ int s[2][64];
    const int t = (int)threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_memcpy_async(&s[1][t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    const int first = s[0][t];
    out[t] = first + s[1][t]; // finds copy_not_waited
}

__global__ void by_ptx(const int *in, int *out) {
    __shared__ int s[64];
    const int t = (int)threadIdx.x;
    const unsigned to = (unsigned)__cvta_generic_to_shared(&s[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(&in[t]) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    out[t] = s[t]; // finds copy_not_waited
}

int main() {
    int *in, *out, host[64];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemset(in, 1, sizeof host);
    reverse<<<1, 64>>>(in, out);
    two_stages<<<1, 64>>>(in, out);
    by_ptx<<<1, 64>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
}
