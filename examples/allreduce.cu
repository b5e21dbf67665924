// allreduce - the sum of 2^20 numbers: a butterfly in each warp, then one atomic addition a warp.
#include <iostream>
#include <vector>

template <typename T> __device__ T warp_sum(T value) {
    for (int laneMask = warpSize / 2; laneMask > 0; laneMask /= 2)
        value += __shfl_xor_sync(0xffffffff, value, laneMask);
    return value;
}

template <typename T> __global__ void sum(T *total, const T *values, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T value = warp_sum(i < count ? values[i] : T(0)); // no lane may stay behind
    if (threadIdx.x % warpSize == 0)
        atomicAdd(total, value);
}

int main() {
    const int count = 1 << 20, threads = 1024;
    std::vector<int> values(count);
    int expected = 0, got = 0, *device, *total;
    for (int i = 0; i < count; i++)
        expected += values[i] = i % 100;
    cudaMalloc(&device, count * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMemcpy(device, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof(int));
    sum<int><<<(count + threads - 1) / threads, threads>>>(total, device, count);
    cudaMemcpy(&got, total, sizeof(int), cudaMemcpyDeviceToHost);
    std::cout << "sum " << got << ", expected " << expected << "\n";
    cudaFree(device);
    cudaFree(total);
    return got == expected ? 0 : 1;
}
