// Called by lanes 0 to n - 1 of a warp, 1 <= n <= 32; the others wait elsewhere. Returns, in lane
// 0, the sum of the n values.
__device__ int partial_sum(int value, int n) {
    const unsigned mask = 0xffffffff >> (32 - n);
    const int lane = threadIdx.x % 32;
    for (int delta = 16; delta > 0; delta /= 2) {
        const bool reads = lane + delta < n;
        const int other = __shfl_down_sync(mask, value, reads ? delta : 0);
        if (reads)
            value += other;
    }
    return value;
}
