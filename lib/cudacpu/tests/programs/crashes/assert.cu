// A failed assert and a trap: the kernel ends, and the program continues with a sticky error.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__device__ int values[4];
__global__ void check(int most) {
    assert((int)threadIdx.x < most);
    values[threadIdx.x] = 2;
}
__global__ void stop() {
    __trap();
}

int main() {
    int host[4];
    check<<<1, 4>>>(2);
    printf("%d\n", (int)cudaDeviceSynchronize());
    printf("%s\n", cudaGetErrorString(cudaMemcpyFromSymbol(host, values, 4)));
    int last = (int)cudaGetLastError(), cleared = (int)cudaGetLastError();
    printf("%d %d\n", cleared, last);
    cudaDeviceReset();
    printf("%d\n", (int)cudaGetLastError());
    stop<<<2, 32>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 3;
}
// status 3
