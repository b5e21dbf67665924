// Groups of 24 lanes do not exist.
__global__ void sum(const int *data, int *out) {
    int v = data[threadIdx.x];
    v += __shfl_down_sync(0xffffffff, v, 8, 24); // finds width_is_not_power_of_two
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
