// The device's description of itself: properties compared with attributes, limits, occupancy.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void kernel(float *) {}
__global__ void hungry() {
    extern __shared__ char memory[];
    memory[threadIdx.x] = 0;
}

static int attribute(cudaDeviceAttr which) {
    int value = -1;
    cudaDeviceGetAttribute(&value, which, 0);
    return value;
}

int main() {
    cudaDeviceProp p;
    int count, device;
    cudaGetDeviceCount(&count);
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&p, 0);
    printf("%d %d %d %d\n", count, device, strlen(p.name) > 0,
           (int)cudaGetDeviceProperties(&p, count));
    cudaGetLastError();
    printf("%d.%d %d %d %zu %d\n", p.major, p.minor, p.warpSize, p.maxThreadsPerBlock,
           p.sharedMemPerBlock, p.regsPerBlock);
    for (int i = 0; i < 3; i++) {
        const cudaDeviceAttr alternate[] = {cudaDevAttrMaxTexture3DWidthAlt,
                                            cudaDevAttrMaxTexture3DHeightAlt,
                                            cudaDevAttrMaxTexture3DDepthAlt};
        if (p.maxTexture3DAlt[i] != attribute(alternate[i]))
            printf("maxTexture3DAlt[%d]\n", i);
    }
    printf("%d %d %d\n", p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount),
           p.maxThreadsPerMultiProcessor == attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
           (int)p.sharedMemPerBlockOptin == attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    int runtime, driver;
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    printf("%d %d\n", runtime == CUDART_VERSION, driver >= runtime);

    int blocks, size, grid;
    for (int threads : {1, 32, 64, 96, 256, 768, 1024, 1025}) {
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0);
        printf("%d ", blocks); /* 64 warps, 32 blocks */
    }
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 40000);
    cudaOccupancyMaxPotentialBlockSize(&grid, &size, kernel, 0, 0);
    printf("| %d | %d %d\n", blocks, size, grid == 2 * p.multiProcessorCount);

    cudaFuncAttributes attributes;
    hungry<<<1, 32, 100000>>>();
    printf("%d ", (int)cudaGetLastError());
    printf("%d ",
           (int)cudaFuncSetAttribute(hungry, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    hungry<<<1, 32, 100000>>>();
    printf("%d ", (int)cudaGetLastError());
    cudaFuncGetAttributes(&attributes, hungry);
    printf("%d %d\n", attributes.maxDynamicSharedSizeBytes, attributes.maxThreadsPerBlock);

    size_t limit;
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26);
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    int can = 1, same = -1;
    char bus[32];
    cudaDeviceCanAccessPeer(&can, 0, 0);
    cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
    cudaDeviceGetByPCIBusId(&same, bus);
    printf("%zu %d %d\n", limit, can, same);

    // Banks of 4 or 8 bytes may be requested, but are 4 bytes wide.
    const cudaSharedMemConfig widths[] = {cudaSharedMemBankSizeDefault,
                                          cudaSharedMemBankSizeFourByte,
                                          cudaSharedMemBankSizeEightByte, (cudaSharedMemConfig)3};
    cudaSharedMemConfig width;
    for (cudaSharedMemConfig asked : widths) {
        const int error = (int)cudaDeviceSetSharedMemConfig(asked);
        cudaGetLastError();
        printf("%d %d ", error, (int)cudaDeviceGetSharedMemConfig(&width));
        printf("%d; ", width == cudaSharedMemBankSizeFourByte);
    }
    printf("\n");
}
