// Groups of `width` lanes: each lane returns the value at the mirrored position in its group.
__device__ int reverse(int value, int width) {
    const int lane = threadIdx.x % 32;
    return __shfl_sync(0xffffffff, value, width - 1 - lane % width, width);
}
