// Returns, in every lane, the sum of the values of all 32 lanes.
__device__ int all_sum(int value) {
    return value; // write it here
}
