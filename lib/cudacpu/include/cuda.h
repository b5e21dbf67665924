/*
 * cuda.h - the functions of the driver API that are supported. A program has
 * no modules besides itself: cuModuleLoad() and the like fail with a message. The bodies are in
 * cudacpu/driver/driver.c.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include "cuda_runtime_api.h"
#include "cudacpu/driver_tables.h"

#define CUDA_VERSION 13000
#define CUDAAPI
#define CUDA_CB

typedef unsigned int cuuint32_t;
typedef unsigned long long cuuint64_t;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

typedef enum cudaError_enum {
#define SHFLVIZ_RESULT(name, number) name = number,
    SHFLVIZ_DRIVER_RESULTS(SHFLVIZ_RESULT)
#undef SHFLVIZ_RESULT
} CUresult;

typedef enum CUdevice_attribute_enum {
#define SHFLVIZ_ATTRIBUTE(name, number) CU_DEVICE_ATTRIBUTE_##name = number,
    SHFLVIZ_DRIVER_ATTRIBUTES(SHFLVIZ_ATTRIBUTE)
#undef SHFLVIZ_ATTRIBUTE
} CUdevice_attribute;

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
/* Descriptors of TMA's copies. CUTLASS names their types on every architecture; none can be made:
 * there is no cuTensorMapEncodeTiled() here. */
typedef enum CUtensorMapDataType_enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
    CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;
typedef struct CUtensorMap_st {
    cuuint64_t opaque[16];
} __attribute__((aligned(64))) CUtensorMap;

typedef cudaLaunchAttribute CUlaunchAttribute;
typedef struct CUctxCreateParams_st {
    void *execAffinityParams;
    int numExecAffinityParams;
    void *cigParams;
} CUctxCreateParams;

#define CU_LAUNCH_PARAM_END            ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE    ((void *)2)
#define CU_STREAM_LEGACY               ((CUstream)1)
#define CU_STREAM_PER_THREAD           ((CUstream)2)

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
CUresult cuCtxSynchronize(void) SHFLVIZ_RUNTIME(cuCtxSynchronize);

CUresult cuMemGetInfo(size_t *unused, size_t *total) SHFLVIZ_RUNTIME(cuMemGetInfo);
CUresult cuMemAlloc(CUdeviceptr *pointer, size_t size) SHFLVIZ_RUNTIME(cuMemAlloc);
CUresult cuMemFree(CUdeviceptr pointer) SHFLVIZ_RUNTIME(cuMemFree);
CUresult cuMemAllocHost(void **pointer, size_t size) SHFLVIZ_RUNTIME(cuMemAllocHost);
CUresult cuMemFreeHost(void *pointer) SHFLVIZ_RUNTIME(cuMemFreeHost);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size) SHFLVIZ_RUNTIME(cuMemcpyHtoD);
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size) SHFLVIZ_RUNTIME(cuMemcpyDtoH);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) SHFLVIZ_RUNTIME(cuMemcpyDtoD);
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

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) SHFLVIZ_RUNTIME(cuStreamCreate);
CUresult cuStreamDestroy(CUstream stream) SHFLVIZ_RUNTIME(cuStreamDestroy);
CUresult cuStreamSynchronize(CUstream stream) SHFLVIZ_RUNTIME(cuStreamSynchronize);
CUresult cuEventCreate(CUevent *event, unsigned int flags) SHFLVIZ_RUNTIME(cuEventCreate);
CUresult cuEventRecord(CUevent event, CUstream stream) SHFLVIZ_RUNTIME(cuEventRecord);
CUresult cuEventSynchronize(CUevent event) SHFLVIZ_RUNTIME(cuEventSynchronize);
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
    SHFLVIZ_RUNTIME(cuEventElapsedTime);
CUresult cuEventDestroy(CUevent event) SHFLVIZ_RUNTIME(cuEventDestroy);

/* A function is a kernel of the program, as cudaGetFuncBySymbol() gives it. */
CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int shared, CUstream stream,
                        void **parameters, void **extra) SHFLVIZ_RUNTIME(cuLaunchKernel);

/* All fail, because the modules that they would load are not C++. */
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

#ifdef __cplusplus
}

/* The form until CUDA 12. */
static inline CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
    return cuCtxCreate(context, nullptr, flags, device);
}
#endif

#endif
