// A failed assert and a trap: the kernel ends, the program goes on with an error that stays.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void check(int *values) {
    values[threadIdx.x] = 1;
    assert(threadIdx.x < 2);
    values[threadIdx.x] = 2;
}
__global__ void stop() {
    __trap();
}

int main() {
    int *values, host[4];
    cudaMalloc(&values, sizeof host);
    check<<<1, 4>>>(values);
    printf("%d\n", (int)cudaDeviceSynchronize());
    printf("%s\n", cudaGetErrorString(cudaMemcpy(host, values, 4, cudaMemcpyDeviceToHost)));
    int last = (int)cudaGetLastError(), cleared = (int)cudaGetLastError();
    printf("%d %d\n", cleared, last);
    cudaDeviceReset();
    printf("%d\n", (int)cudaGetLastError());
    stop<<<2, 32>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 3;
}
// status 3
