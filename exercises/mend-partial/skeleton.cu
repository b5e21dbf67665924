// Called by all threads of a block of 1 to 1024. Thread 0 returns the sum of all values.
__device__ int block_total(int value) {
    __shared__ int partial[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        value += __shfl_xor_sync(0xffffffff, value, laneMask);
    if (lane == 0)
        partial[warp] = value;
    __syncthreads();
    int total = 0;
    for (int w = 0; w < blockDim.x / 32; w++)
        total += partial[w];
    return total;
}
