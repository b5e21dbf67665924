/* Blocks append elements in order of arrival: none is lost, but their order varies. */
#include <cstdio>

// says 0 findings
// says results differ only in the order of the output
__global__ void keep_odd(const int *in, int *out, int *count) {
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (value % 2)
        out[atomicAdd(count, 1)] = value;
}

int main() {
    int *in, *out, *count, host[128];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&count, sizeof *count);
    for (int i = 0; i < 128; i++)
        host[i] = i;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof *count);
    keep_odd<<<4, 32>>>(in, out, count);
    cudaMemcpy(host, out, 64 * sizeof *host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        printf("%d ", host[i]);
    puts("");
}
