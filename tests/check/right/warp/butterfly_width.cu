// A butterfly with a width below 32.
__global__ void sum(const int *data, int *out) {
    int v = data[threadIdx.x];
    for (int d = 4; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d, 8);
    out[threadIdx.x] = v;
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    sum<<<1, 64>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
