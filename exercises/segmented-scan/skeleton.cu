// Lanes with `head`, and lane 0, begin a segment. Each lane returns the sum of its segment's values
// up to itself.
__device__ int segmented_scan(int value, bool head) {
    const int lane = threadIdx.x % 32;
    for (int delta = 1; delta < 32; delta *= 2) {
        const int before = __shfl_up_sync(0xffffffff, value, delta);
        if (lane >= delta) // and from the same segment?
            value += before;
    }
    return value;
}
