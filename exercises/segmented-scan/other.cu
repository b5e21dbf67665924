// Lanes with `head`, and lane 0, begin a segment. Each lane returns the sum of its segment's values
// up to itself.
__device__ int segmented_scan(int value, bool head) {
    const int lane = threadIdx.x % 32;
    int closed = head || lane == 0; // nothing before this lane counts any more
    for (int delta = 1; delta < 32; delta *= 2) {
        const int before = __shfl_up_sync(0xffffffff, value, delta);
        const int closed_before = __shfl_up_sync(0xffffffff, closed, delta);
        if (lane >= delta && !closed) {
            value += before;
            closed = closed_before;
        }
    }
    return value;
}
