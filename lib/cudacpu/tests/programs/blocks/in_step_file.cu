// A function without parameters sums in the file's shared memory without a barrier, as on a GPU
// whose lanes run in step.
#include <cstdio>

__shared__ int sum[64];

__device__ void last_rounds() {
    const int lane = threadIdx.x;
    for (int distance = 16; distance; distance /= 2)
        sum[lane] += sum[lane + distance];
}

__global__ void total(int *out) {
    sum[threadIdx.x] = threadIdx.x;
    sum[threadIdx.x + 32] = 0;
    __syncthreads();
    last_rounds();
    __syncthreads();
    out[threadIdx.x] = sum[threadIdx.x];
}

int main() {
    int *out;
    cudaMallocManaged(&out, 32 * sizeof *out);
    total<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[1], out[31]);
}
