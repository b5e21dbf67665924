/* device.c - the device's properties, and its settings. */
#include "cudacpu/runtime/api.h"

#include <stdio.h>
#include <string.h>

#define PCI_BUS_ID "0000:01:00.0" /* cudaDevAttrPciBusId and the like */

/* ---- choosing a device ---- */

static cudaError_t check_device(int number) {
    return number == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceCount(int *count) {
    API_BEGIN;
    if (!count)
        return api_end(cudaErrorInvalidValue);
    *count = 1;
    return api_end(cudaSuccess);
}

cudaError_t cudaGetDevice(int *number) {
    API_BEGIN;
    if (!number)
        return api_end(cudaErrorInvalidValue);
    *number = 0;
    return api_end(cudaSuccess);
}

cudaError_t cudaSetDevice(int number) {
    API_BEGIN;
    return api_end(check_device(number));
}

cudaError_t cudaInitDevice(int number, unsigned int deviceFlags, unsigned int flags) {
    API_BEGIN;
    if (flags & cudaInitDeviceFlagsAreValid)
        device->api->device_flags = deviceFlags;
    return api_end(check_device(number));
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
    API_BEGIN;
    for (int i = 0; devices && i < count; i++)
        if (devices[i] != 0)
            return api_end(cudaErrorInvalidDevice);
    return api_end(cudaSuccess);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    API_BEGIN;
    if (flags & ~(unsigned)cudaDeviceMask)
        return api_end(cudaErrorInvalidValue);
    device->api->device_flags = flags;
    return api_end(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
    API_BEGIN;
    if (!flags)
        return api_end(cudaErrorInvalidValue);
    *flags = device->api->device_flags | cudaDeviceMapHost;
    return api_end(cudaSuccess);
}

/* There is only one to choose, whatever is requested. */
cudaError_t cudaChooseDevice(int *number, const struct cudaDeviceProp *wanted) {
    API_BEGIN;
    if (!number || !wanted)
        return api_end(cudaErrorInvalidValue);
    *number = 0;
    return api_end(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int number) {
    API_BEGIN;
    if (number != 0)
        return api_end(cudaErrorInvalidDevice);
    if (!id || length < (int)sizeof PCI_BUS_ID)
        return api_end(cudaErrorInvalidValue);
    memcpy(id, PCI_BUS_ID, sizeof PCI_BUS_ID);
    return api_end(cudaSuccess);
}

cudaError_t cudaDeviceGetByPCIBusId(int *number, const char *id) {
    API_BEGIN;
    unsigned domain = 0, bus, slot, function = 0;
    if (!number || !id ||
        (sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3 &&
         (domain = 0, sscanf(id, "%x:%x.%x", &bus, &slot, &function) < 2)))
        return api_end(cudaErrorInvalidValue);
    if (domain != 0 || bus != 1 || slot != 0 || function != 0)
        return api_end(cudaErrorInvalidDevice);
    *number = 0;
    return api_end(cudaSuccess);
}

/* ---- properties ---- */

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int number) {
    API_BEGIN;
    if (number != 0)
        return api_end(cudaErrorInvalidDevice);
    if (!value)
        return api_end(cudaErrorInvalidValue);
    switch (attribute) {
#define ATTRIBUTE_CASE(name, number_, what)                                                        \
    case name:                                                                                     \
        *value = what;                                                                             \
        return api_end(cudaSuccess);
        SHFLVIZ_ATTRIBUTES(ATTRIBUTE_CASE)
#undef ATTRIBUTE_CASE
    }
    return api_end(cudaErrorInvalidValue);
}

/* The attributes as constants. */
#define ATTRIBUTE_VALUE(name, number, what) name##_value = what,
enum { SHFLVIZ_ATTRIBUTES(ATTRIBUTE_VALUE) };
#undef ATTRIBUTE_VALUE
#define VALUE(name) cudaDevAttr##name##_value

static void fill_textures(struct cudaDeviceProp *p) {
    p->maxTexture1D = VALUE(MaxTexture1DWidth);
    p->maxTexture1DMipmap = VALUE(MaxTexture1DMipmappedWidth);
    p->maxTexture1DLinear = VALUE(MaxTexture1DLinearWidth);
    p->maxTexture2D[0] = VALUE(MaxTexture2DWidth);
    p->maxTexture2D[1] = VALUE(MaxTexture2DHeight);
    p->maxTexture2DMipmap[0] = VALUE(MaxTexture2DMipmappedWidth);
    p->maxTexture2DMipmap[1] = VALUE(MaxTexture2DMipmappedHeight);
    p->maxTexture2DLinear[0] = VALUE(MaxTexture2DLinearWidth);
    p->maxTexture2DLinear[1] = VALUE(MaxTexture2DLinearHeight);
    p->maxTexture2DLinear[2] = VALUE(MaxTexture2DLinearPitch);
    p->maxTexture2DGather[0] = VALUE(MaxTexture2DGatherWidth);
    p->maxTexture2DGather[1] = VALUE(MaxTexture2DGatherHeight);
    p->maxTexture3D[0] = VALUE(MaxTexture3DWidth);
    p->maxTexture3D[1] = VALUE(MaxTexture3DHeight);
    p->maxTexture3D[2] = VALUE(MaxTexture3DDepth);
    p->maxTexture3DAlt[0] = VALUE(MaxTexture3DWidthAlt);
    p->maxTexture3DAlt[1] = VALUE(MaxTexture3DHeightAlt);
    p->maxTexture3DAlt[2] = VALUE(MaxTexture3DDepthAlt);
    p->maxTextureCubemap = VALUE(MaxTextureCubemapWidth);
    p->maxTexture1DLayered[0] = VALUE(MaxTexture1DLayeredWidth);
    p->maxTexture1DLayered[1] = VALUE(MaxTexture1DLayeredLayers);
    p->maxTexture2DLayered[0] = VALUE(MaxTexture2DLayeredWidth);
    p->maxTexture2DLayered[1] = VALUE(MaxTexture2DLayeredHeight);
    p->maxTexture2DLayered[2] = VALUE(MaxTexture2DLayeredLayers);
    p->maxTextureCubemapLayered[0] = VALUE(MaxTextureCubemapLayeredWidth);
    p->maxTextureCubemapLayered[1] = VALUE(MaxTextureCubemapLayeredLayers);
    p->maxSurface1D = VALUE(MaxSurface1DWidth);
    p->maxSurface2D[0] = VALUE(MaxSurface2DWidth);
    p->maxSurface2D[1] = VALUE(MaxSurface2DHeight);
    p->maxSurface3D[0] = VALUE(MaxSurface3DWidth);
    p->maxSurface3D[1] = VALUE(MaxSurface3DHeight);
    p->maxSurface3D[2] = VALUE(MaxSurface3DDepth);
    p->maxSurface1DLayered[0] = VALUE(MaxSurface1DLayeredWidth);
    p->maxSurface1DLayered[1] = VALUE(MaxSurface1DLayeredLayers);
    p->maxSurface2DLayered[0] = VALUE(MaxSurface2DLayeredWidth);
    p->maxSurface2DLayered[1] = VALUE(MaxSurface2DLayeredHeight);
    p->maxSurface2DLayered[2] = VALUE(MaxSurface2DLayeredLayers);
    p->maxSurfaceCubemap = VALUE(MaxSurfaceCubemapWidth);
    p->maxSurfaceCubemapLayered[0] = VALUE(MaxSurfaceCubemapLayeredWidth);
    p->maxSurfaceCubemapLayered[1] = VALUE(MaxSurfaceCubemapLayeredLayers);
    p->surfaceAlignment = VALUE(SurfaceAlignment);
    p->textureAlignment = VALUE(TextureAlignment);
    p->texturePitchAlignment = VALUE(TexturePitchAlignment);
}

static void fill_limits(struct cudaDeviceProp *p) {
    p->sharedMemPerBlock = VALUE(MaxSharedMemoryPerBlock);
    p->regsPerBlock = VALUE(MaxRegistersPerBlock);
    p->warpSize = VALUE(WarpSize);
    p->memPitch = VALUE(MaxPitch);
    p->maxThreadsPerBlock = VALUE(MaxThreadsPerBlock);
    p->maxThreadsDim[0] = VALUE(MaxBlockDimX);
    p->maxThreadsDim[1] = VALUE(MaxBlockDimY);
    p->maxThreadsDim[2] = VALUE(MaxBlockDimZ);
    p->maxGridSize[0] = VALUE(MaxGridDimX);
    p->maxGridSize[1] = VALUE(MaxGridDimY);
    p->maxGridSize[2] = VALUE(MaxGridDimZ);
    p->totalConstMem = VALUE(TotalConstantMemory);
    p->multiProcessorCount = VALUE(MultiProcessorCount);
    p->maxThreadsPerMultiProcessor = VALUE(MaxThreadsPerMultiProcessor);
    p->sharedMemPerMultiprocessor = VALUE(MaxSharedMemoryPerMultiprocessor);
    p->regsPerMultiprocessor = VALUE(MaxRegistersPerMultiprocessor);
    p->sharedMemPerBlockOptin = VALUE(MaxSharedMemoryPerBlockOptin);
    p->maxBlocksPerMultiProcessor = VALUE(MaxBlocksPerMultiprocessor);
    p->reservedSharedMemPerBlock = VALUE(ReservedSharedMemoryPerBlock);
}

static void fill_capabilities(struct cudaDeviceProp *p) {
    p->canMapHostMemory = VALUE(CanMapHostMemory);
    p->concurrentKernels = VALUE(ConcurrentKernels);
    p->asyncEngineCount = VALUE(AsyncEngineCount);
    p->unifiedAddressing = VALUE(UnifiedAddressing);
    p->streamPrioritiesSupported = VALUE(StreamPrioritiesSupported);
    p->globalL1CacheSupported = VALUE(GlobalL1CacheSupported);
    p->localL1CacheSupported = VALUE(LocalL1CacheSupported);
    p->managedMemory = VALUE(ManagedMemory);
    p->concurrentManagedAccess = VALUE(ConcurrentManagedAccess);
    p->computePreemptionSupported = VALUE(ComputePreemptionSupported);
    p->canUseHostPointerForRegisteredMem = VALUE(CanUseHostPointerForRegisteredMem);
    p->cooperativeLaunch = VALUE(CooperativeLaunch);
    p->hostRegisterSupported = VALUE(HostRegisterSupported);
    p->memoryPoolsSupported = VALUE(MemoryPoolsSupported);
    p->singleToDoublePrecisionPerfRatio = VALUE(SingleToDoublePrecisionPerfRatio);
    p->deviceOverlap = VALUE(GpuOverlap);
    p->hostNumaId = VALUE(HostNumaId);
    p->deviceNumaId = VALUE(NumaId);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int number) {
    API_BEGIN;
    if (!properties)
        return api_end(cudaErrorInvalidValue);
    if (number != 0)
        return api_end(cudaErrorInvalidDevice);
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "CPU warp of shflviz");
    memcpy(properties->uuid.bytes, "shflviz-cpu-warp", sizeof properties->uuid.bytes);
    properties->totalGlobalMem = API_MEMORY_BYTES;
    properties->major = VALUE(ComputeCapabilityMajor);
    properties->minor = VALUE(ComputeCapabilityMinor);
    properties->pciBusID = VALUE(PciBusId);
    properties->clockRate = VALUE(ClockRate);
    properties->memoryClockRate = VALUE(MemoryClockRate);
    properties->memoryBusWidth = VALUE(GlobalMemoryBusWidth);
    properties->l2CacheSize = VALUE(L2CacheSize);
    fill_limits(properties);
    fill_capabilities(properties);
    fill_textures(properties);
    return api_end(cudaSuccess);
}

static cudaError_t version(int *value) {
    if (!value)
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidValue);
    *value = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *value) {
    return version(value);
}

cudaError_t cudaRuntimeGetVersion(int *value) {
    return version(value);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned int number,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status) {
    (void)number;
    return cudaGetDriverEntryPoint(name, function, flags, status);
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status) {
    API_BEGIN;
    (void)flags;
    if (!name || !function)
        return api_end(cudaErrorInvalidValue);
    *function = NULL;
    if (status)
        *status = cudaDriverEntryPointSymbolNotFound;
    return api_end(status ? cudaSuccess : cudaErrorSymbolNotFound);
}

/* ---- limits and hints ---- */

#define LIMITS      7
#define STACK_LIMIT ((size_t)512 * 1024) /* an H100 refuses more */

/* The initial limits, as on an A100 with CUDA 13. */
static size_t default_limit(enum cudaLimit limit) {
    switch (limit) {
    case cudaLimitStackSize:
        return 1024;
    case cudaLimitPrintfFifoSize:
        return 6905856;
    case cudaLimitMallocHeapSize:
        return 8388608;
    case cudaLimitDevRuntimeSyncDepth:
        return 2;
    case cudaLimitDevRuntimePendingLaunchCount:
        return 2048;
    case cudaLimitMaxL2FetchGranularity:
        return 64;
    case cudaLimitPersistingL2CacheSize:
        break;
    }
    return 0;
}

/* No limit is ever reached here: stacks, heap and the buffer for printed text grow. */
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    API_BEGIN_UNSAFE;
    if ((unsigned)limit >= LIMITS)
        return api_end(cudaErrorUnsupportedLimit);
    if (limit == cudaLimitStackSize && value >= STACK_LIMIT)
        return api_end(cudaErrorInvalidValue);
    device->api->limits[limit] = value + 1; /* 0 if not set */
    return api_end(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    API_BEGIN;
    if (!value)
        return api_end(cudaErrorInvalidValue);
    if ((unsigned)limit >= LIMITS)
        return api_end(cudaErrorUnsupportedLimit);
    *value = device->api->limits[limit] ? device->api->limits[limit] - 1 : default_limit(limit);
    return api_end(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    API_BEGIN;
    if ((unsigned)config > cudaFuncCachePreferEqual)
        return api_end(cudaErrorInvalidValue);
    device->api->cache_config = config;
    return api_end(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
    API_BEGIN;
    if (!config)
        return api_end(cudaErrorInvalidValue);
    *config = device->api->cache_config;
    return api_end(cudaSuccess);
}

/* Banks are 4 bytes wide whatever is requested, as on every GPU since Maxwell. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
    API_BEGIN;
    return api_end((unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                     : cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
    API_BEGIN;
    if (!config)
        return api_end(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return api_end(cudaSuccess);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
    API_BEGIN;
    return api_end(cudaSuccess);
}

cudaError_t cudaProfilerStart(void) {
    API_BEGIN;
    return api_end(cudaSuccess);
}

cudaError_t cudaProfilerStop(void) {
    return cudaProfilerStart();
}

/* ---- other devices: there are none ---- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int number, int peer) {
    API_BEGIN;
    if (!can)
        return api_end(cudaErrorInvalidValue);
    *can = 0;
    return api_end(number != 0 || peer != 0 ? cudaErrorInvalidDevice : cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
    API_BEGIN;
    return api_end(flags       ? cudaErrorInvalidValue
                   : peer == 0 ? cudaErrorPeerAccessUnsupported /* the device itself */
                               : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    API_BEGIN;
    return api_end(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to) {
    API_BEGIN;
    (void)attribute, (void)from, (void)to;
    return api_end(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

/* ---- waiting and reset ---- */

cudaError_t cudaDeviceSynchronize(void) {
    API_BEGIN;
    const cudaError_t error = api_capture_device_wait(device);
    return api_end(error != cudaSuccess ? error : (cudaError_t)cpu_runtime_synchronize());
}

cudaError_t cudaDeviceReset(void) {
    if (!cpu_device_in_use())
        return cudaErrorNoDevice;
    cpu_runtime_reset();
    return cudaSuccess;
}

cudaError_t cudaThreadSynchronize(void) {
    return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void) {
    return cudaDeviceReset();
}
