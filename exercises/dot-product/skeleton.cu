// Adds a[i] * b[i], for all i below n, to *result. One atomic per warp.
__global__ void dot(const int *a, const int *b, int n, int *result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    atomicAdd(result, a[i] * b[i]); // one for each value, and what lies beyond the grid?
}
