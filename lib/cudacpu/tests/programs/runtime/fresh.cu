// run: --poison 7
// With --poison, fresh device memory is not zero, which exposes programs that rely on zeros: memory
// of the runtime and of the driver.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

// Returns how many of the 64 bytes are not 0.
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
