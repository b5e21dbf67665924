// __activemask() with nothing between it and its use.
__global__ void count(const int *data, int *out) {
    if (data[threadIdx.x] > 0 && threadIdx.x % 3) {
        unsigned active = __activemask();
        if ((active & ((1u << threadIdx.x) - 1)) == 0)
            atomicAdd(out, __popc(active));
    }
}

// An omitted mask is not the mask from __activemask(), although it names the same lanes.
__global__ void turn(const int *data, int *out) {
    __shared__ int row[32];
    int lane = threadIdx.x;
    unsigned active = __activemask();
    row[lane] = data[lane] + __popc(active);
    __syncwarp();
    if (lane >= 16)
        return;
    int value = row[lane ^ 16];
    __syncwarp();
    row[lane] = value;
    __syncwarp();
    out[1 + lane] = row[15 - lane];
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    count<<<1, 32>>>(data, out);
    turn<<<1, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
