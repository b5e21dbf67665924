// Returns, in every lane, the largest of the values of all 32 lanes.
__device__ int warp_max(int value) {
    int largest = 0;
    return max(largest, value); // write it here
}
