// In each pair of lanes (0 and 1, 2 and 3, ...) the first returns the smaller of the two values,
// the second the larger.
__device__ int swap_pairs(int value) {
    const int other = __shfl_xor_sync(0xffffffff, value, 1);
    const bool second = threadIdx.x & 1;
    return (other > value) == second ? other : value;
}
