// Groups of `width` lanes: each lane returns the value at the mirrored position in its group.
__device__ int reverse(int value, int width) {
    return __shfl_xor_sync(0xffffffff, value, width - 1);
}
