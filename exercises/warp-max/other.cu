// Returns, in every lane, the largest of the values of all 32 lanes.
__device__ int warp_max(int value) {
    for (int delta = 16; delta > 0; delta /= 2)
        value = max(value, __shfl_down_sync(0xffffffff, value, delta));
    return __shfl_sync(0xffffffff, value, 0);
}
