/*
 * driver.c - the driver API over the runtime's functions: contexts, and the driver's ways to
 * say the same. There is one device, and all contexts share its memory.
 */
#include "cudacpu/driver/driver.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXTS_MOST 64 /* on a thread's stack */

struct CUctx_st {
    struct CUctx_st *self; /* its own address, as long as it is one */
    unsigned flags;
};

static struct CUctx_st primary = {.self = &primary};
static bool initialized;
static bool context_made; /* by the driver: what is allocated need not be the runtime's */
static bool driver_first; /* the device's host side was first asked for by the driver */
static _Thread_local struct CUctx_st *stack[CONTEXTS_MOST];
static _Thread_local int stack_depth;
static _Thread_local cudaError_t before; /* the runtime's last error */

/* ---- errors ---- */

CUresult driver_result(cudaError_t error) {
    switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidSymbol:
    case cudaErrorInvalidMemcpyDirection:
        return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
        return CUDA_ERROR_INVALID_HANDLE;
    default:
        return (CUresult)error;
    }
}

void driver_begin(void) {
    driver_first = driver_first || !cpu_device_in_use() || !cpu_device_in_use()->api;
    before = cudaPeekAtLastError();
}
CUresult driver_end(cudaError_t error) {
    if (before == cudaSuccess && error != cudaSuccess)
        (void)cudaGetLastError();
    return driver_result(error);
}

CUresult driver_initialized(void) {
    return initialized || (cpu_device_in_use() && cpu_device_in_use()->api)
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_INITIALIZED;
}
/* What the runtime works in is current for the driver, too. */
static struct CUctx_st *current(void) {
    if (stack_depth)
        return stack[stack_depth - 1];
    const struct cpu_api *api = cpu_device_in_use() ? cpu_device_in_use()->api : NULL;
    return api && (!driver_first || (!context_made && api->allocation_count)) ? &primary : NULL;
}

CUresult driver_in_context(void) {
    NEED_DRIVER();
    return current() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuGetErrorName(CUresult error, const char **name) {
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = NULL;
    switch (error) {
#define CASE(result, number)                                                                       \
    case result:                                                                                   \
        *name = #result;                                                                           \
        return CUDA_SUCCESS;
        SHFLVIZ_DRIVER_RESULTS(CASE)
#undef CASE
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **string) {
    const char *name;
    if (!string)
        return CUDA_ERROR_INVALID_VALUE;
    *string = NULL;
    if (cuGetErrorName(error, &name) != CUDA_SUCCESS)
        return CUDA_ERROR_INVALID_VALUE;
    *string = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}

/* ---- devices ---- */

CUresult cuInit(unsigned int flags) {
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    initialized = true;
    return cpu_device_in_use() ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int *version) {
    return driver_result(cudaDriverGetVersion(version));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    NEED_DRIVER();
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (ordinal != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
    NEED_DRIVER();
    return AS_RUNTIME(cudaGetDeviceCount(count));
}

static CUresult properties_of(CUdevice device, struct cudaDeviceProp *properties) {
    NEED_DRIVER();
    return device == 0 ? AS_RUNTIME(cudaGetDeviceProperties(properties, 0))
                       : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    struct cudaDeviceProp properties;
    NEED_DRIVER();
    if (!name || length <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = properties_of(device, &properties);
    if (result == CUDA_SUCCESS)
        snprintf(name, (size_t)length, "%s", properties.name);
    return result;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    struct cudaDeviceProp properties;
    NEED_DRIVER();
    if (!uuid)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = properties_of(device, &properties);
    if (result == CUDA_SUCCESS)
        memcpy(uuid->bytes, properties.uuid.bytes, sizeof uuid->bytes);
    return result;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    struct cudaDeviceProp properties;
    NEED_DRIVER();
    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = properties_of(device, &properties);
    if (result == CUDA_SUCCESS)
        *bytes = properties.totalGlobalMem;
    return result;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    NEED_DRIVER();
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (attribute == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED)
        *value = 1;
    else if (AS_RUNTIME(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device)) !=
             CUDA_SUCCESS)
        *value = 0; /* of what is not here */
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    CUresult result =
        cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return result != CUDA_SUCCESS
               ? result
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    NEED_DRIVER();
    return AS_RUNTIME(cudaDeviceCanAccessPeer(can, device, peer));
}

/* ---- contexts ---- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    NEED_DRIVER();
    if (!context || device != 0)
        return context ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    *context = &primary;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    NEED_DRIVER();
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned int flags,
                     CUdevice device) {
    NEED_DRIVER();
    (void)params;
    if (!context || device != 0 || flags > CU_CTX_FLAGS_MASK)
        return context && device ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    if (stack_depth == CONTEXTS_MOST)
        return CUDA_ERROR_OUT_OF_MEMORY;
    context_made = true;
    *context = memory_zeroed(1, sizeof **context);
    (*context)->self = *context;
    (*context)->flags = flags;
    stack[stack_depth++] = *context;
    return CUDA_SUCCESS;
}

static bool is_context(CUcontext context) {
    return context && context->self == context;
}

CUresult cuCtxDestroy(CUcontext context) {
    NEED_DRIVER();
    if (!is_context(context) || context == &primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (stack_depth && stack[stack_depth - 1] == context)
        stack_depth--;
    context->self = NULL;
    free(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
    NEED_DRIVER();
    if (!is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (stack_depth == CONTEXTS_MOST)
        return CUDA_ERROR_OUT_OF_MEMORY;
    stack[stack_depth++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *context) {
    NEED_CONTEXT();
    if (context)
        *context = current();
    if (stack_depth)
        stack_depth--;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    NEED_DRIVER();
    if (context && !is_context(context))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (stack_depth)
        stack_depth--;
    return context ? cuCtxPushCurrent(context) : CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    NEED_DRIVER();
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = current();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
    NEED_CONTEXT();
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
    NEED_DRIVER();
    if (!version || (context && !is_context(context)))
        return version ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

SAME(cuCtxSynchronize(void), cudaDeviceSynchronize())
SAME(cuCtxSetLimit(CUlimit limit, size_t value), cudaDeviceSetLimit((enum cudaLimit)limit, value))
SAME(cuCtxGetLimit(size_t *value, CUlimit limit), cudaDeviceGetLimit(value, (enum cudaLimit)limit))
SAME(cuCtxSetCacheConfig(CUfunc_cache config), cudaDeviceSetCacheConfig((enum cudaFuncCache)config))

SAME(cuCtxGetStreamPriorityRange(int *least, int *greatest),
     cudaDeviceGetStreamPriorityRange(least, greatest))

CUresult cuCtxGetFlags(unsigned int *flags) {
    NEED_CONTEXT();
    if (!flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = current()->flags;
    return CUDA_SUCCESS;
}

/* All contexts are of one device, which is no peer of itself. */
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
    NEED_CONTEXT();
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    return is_context(peer) ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxDisablePeerAccess(CUcontext peer) {
    NEED_CONTEXT();
    return is_context(peer) ? CUDA_ERROR_PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT;
}

/* ---- memory ---- */

SAME(cuMemGetInfo(size_t *unused, size_t *total), cudaMemGetInfo(unused, total))

/* Memory's address as a number. Nothing is an allocation of no bytes. */
#define ALLOCATE(declaration, size, call)                                                          \
    CUresult declaration {                                                                         \
        void *memory = NULL;                                                                       \
        NEED_CONTEXT();                                                                            \
        if (!pointer || (size) == 0)                                                               \
            return CUDA_ERROR_INVALID_VALUE;                                                       \
        const CUresult result = AS_RUNTIME(call);                                                  \
        *pointer = (CUdeviceptr)(uintptr_t)memory;                                                 \
        return result;                                                                             \
    }
ALLOCATE(cuMemAlloc(CUdeviceptr *pointer, size_t size), size, cudaMalloc(&memory, size))
ALLOCATE(cuMemAllocManaged(CUdeviceptr *pointer, size_t size, unsigned int flags), size,
         cudaMallocManaged(&memory, size, flags))
ALLOCATE(cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                         unsigned int element),
         width *height *element, cudaMallocPitch(&memory, pitch, width, height))
ALLOCATE(cuMemHostGetDevicePointer(CUdeviceptr *pointer, void *host, unsigned int flags), 1,
         cudaHostGetDevicePointer(&memory, host, flags))
SAME(cuMemFree(CUdeviceptr pointer), cudaFree(driver_address(pointer)))
SAME(cuMemAllocHost(void **pointer, size_t size), cudaMallocHost(pointer, size))
SAME(cuMemHostAlloc(void **pointer, size_t size, unsigned int flags),
     cudaHostAlloc(pointer, size, flags))
SAME(cuMemFreeHost(void *pointer), cudaFreeHost(pointer))

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr pointer) {
    NEED_CONTEXT();
    cudaError_t error;
    struct cpu_device *device = api_begin(&error);
    if (!device)
        return driver_result(error);
    const struct api_allocation *found = api_find(device, driver_address(pointer));
    if (found && base)
        *base = (CUdeviceptr)(uintptr_t)found->start;
    if (found && size)
        *size = found->size;
    api_end(cudaSuccess);
    return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

SAME(cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size),
     cudaMemcpy(driver_address(to), driver_address(from), size, cudaMemcpyDefault))
SAME(cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size),
     cudaMemcpy(driver_address(to), from, size, cudaMemcpyHostToDevice))
SAME(cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size),
     cudaMemcpy(to, driver_address(from), size, cudaMemcpyDeviceToHost))
SAME(cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size),
     cudaMemcpy(driver_address(to), driver_address(from), size, cudaMemcpyDeviceToDevice))
SAME(cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
     cudaMemcpyAsync(driver_address(to), driver_address(from), size, cudaMemcpyDefault, stream))
SAME(cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream),
     cudaMemcpyAsync(driver_address(to), from, size, cudaMemcpyHostToDevice, stream))
SAME(cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream),
     cudaMemcpyAsync(to, driver_address(from), size, cudaMemcpyDeviceToHost, stream))
SAME(cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
     cudaMemcpyAsync(driver_address(to), driver_address(from), size, cudaMemcpyDeviceToDevice,
                     stream))

/* Now, or, where `stream` is being captured, by a node of its graph. */
static cudaError_t fill(CUdeviceptr to, unsigned value, unsigned element, size_t count,
                        CUstream handle) {
    API_BEGIN;
    struct api_fill fill = {.to = {driver_address(to), 0, 0, false},
                            .value = value,
                            .element = element,
                            .width = count * element,
                            .height = 1,
                            .depth = 1};
    struct CUstream_st *stream;
    cudaError_t error = api_capture_stream(device, handle, &stream);
    if (error == cudaSuccess)
        error = to % element ? cudaErrorInvalidValue : api_check_fill(device, &fill);
    if (error == cudaSuccess && !api_capture_fill(stream, &fill))
        api_do_fill(&fill);
    return api_end(error);
}
SAME(cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count), fill(to, value, 1, count, NULL))
SAME(cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count),
     fill(to, value, 2, count, NULL))
SAME(cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count), fill(to, value, 4, count, NULL))

SAME(cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream),
     fill(to, value, 1, count, stream))
SAME(cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream),
     fill(to, value, 2, count, stream))
SAME(cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream),
     fill(to, value, 4, count, stream))
SAME(cuMemHostRegister(void *pointer, size_t size, unsigned int flags),
     cudaHostRegister(pointer, size, flags))
SAME(cuMemHostUnregister(void *pointer), cudaHostUnregister(pointer))

static struct cudaMemLocation location_of(CUmemLocation location) {
    return (struct cudaMemLocation){(enum cudaMemLocationType)location.type, location.id};
}
SAME(cuMemPrefetchAsync(CUdeviceptr pointer, size_t size, CUmemLocation location,
                        unsigned int flags, CUstream stream),
     cudaMemPrefetchAsync(driver_address(pointer), size, location_of(location), flags, stream))
SAME(cuMemAdvise(CUdeviceptr pointer, size_t size, CUmem_advise advice, CUmemLocation location),
     cudaMemAdvise(driver_address(pointer), size, (enum cudaMemoryAdvise)advice,
                   location_of(location)))

/* ---- streams and events ---- */

SAME(cuStreamCreate(CUstream *stream, unsigned int flags), cudaStreamCreateWithFlags(stream, flags))
SAME(cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority),
     cudaStreamCreateWithPriority(stream, flags, priority))
SAME(cuStreamDestroy(CUstream stream), cudaStreamDestroy(stream))
SAME(cuStreamSynchronize(CUstream stream), cudaStreamSynchronize(stream))
SAME(cuStreamQuery(CUstream stream), cudaStreamQuery(stream))
SAME(cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags),
     cudaStreamWaitEvent(stream, event, flags))
SAME(cuEventCreate(CUevent *event, unsigned int flags), cudaEventCreateWithFlags(event, flags))
SAME(cuEventRecord(CUevent event, CUstream stream), cudaEventRecord(event, stream))
SAME(cuEventQuery(CUevent event), cudaEventQuery(event))
SAME(cuEventSynchronize(CUevent event), cudaEventSynchronize(event))
SAME(cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end),
     cudaEventElapsedTime(milliseconds, start, end))
SAME(cuEventDestroy(CUevent event), cudaEventDestroy(event))

/* ---- functions ---- */

CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int shared, CUstream stream,
                        void **parameters, void **extra) {
    NEED_CONTEXT();
    if (extra && *extra != CU_LAUNCH_PARAM_END) {
        library_absent("cuLaunchKernel", "parameters in a buffer (`extra`)");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return AS_RUNTIME(cudaLaunchKernel(function, (struct dim3){gridX, gridY, gridZ},
                                       (struct dim3){blockX, blockY, blockZ}, parameters, shared,
                                       stream));
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    struct cudaFuncAttributes all;
    NEED_CONTEXT();
    const CUresult result = AS_RUNTIME(cudaFuncGetAttributes(&all, function));
    if (result != CUDA_SUCCESS || !value)
        return value ? result : CUDA_ERROR_INVALID_VALUE;
    const int values[] = {all.maxThreadsPerBlock,
                          (int)all.sharedSizeBytes,
                          (int)all.constSizeBytes,
                          (int)all.localSizeBytes,
                          all.numRegs,
                          all.ptxVersion,
                          all.binaryVersion,
                          all.cacheModeCA,
                          all.maxDynamicSharedSizeBytes,
                          all.preferredShmemCarveout};
    if ((size_t)attribute >= sizeof values / sizeof values[0])
        return CUDA_ERROR_INVALID_VALUE;
    *value = values[attribute];
    return CUDA_SUCCESS;
}
SAME(cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value),
     cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value))
SAME(cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config),
     cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config))
SAME(cuFuncGetName(const char **name, CUfunction function), cudaFuncGetName(name, function))
SAME(cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int blockSize,
                                                 size_t shared),
     cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, shared))

SAME(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                          int blockSize, size_t shared,
                                                          unsigned int flags),
     cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, blockSize, shared,
                                                            flags))
SAME(cuOccupancyAvailableDynamicSMemPerBlock(size_t *shared, CUfunction function, int blocks,
                                             int blockSize),
     cudaOccupancyAvailableDynamicSMemPerBlock(shared, function, blocks, blockSize))

/* The block size with the most threads on a multiprocessor; of several, the largest. */
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                   CUfunction function, CUoccupancyB2DSize sharedOf,
                                                   size_t shared, int limit, unsigned int flags) {
    int most = 0, processors = 0;
    NEED_DRIVER();
    if (!minGridSize || !blockSize)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result =
        cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
    if (limit <= 0 || limit > 1024)
        limit = 1024;
    for (int aligned = (limit + 31) / 32 * 32; aligned > 0 && result == CUDA_SUCCESS;
         aligned -= 32) {
        const int size = aligned < limit ? aligned : limit;
        int blocks = 0;
        result = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &blocks, function, size, sharedOf ? sharedOf(size) : shared, flags);
        if (result == CUDA_SUCCESS && size * blocks > most) {
            most = size * blocks;
            *blockSize = size;
            *minGridSize = blocks * processors;
        }
    }
    return result;
}
CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction function,
                                          CUoccupancyB2DSize sharedOf, size_t shared, int limit) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, sharedOf,
                                                     shared, limit, 0);
}

SAME(cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                               unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                               unsigned int blockZ, unsigned int shared, CUstream stream,
                               void **parameters),
     cudaLaunchCooperativeKernel(function, (struct dim3){gridX, gridY, gridZ},
                                 (struct dim3){blockX, blockY, blockZ}, parameters, shared, stream))
SAME(cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data),
     cudaLaunchHostFunc(stream, function, data))

/* ---- modules ---- */

static CUresult no_module(const char *function) {
    NEED_CONTEXT();
    library_absent(function, "PTX, cubin and fatbin files, which are code of a GPU");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

CUresult cuModuleLoad(CUmodule *module, const char *file) {
    (void)module, (void)file;
    return no_module("cuModuleLoad");
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    (void)module, (void)image;
    return no_module("cuModuleLoadData");
}
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count,
                            CUjit_option *options, void **values) {
    (void)module, (void)image, (void)count, (void)options, (void)values;
    return no_module("cuModuleLoadDataEx");
}
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
    (void)module, (void)image;
    return no_module("cuModuleLoadFatBinary");
}
CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values,
                      CUlinkState *state) {
    (void)count, (void)options, (void)values, (void)state;
    return no_module("cuLinkCreate");
}

/* Nobody has a module or a link. */
CUresult cuModuleUnload(CUmodule module) {
    (void)module;
    NEED_DRIVER();
    return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    (void)function, (void)module, (void)name;
    NEED_DRIVER();
    return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *size, CUmodule module, const char *name) {
    (void)pointer, (void)size, (void)module, (void)name;
    NEED_DRIVER();
    return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int count, CUjit_option *options, void **values) {
    (void)state, (void)type, (void)data, (void)size, (void)name, (void)count, (void)options,
        (void)values;
    NEED_DRIVER();
    return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int count,
                       CUjit_option *options, void **values) {
    (void)state, (void)type, (void)path, (void)count, (void)options, (void)values;
    NEED_DRIVER();
    return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuLinkComplete(CUlinkState state, void **cubin, size_t *size) {
    (void)state, (void)cubin, (void)size;
    NEED_DRIVER();
    return CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuLinkDestroy(CUlinkState state) {
    (void)state;
    NEED_DRIVER();
    return CUDA_ERROR_INVALID_HANDLE;
}
