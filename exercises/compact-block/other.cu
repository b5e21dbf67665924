// Copies the nonzero values among n to `out`, in order, and their count to *count. One block.
__global__ void compact(const int *values, int n, int *out, int *count) {
    __shared__ int upto[32];
    const int i = threadIdx.x, lane = i % 32, warp = i / 32, warps = blockDim.x / 32;
    const int value = i < n ? values[i] : 0;
    const unsigned kept = __ballot_sync(0xffffffff, value != 0);
    if (lane == 0)
        upto[warp] = __popc(kept);
    __syncthreads();
    if (warp == 0) { // one warp scans the counts of all warps
        int sum = lane < warps ? upto[lane] : 0;
        for (int delta = 1; delta < 32; delta *= 2) {
            const int before = __shfl_up_sync(0xffffffff, sum, delta);
            sum += lane >= delta ? before : 0;
        }
        if (lane < warps)
            upto[lane] = sum;
        if (lane == 31)
            *count = sum;
    }
    __syncthreads();
    if (value != 0)
        out[upto[warp] - __popc(kept) + __popc(kept & ((1u << lane) - 1))] = value;
}
