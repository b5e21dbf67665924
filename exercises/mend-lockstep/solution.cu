// One block of 64 threads: *result becomes the sum of the 64 values.
__global__ void tree_sum(const int *values, int *result) {
    __shared__ int sums[64];
    const int i = threadIdx.x;
    sums[i] = values[i];
    __syncthreads();
    if (i < 32)
        for (int offset = 32; offset > 0; offset /= 2) {
            if (i < offset)
                sums[i] += sums[i + offset];
            __syncwarp();
        }
    if (i == 0)
        *result = sums[0];
}
