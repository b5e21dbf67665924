// Thread 0 clears a counter, no barrier follows, and all threads count, including thread 0.
__global__ void count(const int *data, int *out) {
    __shared__ int n;
    if (threadIdx.x == 0)
        n = 0;
    if (data[threadIdx.x] > 0)
        atomicAdd(&n, 1); // finds shared_race
    __syncthreads();
    if (threadIdx.x == 0)
        *out = n;
}

// A block's barrier does not order accesses for other blocks.
__global__ void count_all(const int *data, int *out) {
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = 0;
    __syncthreads();
    if (data[threadIdx.x] > 0)
        atomicAdd(out, 1); // finds global_race
    // says instead: set the first value before the launch, with cudaMemset() or a separate kernel
}

int main() {
    int *data, *out;
    cudaMalloc(&data, 128 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(data, 1, 128 * sizeof(int));
    count<<<1, 128>>>(data, out);
    count_all<<<4, 128>>>(data, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
