// A function with its own shared memory is called twice, with no barrier between the reads at its
// end and the first writes of the second call, which a GPU's warps reach at about the same time.
#include <cstdio>

__device__ int block_sum(int value) {
    __shared__ int part[32];
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int warp = 0; warp < blockDim.x / 32; warp++)
            sum += part[warp];
        part[0] = sum;
    }
    __syncthreads();
    return part[0];
}

__global__ void sums(int *out) {
    const int numbers = block_sum(threadIdx.x), threads = block_sum(1);
    out[blockIdx.x * blockDim.x + threadIdx.x] = numbers * 1000 + threads;
}

int main() {
    int *out;
    cudaMallocManaged(&out, 2 * 128 * sizeof *out);
    sums<<<2, 128>>>(out);
    cudaDeviceSynchronize();
    for (int thread = 0; thread < 256; thread += 85)
        printf("%d\n", out[thread]); // 127 * 64 * 1000 + 128
}
