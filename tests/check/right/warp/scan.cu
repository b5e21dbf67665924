// A scan of a warp.
__global__ void scan(const int *data, int *out) {
    int lane = threadIdx.x, v = data[lane];
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d)
            v += other;
    }
    out[lane] = v;
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    scan<<<1, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
