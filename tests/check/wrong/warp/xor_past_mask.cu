// 24 lanes call, and lane 8 reads lane 24.
__global__ void sum(const int *data, int *out) {
    int v = data[threadIdx.x];
    if (threadIdx.x < 24)
        v += __shfl_xor_sync(0x00ffffff, v, 16); // finds source_lane_not_in_mask
    out[threadIdx.x] = v;
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
