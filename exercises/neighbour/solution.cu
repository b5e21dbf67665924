// Each lane returns its value minus that of the lane before it; lane 0 returns its value.
__device__ int difference(int value) {
    const int before = __shfl_up_sync(0xffffffff, value, 1);
    return threadIdx.x % 32 == 0 ? value : value - before;
}
