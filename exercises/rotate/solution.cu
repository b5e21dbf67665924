// Each lane returns the value of the next lane; lane 31 returns the value of lane 0.
__device__ int rotate(int value) {
    const int lane = threadIdx.x % 32;
    return __shfl_sync(0xffffffff, value, (lane + 1) % 32);
}
