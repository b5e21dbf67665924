// scan - running sums of 31, 30, ... 0 within every eight lanes, in three steps.
#include <cstdio>

__global__ void scan() {
    int lane = threadIdx.x % 32, sum = 31 - lane;
    for (int delta = 1; delta < 8; delta *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, delta, 8);
        if (lane % 8 >= delta)
            sum += below;
    }
    printf("lane %2d: %d\n", lane, sum);
}

int main() {
    scan<<<1, 32>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
