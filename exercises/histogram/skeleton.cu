// bins[bin] grows by the number of lanes of the warp that have that bin; one atomic per bin.
__device__ void count_values(int *bins, int bin) {
    atomicAdd(&bins[bin], 1); // one for each lane
}
