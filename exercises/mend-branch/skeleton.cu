// Called by all lanes. Every lane returns the sum of the values of lanes 0 to n - 1.
__device__ int sum_of_first(int value, int n) {
    const int lane = threadIdx.x % 32;
    if (lane < n)
        for (int laneMask = 16; laneMask > 0; laneMask /= 2)
            value += __shfl_xor_sync(0xffffffff, value, laneMask);
    return __shfl_sync(0xffffffff, value, 0);
}
