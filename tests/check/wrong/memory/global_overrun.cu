// More threads than elements.
__global__ void scale(const int *data, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * data[i % n]; // finds out_of_bounds
    // says writes out[64], beyond the end: there are 64 elements
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    scale<<<3, 32>>>(data, out, 64);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
