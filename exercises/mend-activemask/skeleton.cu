// Called by all lanes. Every lane returns the sum of all 32 values.
__device__ int group_total(int value) {
    const unsigned mask = __activemask();
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        value += __shfl_xor_sync(mask, value, laneMask);
    return value;
}
