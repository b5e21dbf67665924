// Adds a[i] * b[i], for all i below n, to *result. One atomic per warp.
__global__ void dot(const int *a, const int *b, int n, int *result) {
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += a[i] * b[i];
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, laneMask);
    if (threadIdx.x % 32 == 31)
        atomicAdd(result, sum);
}
