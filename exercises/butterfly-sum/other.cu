// Returns, in every lane, the sum of the values of all 32 lanes.
__device__ int all_sum(int value) {
    for (int laneMask = 1; laneMask < 32; laneMask *= 2)
        value += __shfl_xor_sync(0xffffffff, value, laneMask);
    return value;
}
