// A mask of 0 leaves all lanes out.
__global__ void swap(const int *data, int *out) {
    out[threadIdx.x] =
        __shfl_xor_sync(0, data[threadIdx.x], 1); // finds participating_lane_not_in_mask
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    swap<<<1, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
