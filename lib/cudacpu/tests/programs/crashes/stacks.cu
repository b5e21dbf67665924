// Threads of a block that end immediately, wait, or end later: each keeps the values of its own
// variables, whichever thread had its stack before.
#include <cstdio>

__device__ __noinline__ int fill(int (&kept)[16], int seed) {
    for (int i = 0; i < 16; i++)
        kept[i] = seed * 100 + i;
    return kept[seed % 16];
}

__device__ __noinline__ bool holds(const int (&kept)[16], int seed) {
    for (int i = 0; i < 16; i++)
        if (kept[i] != seed * 100 + i)
            return false;
    return true;
}

__global__ void mixed(int *ended, int *waited, int *wrong) {
    const int seed = blockIdx.x * blockDim.x + threadIdx.x;
    const int way = (threadIdx.x + blockIdx.x) % 5;
    int kept[16];
    fill(kept, seed);
    if (way == 0 || way == 3) {
        atomicAdd(ended, holds(kept, seed));
        return;
    }
    for (int round = 0; round < 3; round++) {
        __syncthreads();
        if (!holds(kept, seed))
            atomicAdd(wrong, 1);
        if (way == 1 && round == 1) {
            atomicAdd(ended, 1);
            return;
        }
    }
    atomicAdd(waited, __syncthreads_count(way == 2) > 0);
}

int main() {
    int *counts;
    cudaMallocManaged(&counts, 3 * sizeof *counts);
    for (int i = 0; i < 3; i++)
        counts[i] = 0;
    mixed<<<7, 100>>>(counts, counts + 1, counts + 2);
    mixed<<<3, 1024>>>(counts, counts + 1, counts + 2);
    cudaDeviceSynchronize();
    // In each group of 5 threads, 3 end early and 2 stay to the end: of 700 and of 3072 threads.
    printf("%d ended early, %d stayed, %d wrong\n", counts[0], counts[1], counts[2]);
    return 0;
}
