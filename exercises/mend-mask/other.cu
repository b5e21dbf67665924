// Every lane returns the sum of the values of its group of `width` lanes.
__device__ int group_sum(int value, int width) {
    for (int delta = width / 2; delta > 0; delta /= 2)
        value += __shfl_sync(0xffffffff, value, threadIdx.x + delta, width);
    return value;
}
