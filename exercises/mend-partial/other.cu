// Called by all threads of a block of 1 to 1024. Thread 0 returns the sum of all values.
__device__ int block_total(int value) {
    __shared__ int partial[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int lanes = min(32, (int)blockDim.x - 32 * warp);
    const unsigned mask = 0xffffffff >> (32 - lanes);
    const int power = 1 << (31 - __clz(lanes)); // the largest power of two among them
    const bool folds = lane + power < lanes;
    const int beyond = __shfl_sync(mask, value, folds ? lane + power : lane);
    value += folds ? beyond : 0;
    for (int laneMask = power / 2; laneMask > 0; laneMask /= 2)
        value += __shfl_sync(mask, value, lane < power ? lane ^ laneMask : lane);
    if (lane == 0)
        partial[warp] = value;
    __syncthreads();
    int total = 0;
    for (int w = 0; w < (blockDim.x + 31) / 32; w++)
        total += partial[w];
    return total;
}
