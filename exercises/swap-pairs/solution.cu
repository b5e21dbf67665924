// In each pair of lanes (0 and 1, 2 and 3, ...) the first returns the smaller of the two values,
// the second the larger.
__device__ int swap_pairs(int value) {
    const int other = __shfl_xor_sync(0xffffffff, value, 1);
    return threadIdx.x % 2 == 0 ? min(value, other) : max(value, other);
}
