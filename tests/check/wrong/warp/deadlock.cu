// Each half of the warp waits for the other half at a different call.
__global__ void meet(const int *data, int *out) {
    int v = data[threadIdx.x];
    if (threadIdx.x < 16)
        v = __shfl_sync(0xffffffff, v, 0); // finds deadlock not_participating_lane_in_mask
    else
        __syncwarp(); // finds not_participating_lane_in_mask
    out[threadIdx.x] = v;
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    meet<<<1, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
