// A tree with __shfl_down_sync().
__global__ void sum(const int *data, int *out) {
    int v = data[threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0)
        *out = v;
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    sum<<<1, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
