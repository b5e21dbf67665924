// Returns, in every lane, the lane that has the largest value, or the lowest such lane if there are
// several.
__device__ int argmax(int value) {
    int best = threadIdx.x % 32;
    for (int laneMask = 16; laneMask > 0; laneMask /= 2) {
        const int other = __shfl_xor_sync(0xffffffff, value, laneMask);
        if (other > value)
            value = other; // and best?
    }
    return best;
}
