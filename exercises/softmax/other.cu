// Each lane returns exp(x - m) / s, where m is the largest x of the warp and s is the sum of all
// exp(x - m).
__device__ float softmax(float x) {
    float largest = x;
    for (int delta = 16; delta > 0; delta /= 2)
        largest = fmaxf(largest, __shfl_down_sync(0xffffffff, largest, delta));
    const float power = expf(x - __shfl_sync(0xffffffff, largest, 0));
    float sum = power;
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    return power / __shfl_sync(0xffffffff, sum, 0);
}
