// Lane i returns the sum of the values of lanes 0 to i - 1; lane 0 returns 0.
__device__ int scan_before(int value) {
    const int lane = threadIdx.x % 32, own = value;
    for (int delta = 1; delta < 32; delta *= 2) {
        const int before = __shfl_up_sync(0xffffffff, value, delta);
        if (lane >= delta)
            value += before;
    }
    return value - own;
}
