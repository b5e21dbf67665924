// Called by lanes 0 to n - 1 of a warp, 1 <= n <= 32; the others wait elsewhere. Returns, in lane
// 0, the sum of the n values.
__device__ int partial_sum(int value, int n) {
    return __reduce_add_sync(0xffffffff >> (32 - n), value);
}
