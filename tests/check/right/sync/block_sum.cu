// The sum of a block.
__global__ void sum(const int *data, int *out) {
    __shared__ int part[2];
    int t = threadIdx.x, v = data[t];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t == 0)
        *out = part[0] + part[1];
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
