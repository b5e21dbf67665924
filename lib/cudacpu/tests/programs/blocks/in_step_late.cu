// Lanes rely on running in step in some blocks only; blocks that ran out of step are named.
#include <cstdio>

__global__ void pick(int *out) {
    __shared__ int value[32];
    const int lane = threadIdx.x, from = blockIdx.x < 5 ? lane : lane ^ 1;
    value[lane] = lane + 1;
    out[blockIdx.x * 32 + lane] = value[from];
}

// The same in global memory: each block has 32 numbers.
__global__ void pick_global(int *value, int *out) {
    int *mine = value + blockIdx.x * 32;
    const int lane = threadIdx.x, from = blockIdx.x < 3 ? lane : lane ^ 1;
    mine[lane] = lane + 1;
    out[blockIdx.x * 32 + lane] = mine[from];
}

int main() {
    int *out;
    cudaMallocManaged(&out, 20 * 32 * sizeof *out);
    for (int i = 0; i < 2; i++) {
        pick<<<20, 32>>>(out);
        cudaDeviceSynchronize();
        printf("%d %d\n", out[4 * 32], out[19 * 32]);
    }
    printf("%d\n", out[5 * 32]);
    int *value;
    cudaMallocManaged(&value, 20 * 32 * sizeof *value);
    pick_global<<<20, 32>>>(value, out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[2 * 32], out[19 * 32]);
    return 0;
}
