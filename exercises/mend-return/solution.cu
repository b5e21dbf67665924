// Adds the n values, one per thread, to *result. One atomic per block.
__global__ void add_all(const int *values, int n, int *result) {
    __shared__ int partial[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = i < n ? values[i] : 0;
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int w = 0; w < blockDim.x / 32; w++)
            total += partial[w];
        atomicAdd(result, total);
    }
}
