__device__ int sum_of_lanes(int value, int lanes) {
    const int lane = threadIdx.x % 32;
    for (int delta = 16; delta > 0; delta /= 2) {
        const int other = __shfl_down_sync(0xffffffff >> (32 - lanes), value, delta);
        value += lane + delta < lanes ? other : 0;
    }
    return value;
}

// sums[b] becomes the sum of the values of block b, one per thread. Blocks have 1 to 1024 threads.
__global__ void block_sum(const int *values, int *sums) {
    __shared__ int partial[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int warps = (blockDim.x + 31) / 32;
    const int sum = sum_of_lanes(values[blockIdx.x * blockDim.x + threadIdx.x],
                                 min(32, (int)blockDim.x - 32 * warp));
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    if (threadIdx.x < warps) {
        const int total = sum_of_lanes(partial[threadIdx.x], warps);
        if (threadIdx.x == 0)
            sums[blockIdx.x] = total;
    }
}
