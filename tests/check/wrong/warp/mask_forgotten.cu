// Arguments as in an old book, without a mask: every lane gets 16.
__global__ void sum(const int *data, int *out) {
    int v = threadIdx.x;
    // finds mask_forgotten participating_lane_not_in_mask divergent_mask
    v += __shfl_down_sync(v, 16, 32);
    out[threadIdx.x] = v + data[threadIdx.x];
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
