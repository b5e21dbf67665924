// Lane i returns the sum of the values of lanes 0 to i.
__device__ int scan(int value) {
    for (int delta = 1; delta < 32; delta *= 2)
        value += __shfl_up_sync(0xffffffff, value, delta); // which lanes must not add?
    return value;
}
