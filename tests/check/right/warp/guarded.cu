// Values read beyond the block's last thread are undefined, and discarded.
__global__ void suffix_sums(const int *data, int *out) {
    int t = threadIdx.x, lane = t % 32;
    int lanes = min(32, (int)blockDim.x - t / 32 * 32);
    int value = data[t];
    for (int d = 1; d < 32; d *= 2) {
        int next = __shfl_down_sync(0xffffffff, value, d);
        value += lane + d < lanes ? next : 0;
    }
    out[t] = value;
}

// The remaining lanes determine their mask by a vote, and only their sums count.
__global__ void count(const int *data, int *out, int n) {
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, t < n);
    if (t >= n)
        return;
    int value = data[t];
    for (int d = 16; d > 0; d /= 2) {
        int other = __shfl_down_sync(mask, value, d);
        if (t % 32 + d < __popc(mask))
            value += other;
    }
    if (t % 32 == 0)
        atomicAdd(out, value);
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    suffix_sums<<<1, 45>>>(data, out);
    count<<<1, 64>>>(data, out, 38);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
