// The lanes that are active at the top are not the lanes that are active in the branch.
__global__ void sum(const int *data, int *out) {
    int lane = threadIdx.x;
    int v = data[lane];
    unsigned mask = __activemask();
    if (lane < 16) {
        v += __shfl_xor_sync(mask, v, 8); // finds stale_activemask
        out[lane] = v;
    }
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
