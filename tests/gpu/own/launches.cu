/* Launches of every kind that a program makes, in two streams, with host and kernel output. */
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

namespace mine {
template <class T> __global__ void sum(T *values, T *out) {
    T value = values[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset; offset /= 2)
        value += __shfl_xor_sync(0xffffffff, value, offset);
    if (threadIdx.x % 32 == 0)
        out[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = value;
}
} // namespace mine

static __global__ void fill(float *values, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = factor * (float)i;
}

static __global__ void say(const float *out) {
    if (__all_sync(0xffffffff, out[0] > 0) && threadIdx.x == 0)
        printf("kernel: %.0f\n", (double)out[0]);
}

static __global__ void tiles(int *out) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    out[threadIdx.x] = tile.shfl_down((int)threadIdx.x, 1);
}

int main() {
    float *values, *out, host[8];
    int *numbers;
    cudaStream_t streams[2];
    if (cudaMalloc(&values, 256 * sizeof(float)) != cudaSuccess)
        return 1;
    cudaMalloc(&out, 8 * sizeof(float));
    cudaMalloc(&numbers, 64 * sizeof(int));
    for (int i = 0; i < 2; i++)
        cudaStreamCreate(&streams[i]);
    for (int i = 0; i < 3; i++) {
        fill<<<4, 64, 0, streams[i % 2]>>>(values, 1 + i);
        mine::sum<float><<<4, 64, 0, streams[i % 2]>>>(values, out);
        cudaMemcpyAsync(host, out, sizeof host, cudaMemcpyDeviceToHost, streams[i % 2]);
        cudaStreamSynchronize(streams[i % 2]);
        printf("host: %.0f %.0f\n", (double)host[0], (double)host[7]);
    }
    say<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    void *arguments[] = {&numbers};
    cudaLaunchKernel(tiles, dim3(1), dim3(64), arguments, 0, 0);
    return cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess ? 0 : 2;
}
