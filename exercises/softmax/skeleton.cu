// Each lane returns exp(x - m) / s, where m is the largest x of the warp and s is the sum of all
// exp(x - m).
__device__ float softmax(float x) {
    float sum = expf(x); // and if x is large?
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, laneMask);
    return expf(x) / sum;
}
