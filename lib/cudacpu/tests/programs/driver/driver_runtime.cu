// If the runtime is used first, its context is also the driver's.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void add(int *x, int n) {
    x[threadIdx.x] += n;
}

int main() {
    int *runtime, n = 5, out[4];
    cudaMalloc(&runtime, sizeof out);
    cudaMemset(runtime, 0, sizeof out);
    CUcontext now = nullptr, primary = nullptr;
    CUdeviceptr driver;
    CUmodule module;
    printf("%d", cuInit(0));
    printf(" %d", cuModuleLoadData(&module, "")); // 209
    printf(" %d", cuCtxGetCurrent(&now));
    printf(" %d", cuDevicePrimaryCtxRetain(&primary, 0));
    printf(" %d", now != nullptr && now == primary);
    printf(" %d", cuMemAlloc(&driver, sizeof out));
    printf(" %d\n", cuMemcpyDtoD(driver, (CUdeviceptr)runtime, sizeof out));
    add<<<1, 4>>>((int *)driver, n);
    cudaMemcpy(out, (void *)driver, sizeof out, cudaMemcpyDeviceToHost);
    printf("%d %d %s\n", out[0], out[3], cudaGetErrorName(cudaFree((void *)driver)));
}
