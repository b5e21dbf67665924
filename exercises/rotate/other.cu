// Each lane returns the value of the next lane; lane 31 returns the value of lane 0.
__device__ int rotate(int value) {
    return __shfl_sync(0xffffffff, value, threadIdx.x + 1);
}
