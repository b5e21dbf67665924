// The queries and settings that a program may make of the only device.
#include <cstdio>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    if (cudaError_t error = (call))                                                                \
    printf("line %d: %s\n", __LINE__, cudaGetErrorName(error))

static void tell(cudaError_t error) {
    printf("%s\n", cudaGetErrorName(error));
    cudaGetLastError();
}

int main() {
    int device = 5, only = 0, missing = 1, can = 7;
    unsigned flags;
    CHECK(cudaInitDevice(0, 0, 0));
    tell(cudaInitDevice(1, 0, 0));
    CHECK(cudaSetValidDevices(&only, 1));
    tell(cudaSetValidDevices(&missing, 1));
    CHECK(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    CHECK(cudaGetDeviceFlags(&flags));
    printf("yields %d\n", (flags & cudaDeviceScheduleMask) == cudaDeviceScheduleYield);
    tell(cudaSetDeviceFlags(0x10000));
    cudaDeviceProp wanted = {};
    CHECK(cudaChooseDevice(&device, &wanted));
    printf("device %d\n", device);

    char id[32];
    CHECK(cudaDeviceGetPCIBusId(id, sizeof id, 0));
    device = 5;
    CHECK(cudaDeviceGetByPCIBusId(&device, id));
    printf("device %d\n", device);
    tell(cudaDeviceGetPCIBusId(id, 3, 0)); // no room
    tell(cudaDeviceGetByPCIBusId(&device, "nothing"));
    tell(cudaDeviceGetByPCIBusId(&device, "0000:ff:1f.0"));

    size_t bytes;
    cudaFuncCache cache;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
    printf("heap %d\n", (int)(bytes >> 20));
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    printf("stack %d\n", (int)bytes); // what it is before a program sets it
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitDevRuntimePendingLaunchCount));
    printf("pending %d\n", (int)bytes);
    tell(cudaDeviceSetLimit((cudaLimit)99, 1));
    tell(cudaDeviceGetLimit(&bytes, (cudaLimit)99));
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    CHECK(cudaDeviceGetCacheConfig(&cache));
    printf("a hint %d\n", cache == cudaFuncCachePreferShared || cache == cudaFuncCachePreferNone);
    CHECK(cudaCtxResetPersistingL2Cache());
    CHECK(cudaProfilerStart());
    CHECK(cudaProfilerStop());

    CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
    printf("its own peer %d\n", can);
    tell(cudaDeviceCanAccessPeer(&can, 0, 1));
    tell(cudaDeviceEnablePeerAccess(1, 0));
    tell(cudaDeviceDisablePeerAccess(1));
    tell(cudaSetDevice(1));
    return 0;
}
