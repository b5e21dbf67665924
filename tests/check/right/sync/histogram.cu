// A histogram with atomics.
__global__ void histogram(const int *data, int *out) {
    __shared__ int bin[16];
    int t = threadIdx.x;
    if (t < 16)
        bin[t] = 0;
    __syncthreads();
    atomicAdd(&bin[(data[t] + t) % 16], 1);
    __syncthreads();
    if (t < 16)
        atomicAdd(&out[t], bin[t]);
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    histogram<<<4, 64>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
