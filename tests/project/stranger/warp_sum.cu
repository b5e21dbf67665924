// The sum of the values of 32 lanes: lane + START, so 32 * START + 496.
#include <cstdio>
#include <cstdlib>

__global__ void warp_sum(int start, int *sum) {
    int value = start + (int)threadIdx.x;
    for (int laneMask = 16; laneMask > 0; laneMask /= 2)
        value += __shfl_xor_sync(0xffffffff, value, laneMask);
    if (threadIdx.x == 0)
        *sum = value;
}

int main(int argc, char **argv) {
    int start = argc > 1 ? atoi(argv[1]) : 0;
    int *device = nullptr, sum = 0;
    cudaMalloc(&device, sizeof sum);
    warp_sum<<<1, 32>>>(start, device);
    cudaMemcpy(&sum, device, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(device);
    printf("sum %d\n", sum);
    return sum == 32 * start + 496 ? 0 : 1;
}
