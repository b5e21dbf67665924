// Returns, in every lane, the largest of the values of all 32 lanes.
__device__ int warp_max(int value) {
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        value = max(value, __shfl_xor_sync(0xffffffff, value, laneMask));
    return value;
}
