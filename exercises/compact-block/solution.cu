// Copies the nonzero values among n to `out`, in order, and their count to *count. One block.
__global__ void compact(const int *values, int n, int *out, int *count) {
    __shared__ int kept_by[32];
    const int i = threadIdx.x, lane = i % 32, warp = i / 32;
    const int value = i < n ? values[i] : 0;
    const bool keep = value != 0;
    const unsigned kept = __ballot_sync(0xffffffff, keep);
    if (lane == 0)
        kept_by[warp] = __popc(kept);
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; w++)
        before += kept_by[w];
    if (keep)
        out[before + __popc(kept & ((1u << lane) - 1))] = value;
    if (i == blockDim.x - 1)
        *count = before + __popc(kept);
}
