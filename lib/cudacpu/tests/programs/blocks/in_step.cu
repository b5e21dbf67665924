// Lanes of a warp hand values to each other through plain shared memory without a barrier, as on a
// GPU whose lanes run in step. Kernels of the same file that do not rely on that are left
// unchanged.
#include <cstdio>

// An inclusive sum: each round reads what the previous round wrote.
__global__ void scan(int *out) {
    __shared__ int sum[32];
    const int lane = threadIdx.x;
    sum[lane] = lane + 1;
    for (int distance = 1; distance < 32; distance *= 2)
        if (lane >= distance)
            sum[lane] += sum[lane - distance];
    out[lane] = sum[lane];
}

// The last rounds of a sum, in a function, without volatile.
__device__ void last_rounds(int *sum, int lane) {
    sum[lane] += sum[lane + 32];
    sum[lane] += sum[lane + 16];
    sum[lane] += sum[lane + 8];
    sum[lane] += sum[lane + 4];
    sum[lane] += sum[lane + 2];
    sum[lane] += sum[lane + 1];
}

__global__ void reduce(int *out) {
    extern __shared__ int sum[];
    sum[threadIdx.x] = threadIdx.x * (blockIdx.x + 1);
    __syncthreads();
    if (threadIdx.x < 32)
        last_rounds(sum, threadIdx.x);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum[0];
}

// A tile is written column by column and read row by row, through pointers.
template <int N> __global__ void turn(int *out) {
    __shared__ int tile[N * (N + 1)];
    int *column = &tile[threadIdx.x], *row = &tile[threadIdx.x * (N + 1)];
    int sum = 0;
    for (int i = 0; i < N; i++)
        column[i * (N + 1)] = threadIdx.x;
    for (int i = 0; i < N; i++)
        sum += (i + 1) * row[i];
    out[threadIdx.x] = sum;
}

// Warps of a block that read before any of them writes: values move by one thread in each round.
__global__ void move_on(int *out) {
    __shared__ int value[64];
    value[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int round = 0; round < 3; round++) {
        const int before = value[(threadIdx.x + 63) % 64];
        value[threadIdx.x] = before;
        __syncthreads();
    }
    out[threadIdx.x] = value[threadIdx.x];
}

// Everything is synchronized here, so nothing may change.
__global__ void reverse(int *out) {
    __shared__ int value[64];
    value[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = value[63 - threadIdx.x];
}

int main() {
    int *out;
    cudaMallocManaged(&out, 1000 * sizeof *out);
    scan<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[1], out[15], out[31]);
    reduce<<<1000, 64, 64 * sizeof(int)>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[999]);
    turn<32><<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[31]);
    move_on<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[3], out[32]);
    reverse<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[31]);
    return 0;
}
