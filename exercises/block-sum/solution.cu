// sums[b] becomes the sum of the values of block b, one per thread. Blocks have 1 to 1024 threads.
__global__ void block_sum(const int *values, int *sums) {
    __shared__ int partial[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int lanes = min(32, (int)blockDim.x - 32 * warp); // that this warp has
    const unsigned mask = 0xffffffff >> (32 - lanes);
    int sum = values[i];
    for (int delta = 16; delta > 0; delta /= 2) {
        const bool exists = lane + delta < lanes;
        const int other = __shfl_down_sync(mask, sum, exists ? delta : 0);
        if (exists)
            sum += other;
    }
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int w = 0; w < (blockDim.x + 31) / 32; w++)
            total += partial[w];
        sums[blockIdx.x] = total;
    }
}
