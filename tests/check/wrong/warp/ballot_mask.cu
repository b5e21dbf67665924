// The mask names 20 lanes; the tree reads up to lane 31.
__global__ void sum(const int *data, int *out, int n) {
    int i = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i < n) {
        int v = data[i];
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(mask, v, d); // finds source_lane_not_in_mask
        if (i == 0)
            *out = v;
    }
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    sum<<<1, 32>>>(data, out, 20);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
