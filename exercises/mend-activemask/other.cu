// Called by all lanes. Every lane returns the sum of all 32 values.
__device__ int group_total(int value) {
    for (int delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(0xffffffff, value, delta);
    return __shfl_sync(0xffffffff, value, 0);
}
