// Adds a[i] * b[i], for all i below n, to *result. One atomic per warp.
__global__ void dot(const int *a, const int *b, int n, int *result) {
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += a[i] * b[i];
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x % 32 == 0)
        atomicAdd(result, sum);
}
