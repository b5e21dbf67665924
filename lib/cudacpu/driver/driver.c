/*
 * driver.c - the driver API over the runtime's functions: devices, contexts, plain memory and
 * launches. There is one device, and all contexts share its memory.
 */
#include "base/memory.h"
#include "cudacpu/libraries/library.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXTS_MOST 64 /* on a thread's stack */

struct CUctx_st {
    struct CUctx_st *self; /* its own address while it is valid */
};

static struct CUctx_st primary = {.self = &primary};
static bool initialized;
static bool
    context_made; /* by the driver itself, so that allocated memory need not be the runtime's */
static bool driver_first; /* the driver was the first to ask for the device's host side */
static _Thread_local struct CUctx_st *stack[CONTEXTS_MOST];
static _Thread_local int stack_depth;
static _Thread_local cudaError_t before; /* the runtime's last error */

/* ---- errors ---- */

/* The driver's error number for an error of the runtime: most numbers are the same. */
static CUresult driver_result(cudaError_t error) {
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

/* Called before a call to the runtime: the last error of the runtime must not change. */
static void driver_begin(void) {
    driver_first = driver_first || !cpu_device_in_use() || !cpu_device_in_use()->api;
    before = cudaPeekAtLastError();
}
static CUresult driver_end(cudaError_t error) {
    if (before == cudaSuccess && error != cudaSuccess)
        (void)cudaGetLastError();
    return driver_result(error);
}

/* CUDA_SUCCESS after cuInit(), or after the runtime has been used. */
static CUresult driver_initialized(void) {
    return initialized || (cpu_device_in_use() && cpu_device_in_use()->api)
               ? CUDA_SUCCESS
               : CUDA_ERROR_NOT_INITIALIZED;
}
/* The runtime's context is also current for the driver. */
static struct CUctx_st *current(void) {
    if (stack_depth)
        return stack[stack_depth - 1];
    const struct cpu_api *api = cpu_device_in_use() ? cpu_device_in_use()->api : NULL;
    return api && (!driver_first || (!context_made && api->allocation_count)) ? &primary : NULL;
}

#define NEED_DRIVER()                                                                              \
    do {                                                                                           \
        const CUresult need = driver_initialized();                                                \
        if (need != CUDA_SUCCESS)                                                                  \
            return need;                                                                           \
    } while (0)
#define NEED_CONTEXT()                                                                             \
    do {                                                                                           \
        NEED_DRIVER();                                                                             \
        if (!current())                                                                            \
            return CUDA_ERROR_INVALID_CONTEXT;                                                     \
    } while (0)
#define AS_RUNTIME(call) (driver_begin(), driver_end(call))

/* Calls that the runtime also has. */
#define SAME(declaration, call)                                                                    \
    CUresult declaration {                                                                         \
        NEED_CONTEXT();                                                                            \
        return AS_RUNTIME(call);                                                                   \
    }

static void *driver_address(CUdeviceptr pointer) {
    return (void *)(uintptr_t)pointer;
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
    if (AS_RUNTIME(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device)) !=
        CUDA_SUCCESS)
        *value = 0; /* the device lacks the feature */
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    CUresult result =
        cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return result != CUDA_SUCCESS
               ? result
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
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

SAME(cuCtxSynchronize(void), cudaDeviceSynchronize())

/* ---- memory ---- */

SAME(cuMemGetInfo(size_t *unused, size_t *total), cudaMemGetInfo(unused, total))

/* An empty allocation is NULL. */
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t size) {
    void *memory = NULL;
    NEED_CONTEXT();
    if (!pointer || size == 0)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = AS_RUNTIME(cudaMalloc(&memory, size));
    *pointer = (CUdeviceptr)(uintptr_t)memory;
    return result;
}
SAME(cuMemFree(CUdeviceptr pointer), cudaFree(driver_address(pointer)))
SAME(cuMemAllocHost(void **pointer, size_t size), cudaMallocHost(pointer, size))
SAME(cuMemFreeHost(void *pointer), cudaFreeHost(pointer))
SAME(cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size),
     cudaMemcpy(driver_address(to), from, size, cudaMemcpyHostToDevice))
SAME(cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size),
     cudaMemcpy(to, driver_address(from), size, cudaMemcpyDeviceToHost))
SAME(cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size),
     cudaMemcpy(driver_address(to), driver_address(from), size, cudaMemcpyDeviceToDevice))
SAME(cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream),
     cudaMemcpyAsync(driver_address(to), from, size, cudaMemcpyHostToDevice, stream))
SAME(cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream),
     cudaMemcpyAsync(to, driver_address(from), size, cudaMemcpyDeviceToHost, stream))
SAME(cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
     cudaMemcpyAsync(driver_address(to), driver_address(from), size, cudaMemcpyDeviceToDevice,
                     stream))

/* Fills the memory now or, if `stream` is being captured, in a node of its graph. */
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

/* ---- streams and events ---- */

SAME(cuStreamCreate(CUstream *stream, unsigned int flags), cudaStreamCreateWithFlags(stream, flags))
SAME(cuStreamDestroy(CUstream stream), cudaStreamDestroy(stream))
SAME(cuStreamSynchronize(CUstream stream), cudaStreamSynchronize(stream))
SAME(cuEventCreate(CUevent *event, unsigned int flags), cudaEventCreateWithFlags(event, flags))
SAME(cuEventRecord(CUevent event, CUstream stream), cudaEventRecord(event, stream))
SAME(cuEventSynchronize(CUevent event), cudaEventSynchronize(event))
SAME(cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end),
     cudaEventElapsedTime(milliseconds, start, end))
SAME(cuEventDestroy(CUevent event), cudaEventDestroy(event))

/* ---- launches ---- */

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

/* No module exists. */
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
