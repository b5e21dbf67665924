// sums[b] becomes the sum of the values of block b, one per thread. Blocks have 1 to 1024 threads.
__global__ void block_sum(const int *values, int *sums) {
    __shared__ int partial[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = values[i];
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = sum;
    // the sum of the warps' sums
    if (threadIdx.x == 0)
        sums[blockIdx.x] = partial[0];
}
