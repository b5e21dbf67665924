// Adds the n values, one per thread, to *result. One atomic per block.
__global__ void add_all(const int *values, int n, int *result) {
    __shared__ int share[1024];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    share[threadIdx.x] = i < n ? values[i] : 0;
    __syncthreads();
    if (threadIdx.x >= 32) // the last barrier is behind them
        return;
    int sum = 0;
    for (int j = threadIdx.x; j < blockDim.x; j += 32)
        sum += share[j];
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x == 0)
        atomicAdd(result, sum);
}
