// run: --poison 7
// With it, fresh device memory is not zero, which exposes a program that relies on zeros: the
// runtime's and the driver's.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

// The number of its bytes that are not 0.
static int full(const void *from) {
    unsigned char bytes[64];
    int count = 0;
    cudaMemcpy(bytes, from, sizeof bytes, cudaMemcpyDeviceToHost);
    for (unsigned char byte : bytes)
        count += byte != 0;
    return count;
}

int main() {
    CUdeviceptr of_driver = 0;
    void *plain;
    cudaMalloc(&plain, 64);
    cuMemAlloc(&of_driver, 64);
    printf("%d %d\n", full(plain), full((void *)of_driver));
    cuMemsetD8(of_driver, 0, 64);
    printf("%d\n", full((void *)of_driver));
}
