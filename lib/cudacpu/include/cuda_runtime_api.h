/*
 * cuda_runtime_api.h - the functions of the CUDA runtime for the host. Also for C.
 *
 * The CPU warp does everything immediately: a call returns when its work is done, so streams only
 * keep their attributes, and events are points in time. A function that is not declared here is not
 * supported, and the compiler reports it. The bodies are in lib/cudacpu/runtime.
 */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "channel_descriptor.h"
#include "cudacpu/graph_types.h"
#include "driver_types.h"
#include "host_defines.h"
#include "texture_types.h"
#include "vector_types.h"

#include "cudacpu/calls.h"

/* Functions that a kernel may also call belong to the device runtime ("CUDA Dynamic
 * Parallelism"). */
#define CUDART_VERSION 13000
#define CUDARTAPI

/* Renamed for the linker: a program may contain NVIDIA's runtime, too. */
#define SHFLVIZ_RUNTIME(name) __asm__("cpu_" #name)

#ifdef __cplusplus
#define __dv(value) = value
extern "C" {
#else
#define __dv(value)
#endif

/* ---- errors ---- */

__host__ __device__ cudaError_t cudaGetLastError(void) SHFLVIZ_RUNTIME(cudaGetLastError);
__host__ __device__ cudaError_t cudaPeekAtLastError(void) SHFLVIZ_RUNTIME(cudaPeekAtLastError);
__host__ __device__ const char *cudaGetErrorName(cudaError_t error)
    SHFLVIZ_RUNTIME(cudaGetErrorName);
__host__ __device__ const char *cudaGetErrorString(cudaError_t error)
    SHFLVIZ_RUNTIME(cudaGetErrorString);

/* ---- devices ---- */

__host__ __device__ cudaError_t cudaGetDeviceCount(int *count) SHFLVIZ_RUNTIME(cudaGetDeviceCount);
__host__ __device__ cudaError_t cudaGetDevice(int *device) SHFLVIZ_RUNTIME(cudaGetDevice);
cudaError_t cudaSetDevice(int device) SHFLVIZ_RUNTIME(cudaSetDevice);
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaInitDevice);
cudaError_t cudaSetValidDevices(int *devices, int count) SHFLVIZ_RUNTIME(cudaSetValidDevices);
cudaError_t cudaSetDeviceFlags(unsigned int flags) SHFLVIZ_RUNTIME(cudaSetDeviceFlags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags) SHFLVIZ_RUNTIME(cudaGetDeviceFlags);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
    SHFLVIZ_RUNTIME(cudaChooseDevice);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
    SHFLVIZ_RUNTIME(cudaGetDeviceProperties);
__host__ __device__ cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                                       int device)
    SHFLVIZ_RUNTIME(cudaDeviceGetAttribute);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
    SHFLVIZ_RUNTIME(cudaDeviceGetPCIBusId);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
    SHFLVIZ_RUNTIME(cudaDeviceGetByPCIBusId);
__host__ __device__ cudaError_t cudaDeviceSynchronize(void) SHFLVIZ_RUNTIME(cudaDeviceSynchronize);
cudaError_t cudaDeviceReset(void) SHFLVIZ_RUNTIME(cudaDeviceReset);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
    SHFLVIZ_RUNTIME(cudaDeviceSetLimit);
__host__ __device__ cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
    SHFLVIZ_RUNTIME(cudaDeviceGetLimit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
    SHFLVIZ_RUNTIME(cudaDeviceSetCacheConfig);
__host__ __device__ cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
    SHFLVIZ_RUNTIME(cudaDeviceGetCacheConfig);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
    SHFLVIZ_RUNTIME(cudaDeviceSetSharedMemConfig);
__host__ __device__ cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
    SHFLVIZ_RUNTIME(cudaDeviceGetSharedMemConfig);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
    SHFLVIZ_RUNTIME(cudaDeviceGetStreamPriorityRange);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
    SHFLVIZ_RUNTIME(cudaDeviceCanAccessPeer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaDeviceEnablePeerAccess);
cudaError_t cudaDeviceDisablePeerAccess(int peer) SHFLVIZ_RUNTIME(cudaDeviceDisablePeerAccess);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to) SHFLVIZ_RUNTIME(cudaDeviceGetP2PAttribute);
cudaError_t cudaCtxResetPersistingL2Cache(void) SHFLVIZ_RUNTIME(cudaCtxResetPersistingL2Cache);
cudaError_t cudaDriverGetVersion(int *version) SHFLVIZ_RUNTIME(cudaDriverGetVersion);
__host__ __device__ cudaError_t cudaRuntimeGetVersion(int *version)
    SHFLVIZ_RUNTIME(cudaRuntimeGetVersion);
/* The driver's functions have no addresses here: *status reports each of them as not found. */
cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status)
    SHFLVIZ_RUNTIME(cudaGetDriverEntryPoint);
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function,
                                             unsigned int version, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status)
    SHFLVIZ_RUNTIME(cudaGetDriverEntryPointByVersion);
cudaError_t cudaThreadSynchronize(void) SHFLVIZ_RUNTIME(cudaThreadSynchronize);
cudaError_t cudaThreadExit(void) SHFLVIZ_RUNTIME(cudaThreadExit);
cudaError_t cudaProfilerStart(void) SHFLVIZ_RUNTIME(cudaProfilerStart);
cudaError_t cudaProfilerStop(void) SHFLVIZ_RUNTIME(cudaProfilerStop);

/* ---- functions ---- */

__host__ __device__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                                      const void *function)
    SHFLVIZ_RUNTIME(cudaFuncGetAttributes);
cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
    SHFLVIZ_RUNTIME(cudaFuncSetAttribute);
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
    SHFLVIZ_RUNTIME(cudaFuncSetCacheConfig);
cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
    SHFLVIZ_RUNTIME(cudaFuncSetSharedMemConfig);
cudaError_t cudaFuncGetName(const char **name, const void *function)
    SHFLVIZ_RUNTIME(cudaFuncGetName);
__host__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                              const void *function,
                                                                              int blockSize,
                                                                              size_t dynamicShared)
    SHFLVIZ_RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessor);
__host__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int blockSize, size_t dynamicShared, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, const void *function,
                                                      int blocks, int blockSize)
    SHFLVIZ_RUNTIME(cudaOccupancyAvailableDynamicSMemPerBlock);
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream) SHFLVIZ_RUNTIME(cudaLaunchKernel);
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cudaLaunchCooperativeKernel);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments) SHFLVIZ_RUNTIME(cudaLaunchKernelExC);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *userData)
    SHFLVIZ_RUNTIME(cudaLaunchHostFunc);

/* ---- memory ---- */

__host__ __device__ cudaError_t cudaMalloc(void **pointer, size_t size) SHFLVIZ_RUNTIME(cudaMalloc);
cudaError_t cudaMallocManaged(void **pointer, size_t size,
                              unsigned int flags __dv(cudaMemAttachGlobal))
    SHFLVIZ_RUNTIME(cudaMallocManaged);
cudaError_t cudaMallocHost(void **pointer, size_t size) SHFLVIZ_RUNTIME(cudaMallocHost);
cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaHostAlloc);
cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaHostRegister);
cudaError_t cudaHostUnregister(void *pointer) SHFLVIZ_RUNTIME(cudaHostUnregister);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaHostGetDevicePointer);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) SHFLVIZ_RUNTIME(cudaHostGetFlags);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
    SHFLVIZ_RUNTIME(cudaMallocPitch);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
    SHFLVIZ_RUNTIME(cudaMalloc3D);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height __dv(0), unsigned int flags __dv(0))
    SHFLVIZ_RUNTIME(cudaMallocArray);
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned int flags __dv(0))
    SHFLVIZ_RUNTIME(cudaMalloc3DArray);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array)
    SHFLVIZ_RUNTIME(cudaArrayGetInfo);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
    SHFLVIZ_RUNTIME(cudaGetChannelDesc);
__host__ __device__ cudaError_t cudaFree(void *pointer) SHFLVIZ_RUNTIME(cudaFree);
cudaError_t cudaFreeHost(void *pointer) SHFLVIZ_RUNTIME(cudaFreeHost);
cudaError_t cudaFreeArray(cudaArray_t array) SHFLVIZ_RUNTIME(cudaFreeArray);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total) SHFLVIZ_RUNTIME(cudaMemGetInfo);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
    SHFLVIZ_RUNTIME(cudaPointerGetAttributes);
cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) SHFLVIZ_RUNTIME(cudaMemAdvise);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemPrefetchAsync);
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
    SHFLVIZ_RUNTIME(cudaGetSymbolAddress);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t length __dv(0),
                                     unsigned int flags __dv(cudaMemAttachSingle))
    SHFLVIZ_RUNTIME(cudaStreamAttachMemAsync);
cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cudaMallocAsync);
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) SHFLVIZ_RUNTIME(cudaMallocFromPoolAsync);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) SHFLVIZ_RUNTIME(cudaFreeAsync);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
    SHFLVIZ_RUNTIME(cudaDeviceGetDefaultMemPool);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
    SHFLVIZ_RUNTIME(cudaDeviceGetMemPool);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
    SHFLVIZ_RUNTIME(cudaDeviceSetMemPool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
    SHFLVIZ_RUNTIME(cudaMemPoolCreate);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) SHFLVIZ_RUNTIME(cudaMemPoolDestroy);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep) SHFLVIZ_RUNTIME(cudaMemPoolTrimTo);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
    SHFLVIZ_RUNTIME(cudaMemPoolSetAttribute);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
    SHFLVIZ_RUNTIME(cudaMemPoolGetAttribute);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access,
                                 size_t count) SHFLVIZ_RUNTIME(cudaMemPoolSetAccess);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
    SHFLVIZ_RUNTIME(cudaMemPoolGetAccess);

/* ---- copies ---- */

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
    SHFLVIZ_RUNTIME(cudaMemcpy);
__host__ __device__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                                                enum cudaMemcpyKind kind,
                                                cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemcpyAsync);
cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t size)
    SHFLVIZ_RUNTIME(cudaMemcpyPeer);
cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice,
                                size_t size, cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemcpyPeerAsync);
cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) SHFLVIZ_RUNTIME(cudaMemcpy2D);
__host__ __device__ cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                                                  size_t fromPitch, size_t width, size_t height,
                                                  enum cudaMemcpyKind kind,
                                                  cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemcpy2DAsync);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy) SHFLVIZ_RUNTIME(cudaMemcpy3D);
__host__ __device__ cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy,
                                                  cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemcpy3DAsync);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                              enum cudaMemcpyKind kind) SHFLVIZ_RUNTIME(cudaMemcpyToArray);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                enum cudaMemcpyKind kind) SHFLVIZ_RUNTIME(cudaMemcpyFromArray);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
    SHFLVIZ_RUNTIME(cudaMemcpy2DToArray);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemcpy2DToArrayAsync);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
    SHFLVIZ_RUNTIME(cudaMemcpy2DFromArray);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemcpy2DFromArrayAsync);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                     size_t fromX, size_t fromY, size_t width, size_t height,
                                     enum cudaMemcpyKind kind __dv(cudaMemcpyDeviceToDevice))
    SHFLVIZ_RUNTIME(cudaMemcpy2DArrayToArray);
cudaError_t cudaMemset(void *to, int value, size_t size) SHFLVIZ_RUNTIME(cudaMemset);
__host__ __device__ cudaError_t cudaMemsetAsync(void *to, int value, size_t size,
                                                cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemsetAsync);
cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
    SHFLVIZ_RUNTIME(cudaMemset2D);
__host__ __device__ cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width,
                                                  size_t height, cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemset2DAsync);
cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
    SHFLVIZ_RUNTIME(cudaMemset3D);
__host__ __device__ cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr to, int value,
                                                  struct cudaExtent extent,
                                                  cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaMemset3DAsync);

/* ---- streams and events ---- */

cudaError_t cudaStreamCreate(cudaStream_t *stream) SHFLVIZ_RUNTIME(cudaStreamCreate);
__host__ __device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaStreamCreateWithFlags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
    SHFLVIZ_RUNTIME(cudaStreamCreateWithPriority);
__host__ __device__ cudaError_t cudaStreamDestroy(cudaStream_t stream)
    SHFLVIZ_RUNTIME(cudaStreamDestroy);
cudaError_t cudaStreamSynchronize(cudaStream_t stream) SHFLVIZ_RUNTIME(cudaStreamSynchronize);
cudaError_t cudaStreamQuery(cudaStream_t stream) SHFLVIZ_RUNTIME(cudaStreamQuery);
__host__ __device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                    unsigned int flags __dv(0))
    SHFLVIZ_RUNTIME(cudaStreamWaitEvent);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaStreamAddCallback);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
    SHFLVIZ_RUNTIME(cudaStreamGetFlags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
    SHFLVIZ_RUNTIME(cudaStreamGetPriority);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
    SHFLVIZ_RUNTIME(cudaStreamGetId);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
    SHFLVIZ_RUNTIME(cudaStreamGetDevice);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value)
    SHFLVIZ_RUNTIME(cudaStreamSetAttribute);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value)
    SHFLVIZ_RUNTIME(cudaStreamGetAttribute);
cudaError_t cudaEventCreate(cudaEvent_t *event) SHFLVIZ_RUNTIME(cudaEventCreate);
__host__ __device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaEventCreateWithFlags);
__host__ __device__ cudaError_t cudaEventDestroy(cudaEvent_t event)
    SHFLVIZ_RUNTIME(cudaEventDestroy);
__host__ __device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream __dv(0))
    SHFLVIZ_RUNTIME(cudaEventRecord);
__host__ __device__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                                         cudaStream_t stream __dv(0),
                                                         unsigned int flags __dv(0))
    SHFLVIZ_RUNTIME(cudaEventRecordWithFlags);
cudaError_t cudaEventQuery(cudaEvent_t event) SHFLVIZ_RUNTIME(cudaEventQuery);
cudaError_t cudaEventSynchronize(cudaEvent_t event) SHFLVIZ_RUNTIME(cudaEventSynchronize);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
    SHFLVIZ_RUNTIME(cudaEventElapsedTime);

/* ---- graphs ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
    SHFLVIZ_RUNTIME(cudaStreamBeginCapture);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
    SHFLVIZ_RUNTIME(cudaStreamEndCapture);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
    SHFLVIZ_RUNTIME(cudaStreamIsCapturing);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode)
    SHFLVIZ_RUNTIME(cudaStreamBeginCaptureToGraph);
cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                         unsigned long long *id __dv(NULL), cudaGraph_t *graph __dv(NULL),
                         const cudaGraphNode_t **last __dv(NULL),
                         const cudaGraphEdgeData **edges __dv(NULL), size_t *count __dv(NULL))
    SHFLVIZ_RUNTIME(cudaStreamGetCaptureInfo);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags __dv(0))
    SHFLVIZ_RUNTIME(cudaStreamUpdateCaptureDependencies);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
    SHFLVIZ_RUNTIME(cudaThreadExchangeStreamCaptureMode);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
    SHFLVIZ_RUNTIME(cudaGraphCreate);
cudaError_t cudaGraphDestroy(cudaGraph_t graph) SHFLVIZ_RUNTIME(cudaGraphDestroy);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph) SHFLVIZ_RUNTIME(cudaGraphClone);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaKernelNodeParams *params)
    SHFLVIZ_RUNTIME(cudaGraphAddKernelNode);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *params)
    SHFLVIZ_RUNTIME(cudaGraphAddMemcpyNode);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t size, enum cudaMemcpyKind kind)
    SHFLVIZ_RUNTIME(cudaGraphAddMemcpyNode1D);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *params)
    SHFLVIZ_RUNTIME(cudaGraphAddMemsetNode);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *params)
    SHFLVIZ_RUNTIME(cudaGraphAddHostNode);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child)
    SHFLVIZ_RUNTIME(cudaGraphAddChildGraphNode);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count)
    SHFLVIZ_RUNTIME(cudaGraphAddEmptyNode);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *after, size_t count,
                                        cudaEvent_t event)
    SHFLVIZ_RUNTIME(cudaGraphAddEventRecordNode);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *after, size_t count, cudaEvent_t event)
    SHFLVIZ_RUNTIME(cudaGraphAddEventWaitNode);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *params) SHFLVIZ_RUNTIME(cudaGraphAddNode);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
    SHFLVIZ_RUNTIME(cudaGraphGetNodes);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
    SHFLVIZ_RUNTIME(cudaGraphGetRootNodes);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
    SHFLVIZ_RUNTIME(cudaGraphNodeGetType);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params)
    SHFLVIZ_RUNTIME(cudaGraphKernelNodeGetParams);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *params)
    SHFLVIZ_RUNTIME(cudaGraphKernelNodeSetParams);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags __dv(0))
    SHFLVIZ_RUNTIME(cudaGraphInstantiate);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags __dv(0))
    SHFLVIZ_RUNTIME(cudaGraphInstantiateWithFlags);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cudaGraphUpload);
__host__ __device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
    SHFLVIZ_RUNTIME(cudaGraphLaunch);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) SHFLVIZ_RUNTIME(cudaGraphExecDestroy);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
    SHFLVIZ_RUNTIME(cudaGraphExecUpdate);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params)
    SHFLVIZ_RUNTIME(cudaGraphExecKernelNodeSetParams);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t size,
                                               enum cudaMemcpyKind kind)
    SHFLVIZ_RUNTIME(cudaGraphExecMemcpyNodeSetParams1D);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params)
    SHFLVIZ_RUNTIME(cudaGraphExecMemsetNodeSetParams);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params)
    SHFLVIZ_RUNTIME(cudaGraphExecHostNodeSetParams);

/* ---- textures ---- */

cudaError_t
cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                        const struct cudaTextureDesc *desc, const struct cudaResourceViewDesc *view)
    SHFLVIZ_RUNTIME(cudaCreateTextureObject);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
    SHFLVIZ_RUNTIME(cudaDestroyTextureObject);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t texture)
    SHFLVIZ_RUNTIME(cudaGetTextureObjectResourceDesc);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *desc,
                                            cudaTextureObject_t texture)
    SHFLVIZ_RUNTIME(cudaGetTextureObjectTextureDesc);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
    SHFLVIZ_RUNTIME(cudaCreateChannelDesc);

#ifdef __cplusplus
}
#endif

#endif
