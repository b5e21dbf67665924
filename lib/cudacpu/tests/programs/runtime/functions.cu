// The attributes of functions that can be queried and set, launches by configuration, occupancy,
// pools of memory, and the device's own settings: values worked out by hand, errors as in the
// CUDA Runtime API.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static int calls;
static void expect(int line, cudaError_t error, cudaError_t wanted) {
    calls++;
    if (error != wanted)
        printf("line %d: %d %s\n", line, error, cudaGetErrorName(error));
}
static void must(int line, bool is_so) {
    calls++;
    if (!is_so)
        printf("line %d is not so\n", line);
}
#define GIVES(wanted, call) expect(__LINE__, call, wanted)
#define OK(call)            GIVES(cudaSuccess, call)
#define INVALID(call)       GIVES(cudaErrorInvalidValue, call)
#define IS(what)            must(__LINE__, what)

__global__ void add(int *x, int n) {
    x[threadIdx.x] += n;
}

static void functions() {
    const void *kernel = (const void *)add;
    const char *name;
    cudaFuncAttributes told;
    size_t shared;
    int blocks;
    OK(cudaFuncGetName(&name, kernel));
    IS(strstr(name, "add") != nullptr);
    INVALID(cudaFuncGetName(nullptr, kernel));
    INVALID(cudaFuncGetAttributes(nullptr, kernel));
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&told, (const void *)nullptr));
    OK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 40));
    OK(cudaFuncGetAttributes(&told, kernel));
    IS(told.preferredShmemCarveout == 40);
    OK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
    INVALID(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    INVALID(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    INVALID(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    INVALID(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    INVALID(cudaFuncSetAttribute(kernel, (cudaFuncAttribute)99, 0));
    OK(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferShared));
    INVALID(cudaFuncSetCacheConfig(kernel, (cudaFuncCache)4));
    INVALID(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0));
    INVALID(cudaOccupancyMaxActiveBlocksPerMultiprocessor((int *)nullptr, kernel, 32, 0));
    INVALID(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 32, 0, 2));
    // A multiprocessor's 164 KiB, shared by this many blocks; each has 1 KiB reserved.
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, kernel, 2, 128));
    IS(shared == 82 * 1024 - 1024);
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, kernel, 1, 128));
    IS(shared == 163 * 1024);
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, kernel, 1000, 128));
    IS(shared == 0);
    INVALID(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, kernel, 0, 128));
    INVALID(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, kernel, 1, 0));
}

static void launches() {
    int *x, n = 5;
    OK(cudaMallocManaged(&x, 32 * sizeof *x));
    cudaLaunchAttribute attributes[2] = {};
    cudaLaunchConfig_t how = {};
    void *arguments[] = {&x, &n};
    how.gridDim = dim3(1);
    how.blockDim = dim3(32);
    how.attrs = attributes;
    OK(cudaLaunchKernelExC(&how, (const void *)add, arguments));
    attributes[0].id = cudaLaunchAttributeCooperative;
    attributes[0].val.cooperative = 1;
    attributes[1].id = cudaLaunchAttributeClusterDimension;
    attributes[1].val.clusterDim.x = attributes[1].val.clusterDim.y = 1;
    attributes[1].val.clusterDim.z = 1;
    how.numAttrs = 2;
    OK(cudaLaunchKernelExC(&how, (const void *)add, arguments));
    OK(cudaLaunchKernelEx(&how, add, x, 100));
    OK(cudaDeviceSynchronize());
    IS(x[0] == 110 && x[31] == 110);
    for (int d = 0; d < 3; d++) { // clusters need compute capability 9.0
        unsigned *const of[] = {&attributes[1].val.clusterDim.x, &attributes[1].val.clusterDim.y,
                                &attributes[1].val.clusterDim.z};
        *of[d] = 2;
        GIVES(cudaErrorNotSupported, cudaLaunchKernelExC(&how, (const void *)add, arguments));
        *of[d] = 1;
    }
    how.gridDim = dim3(100000);
    GIVES(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchKernelExC(&how, (const void *)add, arguments));
}

static void pools() {
    cudaMemPool_t first, second, now;
    cudaMemPoolProps wanted = {};
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, there = {cudaMemLocationTypeDevice, 1};
    cudaMemAccessDesc access = {here, cudaMemAccessFlagsProtReadWrite};
    cudaMemAccessFlags flags;
    unsigned long long value = 0;
    char *memory;
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.location = here;
    OK(cudaMemPoolCreate(&first, &wanted));
    OK(cudaMemPoolCreate(&second, &wanted));
    wanted.location = there;
    INVALID(cudaMemPoolCreate(&now, &wanted));
    wanted.location = here;
    wanted.allocType = cudaMemAllocationTypeInvalid;
    INVALID(cudaMemPoolCreate(&now, &wanted));
    OK(cudaDeviceSetMemPool(0, first));
    OK(cudaDeviceGetMemPool(&now, 0));
    IS(now == first);
    INVALID(cudaDeviceGetMemPool(&now, 1));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&now, 1));
    INVALID(cudaDeviceSetMemPool(1, first));
    OK(cudaMallocFromPoolAsync((void **)&memory, 1 << 20, second, 0));
    OK(cudaMemPoolGetAttribute(second, cudaMemPoolAttrUsedMemCurrent, &value));
    IS(value >= 1 << 20);
    OK(cudaFreeAsync(memory, 0));
    OK(cudaMemPoolTrimTo(second, 0));
    value = 4096;
    OK(cudaMemPoolSetAttribute(second, cudaMemPoolAttrReleaseThreshold, &value));
    value = 0;
    OK(cudaMemPoolGetAttribute(second, cudaMemPoolAttrReleaseThreshold, &value));
    IS(value == 4096);
    INVALID(cudaMemPoolSetAttribute(second, cudaMemPoolAttrUsedMemCurrent, &value));
    INVALID(cudaMemPoolSetAttribute(second, cudaMemPoolAttrUsedMemHigh, &value)); // only to 0
    INVALID(cudaMemPoolGetAttribute(second, cudaMemPoolAttrUsedMemHigh, nullptr));
    OK(cudaMemPoolSetAccess(second, &access, 1));
    INVALID(cudaMemPoolSetAccess(second, nullptr, 1));
    access.location = there;
    GIVES(cudaErrorInvalidDevice, cudaMemPoolSetAccess(second, &access, 1));
    OK(cudaMemPoolGetAccess(&flags, second, &here));
    IS(flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaMemPoolGetAccess(&flags, second, &there));
    IS(flags == cudaMemAccessFlagsProtNone);
    INVALID(cudaMemPoolGetAccess(nullptr, second, &here));
    OK(cudaMemPoolDestroy(first)); // the device's pool is the default again
    OK(cudaDeviceGetMemPool(&now, 0));
    cudaMemPool_t own;
    OK(cudaDeviceGetDefaultMemPool(&own, 0));
    IS(now == own);
    INVALID(cudaMemPoolDestroy(first));
    INVALID(cudaMemPoolDestroy(own));
    INVALID(cudaMemPoolTrimTo(first, 0));
    INVALID(cudaMemPoolGetAttribute(first, cudaMemPoolAttrReleaseThreshold, &value));
    INVALID(cudaMemPoolSetAttribute(first, cudaMemPoolAttrReleaseThreshold, &value));
    INVALID(cudaMallocFromPoolAsync((void **)&memory, 16, first, 0));
    GIVES(cudaErrorMemoryAllocation,
          cudaMallocFromPoolAsync((void **)&memory, (size_t)1 << 50, second, 0));
}

static void device() {
    unsigned flags;
    int number = 9;
    size_t value;
    cudaFuncCache cache;
    char id[16];
    OK(cudaInitDevice(0, cudaDeviceScheduleYield, cudaInitDeviceFlagsAreValid));
    OK(cudaGetDeviceFlags(&flags));
    IS(flags & cudaDeviceScheduleYield);
    GIVES(cudaErrorInvalidDevice, cudaInitDevice(1, 0, 0));
    INVALID(cudaSetDeviceFlags(0x1000));
    INVALID(cudaDeviceGetPCIBusId(id, 4, 0));
    INVALID(cudaDeviceGetPCIBusId(nullptr, 16, 0));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(id, 16, 1));
    OK(cudaDeviceGetPCIBusId(id, 16, 0));
    OK(cudaDeviceGetByPCIBusId(&number, id));
    IS(number == 0);
    OK(cudaDeviceGetByPCIBusId(&number, "01:00"));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&number, "02:00.0"));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&number, "0001:01:00.0"));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&number, "0000:01:01.0"));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetByPCIBusId(&number, "0000:01:00.1"));
    INVALID(cudaDeviceGetByPCIBusId(&number, "nowhere"));
    int devices[] = {0, 1};
    OK(cudaSetValidDevices(devices, 1));
    GIVES(cudaErrorInvalidDevice, cudaSetValidDevices(devices, 2));
    // The default limits of a device, as with CUDA 13 on an A100.
    const size_t wanted[] = {1024, 6905856, 8388608, 2, 2048, 64, 0};
    for (int limit = 0; limit < 7; limit++) {
        OK(cudaDeviceGetLimit(&value, (cudaLimit)limit));
        IS(value == wanted[limit]);
    }
    GIVES(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&value, (cudaLimit)7));
    GIVES(cudaErrorUnsupportedLimit, cudaDeviceSetLimit((cudaLimit)7, 1));
    OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 0));
    OK(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
    IS(value == 0);
    OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferEqual));
    OK(cudaDeviceGetCacheConfig(&cache));
    IS(cache == cudaFuncCachePreferEqual);
    INVALID(cudaDeviceSetCacheConfig((cudaFuncCache)4));
    GIVES(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&number, 0, 1));
    GIVES(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
    INVALID(cudaDeviceEnablePeerAccess(0, 1));
    GIVES(cudaErrorInvalidDevice, cudaDeviceDisablePeerAccess(1));
    GIVES(cudaErrorInvalidDevice,
          cudaDeviceGetP2PAttribute(&number, cudaDevP2PAttrPerformanceRank, 0, 1));
    GIVES(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 1));
    INVALID(cudaDeviceGetAttribute(&number, (cudaDeviceAttr)9999, 0));
    INVALID(cudaRuntimeGetVersion(nullptr));
    INVALID(cudaDriverGetVersion(nullptr));
    void *entry = &number;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
    OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault,
                                        &found));
    IS(entry == nullptr && found == cudaDriverEntryPointSymbolNotFound);
    GIVES(cudaErrorSymbolNotFound,
          cudaGetDriverEntryPoint("cuInit", &entry, cudaEnableDefault, nullptr));
    INVALID(cudaGetDriverEntryPoint("cuInit", nullptr, cudaEnableDefault, &found));
    void *pointer;
    INVALID(cudaMallocManaged(&pointer, 16, 7));
    INVALID(cudaMallocManaged(&pointer, 0));
    INVALID(cudaHostAlloc(&pointer, 16, 0x100));
    INVALID(cudaMalloc((void **)nullptr, 4));
    OK(cudaMalloc(&pointer, 0));
    IS(pointer == nullptr);
    INVALID(cudaChooseDevice(&number, nullptr));
    IS(strcmp(cudaGetErrorName((cudaError_t)54321), "unrecognized error code") == 0);
    IS(strcmp(cudaGetErrorString((cudaError_t)54321), "unrecognized error code") == 0);
}

int main() {
    functions();
    launches();
    pools();
    device();
    printf("%d calls\n", calls);
}
