// Called by all lanes. Every lane returns the sum of the values of lanes 0 to n - 1.
__device__ int sum_of_first(int value, int n) {
    const int lane = threadIdx.x % 32;
    const unsigned first = 0xffffffff >> (32 - n);
    if (lane < n)
        for (int delta = 16; delta > 0; delta /= 2) {
            // Nobody reads a lane that is not here.
            const bool exists = lane + delta < n;
            const int other = __shfl_down_sync(first, value, exists ? delta : 0);
            value += exists ? other : 0;
        }
    return __shfl_sync(0xffffffff, value, 0);
}
