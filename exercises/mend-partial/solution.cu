// Called by all threads of a block of 1 to 1024 threads. Thread 0 returns the sum of all values.
__device__ int block_total(int value) {
    __shared__ int partial[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int lanes = min(32, (int)blockDim.x - 32 * warp);
    const unsigned mask = 0xffffffff >> (32 - lanes);
    for (int delta = 16; delta > 0; delta /= 2) {
        const bool exists = lane + delta < lanes;
        const int other = __shfl_down_sync(mask, value, exists ? delta : 0);
        value += exists ? other : 0;
    }
    if (lane == 0)
        partial[warp] = value;
    __syncthreads();
    int total = 0;
    for (int w = 0; w < (blockDim.x + 31) / 32; w++)
        total += partial[w];
    return total;
}
