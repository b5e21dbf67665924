// bins[bin] grows by the number of lanes of the warp that have that bin; one atomic per bin.
__device__ void count_values(int *bins, int bin) {
    const unsigned same = __match_any_sync(0xffffffff, bin);
    if (threadIdx.x % 32 == __ffs(same) - 1)
        atomicAdd(&bins[bin], __popc(same));
}
