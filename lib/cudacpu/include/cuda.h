/*
 * cuda.h - the driver API, as far as it is declared here; what is not is not supported. A program
 * has no modules but itself: cuModuleLoad() and its like fail, and say so. The bodies are in
 * cudacpu/driver/driver.c,
 * cudacpu/driver/driver_array.c and cudacpu/driver/virtual.c.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include "cuda_runtime_api.h"
#include "cudacpu/driver_memory.h"
#include "cudacpu/driver_tables.h"

#define CUDA_VERSION 13000
#define CUDAAPI
#define CUDA_CB

typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;

typedef enum cudaError_enum {
#define SHFLVIZ_RESULT(name, number) name = number,
    SHFLVIZ_DRIVER_RESULTS(SHFLVIZ_RESULT)
#undef SHFLVIZ_RESULT
} CUresult;

typedef enum CUdevice_attribute_enum {
#define SHFLVIZ_ATTRIBUTE(name, number) CU_DEVICE_ATTRIBUTE_##name = number,
    SHFLVIZ_DRIVER_ATTRIBUTES(SHFLVIZ_ATTRIBUTE)
#undef SHFLVIZ_ATTRIBUTE
        CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    /* Of what is not here: 0. */
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
    CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 107,
    CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132
} CUdevice_attribute;

typedef enum CUcomputemode_enum {
    CU_COMPUTEMODE_DEFAULT = 0,
    CU_COMPUTEMODE_PROHIBITED = 2,
    CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;
typedef enum CUctx_flags_enum {
    CU_CTX_SCHED_AUTO = 0,
    CU_CTX_SCHED_SPIN = 1,
    CU_CTX_SCHED_YIELD = 2,
    CU_CTX_SCHED_BLOCKING_SYNC = 4,
    CU_CTX_BLOCKING_SYNC = 4,
    CU_CTX_SCHED_MASK = 7,
    CU_CTX_MAP_HOST = 8,
    CU_CTX_LMEM_RESIZE_TO_MAX = 16,
    CU_CTX_FLAGS_MASK = 255
} CUctx_flags;
typedef enum CUstream_flags_enum { CU_STREAM_DEFAULT, CU_STREAM_NON_BLOCKING } CUstream_flags;
typedef enum CUevent_flags_enum {
    CU_EVENT_DEFAULT = 0,
    CU_EVENT_BLOCKING_SYNC = 1,
    CU_EVENT_DISABLE_TIMING = 2
} CUevent_flags;
typedef enum CUmemAttach_flags_enum {
    CU_MEM_ATTACH_GLOBAL = 1,
    CU_MEM_ATTACH_HOST = 2,
    CU_MEM_ATTACH_SINGLE = 4
} CUmemAttach_flags;
typedef enum CUlimit_enum {
    CU_LIMIT_STACK_SIZE,
    CU_LIMIT_PRINTF_FIFO_SIZE,
    CU_LIMIT_MALLOC_HEAP_SIZE
} CUlimit;
typedef enum CUfunc_cache_enum {
    CU_FUNC_CACHE_PREFER_NONE,
    CU_FUNC_CACHE_PREFER_SHARED,
    CU_FUNC_CACHE_PREFER_L1,
    CU_FUNC_CACHE_PREFER_EQUAL
} CUfunc_cache;
typedef enum CUfunction_attribute_enum {
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_NUM_REGS,
    CU_FUNC_ATTRIBUTE_PTX_VERSION,
    CU_FUNC_ATTRIBUTE_BINARY_VERSION,
    CU_FUNC_ATTRIBUTE_CACHE_MODE_CA,
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
    CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
} CUfunction_attribute;
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS,
    CU_JIT_THREADS_PER_BLOCK,
    CU_JIT_WALL_TIME,
    CU_JIT_INFO_LOG_BUFFER,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_ERROR_LOG_BUFFER,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_OPTIMIZATION_LEVEL,
    CU_JIT_TARGET_FROM_CUCONTEXT,
    CU_JIT_TARGET,
    CU_JIT_FALLBACK_STRATEGY,
    CU_JIT_GENERATE_DEBUG_INFO,
    CU_JIT_LOG_VERBOSE,
    CU_JIT_GENERATE_LINE_INFO
} CUjit_option;
typedef enum CUjitInputType_enum {
    CU_JIT_INPUT_CUBIN,
    CU_JIT_INPUT_PTX,
    CU_JIT_INPUT_FATBINARY,
    CU_JIT_INPUT_OBJECT,
    CU_JIT_INPUT_LIBRARY
} CUjitInputType;
typedef enum CUmem_advise_enum {
    CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
    CU_MEM_ADVISE_UNSET_READ_MOSTLY,
    CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
    CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION,
    CU_MEM_ADVISE_SET_ACCESSED_BY,
    CU_MEM_ADVISE_UNSET_ACCESSED_BY
} CUmem_advise;
typedef size_t(CUDA_CB *CUoccupancyB2DSize)(int blockSize);
typedef void(CUDA_CB *CUhostFn)(void *data);
typedef struct CUctxCreateParams_st {
    void *execAffinityParams;
    int numExecAffinityParams;
    void *cigParams;
} CUctxCreateParams;

#define CU_DEVICE_CPU                  ((CUdevice)-1)
#define CU_DEVICE_INVALID              ((CUdevice)-2)
#define CU_LAUNCH_PARAM_END            ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE    ((void *)2)
#define CU_STREAM_LEGACY               ((CUstream)1)
#define CU_STREAM_PER_THREAD           ((CUstream)2)
#define CU_MEMHOSTALLOC_PORTABLE       1
#define CU_MEMHOSTALLOC_DEVICEMAP      2
#define CU_MEMHOSTALLOC_WRITECOMBINED  4

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cuda.h ---- */

CUresult cuGetErrorString(CUresult error, const char **string) SHFLVIZ_RUNTIME(cuGetErrorString);
CUresult cuGetErrorName(CUresult error, const char **name) SHFLVIZ_RUNTIME(cuGetErrorName);
CUresult cuInit(unsigned int flags) SHFLVIZ_RUNTIME(cuInit);
CUresult cuDriverGetVersion(int *version) SHFLVIZ_RUNTIME(cuDriverGetVersion);
CUresult cuDeviceGet(CUdevice *device, int ordinal) SHFLVIZ_RUNTIME(cuDeviceGet);
CUresult cuDeviceGetCount(int *count) SHFLVIZ_RUNTIME(cuDeviceGetCount);
CUresult cuDeviceGetName(char *name, int length, CUdevice device) SHFLVIZ_RUNTIME(cuDeviceGetName);
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) SHFLVIZ_RUNTIME(cuDeviceGetUuid);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) SHFLVIZ_RUNTIME(cuDeviceTotalMem);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
    SHFLVIZ_RUNTIME(cuDeviceGetAttribute);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
    SHFLVIZ_RUNTIME(cuDeviceComputeCapability);
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
    SHFLVIZ_RUNTIME(cuDeviceCanAccessPeer);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
    SHFLVIZ_RUNTIME(cuDevicePrimaryCtxRetain);
CUresult cuDevicePrimaryCtxRelease(CUdevice device) SHFLVIZ_RUNTIME(cuDevicePrimaryCtxRelease);
CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned int flags,
                     CUdevice device) SHFLVIZ_RUNTIME(cuCtxCreate);
CUresult cuCtxDestroy(CUcontext context) SHFLVIZ_RUNTIME(cuCtxDestroy);
CUresult cuCtxPushCurrent(CUcontext context) SHFLVIZ_RUNTIME(cuCtxPushCurrent);
CUresult cuCtxPopCurrent(CUcontext *context) SHFLVIZ_RUNTIME(cuCtxPopCurrent);
CUresult cuCtxSetCurrent(CUcontext context) SHFLVIZ_RUNTIME(cuCtxSetCurrent);
CUresult cuCtxGetCurrent(CUcontext *context) SHFLVIZ_RUNTIME(cuCtxGetCurrent);
CUresult cuCtxGetDevice(CUdevice *device) SHFLVIZ_RUNTIME(cuCtxGetDevice);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
    SHFLVIZ_RUNTIME(cuCtxGetApiVersion);
CUresult cuCtxGetFlags(unsigned int *flags) SHFLVIZ_RUNTIME(cuCtxGetFlags);
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
    SHFLVIZ_RUNTIME(cuCtxGetStreamPriorityRange);
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
    SHFLVIZ_RUNTIME(cuCtxEnablePeerAccess);
CUresult cuCtxDisablePeerAccess(CUcontext peer) SHFLVIZ_RUNTIME(cuCtxDisablePeerAccess);
CUresult cuCtxSynchronize(void) SHFLVIZ_RUNTIME(cuCtxSynchronize);
CUresult cuCtxSetLimit(CUlimit limit, size_t value) SHFLVIZ_RUNTIME(cuCtxSetLimit);
CUresult cuCtxGetLimit(size_t *value, CUlimit limit) SHFLVIZ_RUNTIME(cuCtxGetLimit);
CUresult cuCtxSetCacheConfig(CUfunc_cache config) SHFLVIZ_RUNTIME(cuCtxSetCacheConfig);

CUresult cuMemGetInfo(size_t *unused, size_t *total) SHFLVIZ_RUNTIME(cuMemGetInfo);
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t size) SHFLVIZ_RUNTIME(cuMemAlloc);
CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t size, unsigned int flags)
    SHFLVIZ_RUNTIME(cuMemAllocManaged);
CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                         unsigned int element) SHFLVIZ_RUNTIME(cuMemAllocPitch);
CUresult cuMemFree(CUdeviceptr pointer) SHFLVIZ_RUNTIME(cuMemFree);
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr pointer)
    SHFLVIZ_RUNTIME(cuMemGetAddressRange);
CUresult cuMemAllocHost(void **pointer, size_t size) SHFLVIZ_RUNTIME(cuMemAllocHost);
CUresult cuMemHostAlloc(void **pointer, size_t size, unsigned int flags)
    SHFLVIZ_RUNTIME(cuMemHostAlloc);
CUresult cuMemFreeHost(void *pointer) SHFLVIZ_RUNTIME(cuMemFreeHost);
CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags)
    SHFLVIZ_RUNTIME(cuMemHostGetDevicePointer);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) SHFLVIZ_RUNTIME(cuMemcpy);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size) SHFLVIZ_RUNTIME(cuMemcpyHtoD);
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size) SHFLVIZ_RUNTIME(cuMemcpyDtoH);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) SHFLVIZ_RUNTIME(cuMemcpyDtoD);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemcpyAsync);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemcpyHtoDAsync);
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemcpyDtoHAsync);
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemcpyDtoDAsync);
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) SHFLVIZ_RUNTIME(cuMemsetD8);
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count)
    SHFLVIZ_RUNTIME(cuMemsetD16);
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) SHFLVIZ_RUNTIME(cuMemsetD32);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemsetD8Async);
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemsetD16Async);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemsetD32Async);
CUresult cuMemHostRegister(void *pointer, size_t size, unsigned int flags)
    SHFLVIZ_RUNTIME(cuMemHostRegister);
CUresult cuMemHostUnregister(void *pointer) SHFLVIZ_RUNTIME(cuMemHostUnregister);
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t size, CUmemLocation location,
                            unsigned int flags, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemPrefetchAsync);
CUresult cuMemAdvise(CUdeviceptr pointer, size_t size, CUmem_advise advice, CUmemLocation location)
    SHFLVIZ_RUNTIME(cuMemAdvise);

CUresult cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option)
    SHFLVIZ_RUNTIME(cuMemGetAllocationGranularity);
CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                     const CUmemAllocationProp *properties, unsigned long long flags)
    SHFLVIZ_RUNTIME(cuMemCreate);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) SHFLVIZ_RUNTIME(cuMemRelease);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
    SHFLVIZ_RUNTIME(cuMemRetainAllocationHandle);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                CUmemGenericAllocationHandle handle)
    SHFLVIZ_RUNTIME(cuMemGetAllocationPropertiesFromHandle);
CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t size, size_t alignment,
                             CUdeviceptr wanted, unsigned long long flags)
    SHFLVIZ_RUNTIME(cuMemAddressReserve);
CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size) SHFLVIZ_RUNTIME(cuMemAddressFree);
CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset,
                  CUmemGenericAllocationHandle handle, unsigned long long flags)
    SHFLVIZ_RUNTIME(cuMemMap);
CUresult cuMemUnmap(CUdeviceptr pointer, size_t size) SHFLVIZ_RUNTIME(cuMemUnmap);
CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc *descriptions,
                        size_t count) SHFLVIZ_RUNTIME(cuMemSetAccess);
CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location,
                        CUdeviceptr pointer) SHFLVIZ_RUNTIME(cuMemGetAccess);

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *wanted)
    SHFLVIZ_RUNTIME(cuArrayCreate);
CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *wanted)
    SHFLVIZ_RUNTIME(cuArray3DCreate);
CUresult cuArrayDestroy(CUarray array) SHFLVIZ_RUNTIME(cuArrayDestroy);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array)
    SHFLVIZ_RUNTIME(cuArrayGetDescriptor);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array)
    SHFLVIZ_RUNTIME(cuArray3DGetDescriptor);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy) SHFLVIZ_RUNTIME(cuMemcpy2D);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) SHFLVIZ_RUNTIME(cuMemcpy2DUnaligned);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemcpy2DAsync);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *copy) SHFLVIZ_RUNTIME(cuMemcpy3D);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream)
    SHFLVIZ_RUNTIME(cuMemcpy3DAsync);
CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t size)
    SHFLVIZ_RUNTIME(cuMemcpyHtoA);
CUresult cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t size)
    SHFLVIZ_RUNTIME(cuMemcpyAtoH);
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t size)
    SHFLVIZ_RUNTIME(cuMemcpyDtoA);
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t size)
    SHFLVIZ_RUNTIME(cuMemcpyAtoD);
CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view)
    SHFLVIZ_RUNTIME(cuTexObjectCreate);
CUresult cuTexObjectDestroy(CUtexObject texture) SHFLVIZ_RUNTIME(cuTexObjectDestroy);

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) SHFLVIZ_RUNTIME(cuStreamCreate);
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
    SHFLVIZ_RUNTIME(cuStreamCreateWithPriority);
CUresult cuStreamDestroy(CUstream stream) SHFLVIZ_RUNTIME(cuStreamDestroy);
CUresult cuStreamSynchronize(CUstream stream) SHFLVIZ_RUNTIME(cuStreamSynchronize);
CUresult cuStreamQuery(CUstream stream) SHFLVIZ_RUNTIME(cuStreamQuery);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
    SHFLVIZ_RUNTIME(cuStreamWaitEvent);
CUresult cuEventCreate(CUevent *event, unsigned int flags) SHFLVIZ_RUNTIME(cuEventCreate);
CUresult cuEventRecord(CUevent event, CUstream stream) SHFLVIZ_RUNTIME(cuEventRecord);
CUresult cuEventQuery(CUevent event) SHFLVIZ_RUNTIME(cuEventQuery);
CUresult cuEventSynchronize(CUevent event) SHFLVIZ_RUNTIME(cuEventSynchronize);
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
    SHFLVIZ_RUNTIME(cuEventElapsedTime);
CUresult cuEventDestroy(CUevent event) SHFLVIZ_RUNTIME(cuEventDestroy);

/* A function is a kernel of the program, as cudaGetFuncBySymbol() gives it. */
CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int shared, CUstream stream,
                        void **parameters, void **extra) SHFLVIZ_RUNTIME(cuLaunchKernel);
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
    SHFLVIZ_RUNTIME(cuFuncGetAttribute);
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
    SHFLVIZ_RUNTIME(cuFuncSetAttribute);
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
    SHFLVIZ_RUNTIME(cuFuncSetCacheConfig);
CUresult cuFuncGetName(const char **name, CUfunction function) SHFLVIZ_RUNTIME(cuFuncGetName);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int blockSize, size_t shared)
    SHFLVIZ_RUNTIME(cuOccupancyMaxActiveBlocksPerMultiprocessor);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int blockSize, size_t shared,
                                                              unsigned int flags)
    SHFLVIZ_RUNTIME(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, CUfunction function, int blocks,
                                                 int blockSize)
    SHFLVIZ_RUNTIME(cuOccupancyAvailableDynamicSMemPerBlock);
CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction function,
                                          CUoccupancyB2DSize sharedOf, size_t shared, int limit)
    SHFLVIZ_RUNTIME(cuOccupancyMaxPotentialBlockSize);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                   CUfunction function, CUoccupancyB2DSize sharedOf,
                                                   size_t shared, int limit, unsigned int flags)
    SHFLVIZ_RUNTIME(cuOccupancyMaxPotentialBlockSizeWithFlags);
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                                   unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                                   unsigned int blockZ, unsigned int shared, CUstream stream,
                                   void **parameters) SHFLVIZ_RUNTIME(cuLaunchCooperativeKernel);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
    SHFLVIZ_RUNTIME(cuLaunchHostFunc);

/* All fail: what they would load is not C++. */
CUresult cuModuleLoad(CUmodule *module, const char *file) SHFLVIZ_RUNTIME(cuModuleLoad);
CUresult cuModuleLoadData(CUmodule *module, const void *image) SHFLVIZ_RUNTIME(cuModuleLoadData);
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count,
                            CUjit_option *options, void **values)
    SHFLVIZ_RUNTIME(cuModuleLoadDataEx);
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
    SHFLVIZ_RUNTIME(cuModuleLoadFatBinary);
CUresult cuModuleUnload(CUmodule module) SHFLVIZ_RUNTIME(cuModuleUnload);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
    SHFLVIZ_RUNTIME(cuModuleGetFunction);
CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *size, CUmodule module, const char *name)
    SHFLVIZ_RUNTIME(cuModuleGetGlobal);
CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state)
    SHFLVIZ_RUNTIME(cuLinkCreate);
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int count, CUjit_option *options, void **values)
    SHFLVIZ_RUNTIME(cuLinkAddData);
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int count,
                       CUjit_option *options, void **values) SHFLVIZ_RUNTIME(cuLinkAddFile);
CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *size)
    SHFLVIZ_RUNTIME(cuLinkComplete);
CUresult cuLinkDestroy(CUlinkState state) SHFLVIZ_RUNTIME(cuLinkDestroy);

#ifdef __cplusplus
}

/* As until CUDA 12. */
static inline CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
    return cuCtxCreate(context, nullptr, flags, device);
}
static inline CUmemLocation shflviz_driver_location(CUdevice device) {
    return {device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
            device == CU_DEVICE_CPU ? 0 : device};
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t size, CUdevice device,
                                          CUstream stream) {
    return cuMemPrefetchAsync(pointer, size, shflviz_driver_location(device), 0, stream);
}
static inline CUresult cuMemAdvise(CUdeviceptr pointer, size_t size, CUmem_advise advice,
                                   CUdevice device) {
    return cuMemAdvise(pointer, size, advice, shflviz_driver_location(device));
}
#endif

#endif
