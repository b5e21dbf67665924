__global__ void count(const int *data, int *out) {
    if (data[threadIdx.x] > 0 && threadIdx.x % 3) {
        unsigned active = __activemask();
        if ((active & ((1u << threadIdx.x) - 1)) == 0)
            atomicAdd(out, __popc(active));
    }
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    count<<<1, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
