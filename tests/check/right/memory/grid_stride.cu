// A grid-stride loop.
__global__ void scale(const int *data, int *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = 3 * data[i];
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    scale<<<2, 16>>>(data, out, 61);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
