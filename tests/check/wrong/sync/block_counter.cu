// Blocks update one counter without atomics.
__global__ void count(const int *data, int *out) {
    if (threadIdx.x == 0 && data[blockIdx.x] > 0)
        out[0] += 1; // finds global_race
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(data, 1, 64 * sizeof(int));
    cudaMemset(out, 0, 64 * sizeof(int));
    count<<<8, 32>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
