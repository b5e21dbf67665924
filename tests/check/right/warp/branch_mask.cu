// A mask that names the lanes of a branch.
__global__ void sum(const int *data, int *out) {
    int lane = threadIdx.x, v = data[lane];
    unsigned mask = __ballot_sync(0xffffffff, lane < 16);
    if (lane < 16)
        v += __shfl_xor_sync(mask, v, 8);
    out[lane] = v;
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
