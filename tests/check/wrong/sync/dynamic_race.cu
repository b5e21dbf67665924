// Dynamic shared memory, and the last rounds of a sum that rely on a warp's lanes running in step.
__global__ void sum_block(const int *data, int *out) {
    extern __shared__ int sum[];
    int t = threadIdx.x;
    sum[t] = data[t];
    __syncthreads();
    if (t < 4) {
        sum[t] += sum[t + 4];
        sum[t] += sum[t + 2]; // finds shared_race
        sum[t] += sum[t + 1]; // finds shared_race
    }
    if (t == 0)
        *out = sum[0];
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 8 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(data, 1, 8 * sizeof(int));
    sum_block<<<1, 8, 8 * sizeof(int)>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
