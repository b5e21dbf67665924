// grid_stride [BLOCKS] - the sum of 1 to 1000: by __shfl_down_sync in a warp, then by atomics.
// The loop begins at threadIdx.x instead of the thread's index in the grid: with more than one
// block, each counts the same elements, and the others are left out. That breaks no rule of CUDA,
// so `shflviz check` has nothing to report; the program itself compares, and reports it.
#include <cstdio>
#include <cstdlib>

template <typename T> __global__ void sum(T *total, const T *values, int count) {
    T mine = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x * gridDim.x)
        mine += values[i];
    for (int delta = 16; delta > 0; delta /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, delta);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, mine);
}

int main(int argc, char **argv) {
    int blocks = argc > 1 ? atoi(argv[1]) : 1;
    const int count = 1000, expected = count * (count + 1) / 2;
    int *values, *total, got = -1;
    cudaMallocManaged(&values, count * sizeof *values);
    cudaMallocManaged(&total, sizeof *total);
    for (int i = 0; i < count; i++)
        values[i] = i + 1;
    *total = 0;
    sum<<<blocks, 128>>>(total, values, count);
    if (cudaDeviceSynchronize() == cudaSuccess)
        got = *total;
    printf("the sum of 1 to %d is %d, counted by %d x 128 threads: %d\n", count, expected, blocks,
           got);
    cudaFree(values);
    cudaFree(total);
    return got == expected ? 0 : 1;
}
