// One block of 64 threads: *result becomes the sum of the 64 values.
__global__ void tree_sum(const int *values, int *result) {
    __shared__ int sums[64];
    const int i = threadIdx.x;
    sums[i] = values[i];
    __syncthreads();
    if (i < 32) {
        int sum = sums[i] + sums[i + 32];
        for (int delta = 16; delta > 0; delta /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, delta);
        if (i == 0)
            *result = sum;
    }
}
