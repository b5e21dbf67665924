/* The forms without _sync, which devices of compute capability 6.x and below support: all lanes of
 * the branch take part, in any order. */
#include <cstdio>

__global__ void sum(const int *in, int *out) {
    int value = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_xor(value, d);
    if (threadIdx.x < 8)
        value += __shfl(value, 7, 8);
    out[threadIdx.x] = value + (int)__ballot(value > 0);
}

int main() {
    int *in, *out, host[32];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemset(in, 1, sizeof host);
    sum<<<1, 32>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
}
