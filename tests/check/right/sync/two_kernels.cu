// Two kernels, one after the other.
__global__ void first(const int *data, int *out) {
    out[blockIdx.x * 32 + threadIdx.x] = data[threadIdx.x];
}
__global__ void second(int *out) {
    int i = blockIdx.x * 32 + threadIdx.x;
    int v = out[(i + 32) % 64];
    out[i] = i < 32 ? v : out[i];
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    first<<<2, 32>>>(data, out);
    second<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
