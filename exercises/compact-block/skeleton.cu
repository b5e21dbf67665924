// Copies the nonzero values among n to `out`, in order, and their count to *count. One block.
__global__ void compact(const int *values, int n, int *out, int *count) {
    const int i = threadIdx.x;
    if (i < n && values[i] != 0)
        out[i] = values[i]; // where?
    if (i == 0)
        *count = n;
}
