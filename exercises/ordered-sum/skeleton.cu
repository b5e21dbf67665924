// Every lane returns ((v0 + v1) + (v2 + v3)) + ((v4 + v5) + (v6 + v7)) ..., to the last bit.
__device__ float ordered_sum(float value) {
    for (int laneMask = 16; laneMask > 0; laneMask /= 2) // which lanes are added first?
        value += __shfl_xor_sync(0xffffffff, value, laneMask);
    return value;
}
