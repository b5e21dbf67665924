// Returns, in every lane, the lane that has the largest value, or the lowest such lane if there are
// several.
__device__ int argmax(int value) {
    const int largest = __reduce_max_sync(0xffffffff, value);
    return __ffs(__ballot_sync(0xffffffff, value == largest)) - 1;
}
