// Lanes with `head`, and lane 0, begin a segment. Each lane returns the sum of its segment's values
// up to itself.
__device__ int segmented_scan(int value, bool head) {
    const int lane = threadIdx.x % 32;
    const unsigned heads = __ballot_sync(0xffffffff, head) | 1;
    const int first = 31 - __clz(heads & 0xffffffff >> (31 - lane));
    for (int delta = 1; delta < 32; delta *= 2) {
        const int before = __shfl_up_sync(0xffffffff, value, delta);
        if (lane - delta >= first)
            value += before;
    }
    return value;
}
