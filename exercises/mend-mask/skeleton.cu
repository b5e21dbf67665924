// Every lane returns the sum of the values of its group of `width` lanes.
__device__ int group_sum(int value, int width) {
    for (int laneMask = width / 2; laneMask > 0; laneMask /= 2)
        value += __shfl_xor_sync(0xFFFFFF, value, laneMask, width);
    return value;
}
