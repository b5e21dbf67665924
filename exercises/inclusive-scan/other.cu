// Lane i returns the sum of the values of lanes 0 to i.
__device__ int scan(int value) {
    const int lane = threadIdx.x % 32;
    int before = __shfl_up_sync(0xffffffff, value, 1);
    value += lane & 1 ? before : 0;
    for (int half = 2; half < 32; half *= 2) {
        before = __shfl_sync(0xffffffff, value, (lane & -(2 * half)) + half - 1);
        value += lane & half ? before : 0;
    }
    return value;
}
