// Returns, in lane 0, the sum of the values of all 32 lanes. The others' results are not used.
__device__ int warp_sum(int value) {
    for (int delta = 1; delta < 32; delta *= 2)
        value += __shfl_down_sync(0xffffffff, value, delta);
    return value;
}
