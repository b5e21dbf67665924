// Each lane names itself and all smaller lanes.
__global__ void scan(const int *data, int *out) {
    int lane = threadIdx.x;
    int v = data[lane];
    if (lane >= 1)
        // finds divergent_mask not_participating_lane_in_mask deadlock
        v += __shfl_up_sync(lane % 2 ? 0xfffffffe : 0xffffffff, v, 1);
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
