/* A sum of floats by atomics: its last digits depend on the order. */
#include <cstdio>

// says 0 findings
// says results differ in digits that depend on the order of a sum
__global__ void sum(const float *in, float *out) {
    atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
    float *in, *out, host[256];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof *out);
    for (int i = 0; i < 256; i++)
        host[i] = 1.0f / (float)(i + 1) + (i % 7 == 0 ? 1000.0f : 0.0f);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof *out);
    sum<<<4, 64>>>(in, out);
    cudaMemcpy(host, out, sizeof *out, cudaMemcpyDeviceToHost);
    printf("%.9e\n", host[0]);
}
