// Each lane returns exp(x - m) / s, where m is the largest x of the warp and s is the sum of all
// exp(x - m).
__device__ float softmax(float x) {
    float largest = x;
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, laneMask));
    const float power = expf(x - largest);
    float sum = power;
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, laneMask);
    return power / sum;
}
