// A tail filled with the neutral element.
__global__ void sum(const int *data, int *out, int n) {
    int i = threadIdx.x;
    int v = i < n ? data[i] : 0;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    if (i % 32 == 0)
        atomicAdd(out, v);
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    sum<<<1, 64>>>(data, out, 35);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
