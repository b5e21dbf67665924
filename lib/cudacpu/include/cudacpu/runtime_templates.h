/*
 * runtime_templates.h - host functions of the CUDA runtime in their C++ forms: for any pointer,
 * any kernel, any variable. Where versions 12 and 13 differ, both forms are here. They are inlined,
 * so that the function called returns to the program's own line.
 */
#ifndef SHFLVIZ_CUDA_RUNTIME_TEMPLATES_H
#define SHFLVIZ_CUDA_RUNTIME_TEMPLATES_H

#include "cudacpu/launch.h"
#include "driver_functions.h"

/* ---- memory ---- */

template <class T>
static __forceinline__ __host__ __device__ cudaError_t cudaMalloc(T **pointer, size_t size) {
    return cudaMalloc((void **)(pointer), size);
}
template <class T>
static __forceinline__ cudaError_t cudaMallocManaged(T **pointer, size_t size,
                                                     unsigned int flags = cudaMemAttachGlobal) {
    return cudaMallocManaged((void **)(pointer), size, flags);
}
template <class T>
static __forceinline__ cudaError_t cudaMallocHost(T **pointer, size_t size,
                                                  unsigned int flags = 0) {
    return cudaHostAlloc((void **)(pointer), size, flags);
}
static __forceinline__ cudaError_t cudaMallocHost(void **pointer, size_t size, unsigned int flags) {
    return cudaHostAlloc(pointer, size, flags);
}
template <class T>
static __forceinline__ cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags) {
    return cudaHostAlloc((void **)(pointer), size, flags);
}
template <class T>
static __forceinline__ cudaError_t cudaHostGetDevicePointer(T **device, void *host,
                                                            unsigned int flags) {
    return cudaHostGetDevicePointer((void **)(device), host, flags);
}
template <class T>
static __forceinline__ cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width,
                                                   size_t height) {
    return cudaMallocPitch((void **)(pointer), pitch, width, height);
}
template <class T>
static __forceinline__ cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream) {
    return cudaMallocAsync((void **)(pointer), size, stream);
}
static __forceinline__ cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                                   cudaStream_t stream) {
    return cudaMallocFromPoolAsync(pointer, size, pool, stream);
}
template <class T>
static __forceinline__ cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaMemPool_t pool,
                                                   cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)(pointer), size, pool, stream);
}
template <class T>
static __forceinline__ cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size,
                                                           cudaMemPool_t pool,
                                                           cudaStream_t stream) {
    return cudaMallocFromPoolAsync((void **)(pointer), size, pool, stream);
}
template <class T>
static __forceinline__ cudaError_t cudaStreamAttachMemAsync(
    cudaStream_t stream, T *pointer, size_t length = 0, unsigned int flags = cudaMemAttachSingle) {
    return cudaStreamAttachMemAsync(stream, static_cast<void *>(pointer), length, flags);
}

/* A device's number, the form until CUDA 12; -1 is the host. */
static inline cudaMemLocation shflviz_location(int device) {
    return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
            device == cudaCpuDeviceId ? 0 : device};
}
static __forceinline__ cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size,
                                                        int device, cudaStream_t stream = nullptr) {
    return cudaMemPrefetchAsync(pointer, size, shflviz_location(device), 0, stream);
}
static __forceinline__ cudaError_t cudaMemAdvise(const void *pointer, size_t size,
                                                 cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(pointer, size, advice, shflviz_location(device));
}

/* ---- symbols ---- */

template <class T>
static __forceinline__ cudaError_t cudaGetSymbolAddress(void **address, const T &symbol) {
    return cudaGetSymbolAddress(address, static_cast<const void *>(std::addressof(symbol)));
}
template <class T> static __forceinline__ cudaError_t cudaGetSymbolSize(size_t *size, const T &) {
    *size = sizeof(T);
    return cudaSuccess;
}
template <class T> static inline void *shflviz_address(const T &symbol) {
    return const_cast<char *>(&reinterpret_cast<const volatile char &>(symbol));
}
template <class T>
static __forceinline__ cudaError_t cudaMemcpyToSymbolAsync(
    const T &symbol, const void *from, size_t size, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
    return cpu_symbol_copy(shflviz_address(symbol), sizeof(T), const_cast<void *>(from), size,
                           offset, kind, stream, 1, 1);
}
template <class T>
static __forceinline__ cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                   cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cpu_symbol_copy(shflviz_address(symbol), sizeof(T), const_cast<void *>(from), size,
                           offset, kind, nullptr, 1, 0);
}
template <class T>
static __forceinline__ cudaError_t cudaMemcpyFromSymbolAsync(
    void *to, const T &symbol, size_t size, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
    return cpu_symbol_copy(shflviz_address(symbol), sizeof(T), to, size, offset, kind, stream, 0,
                           1);
}
template <class T>
static __forceinline__ cudaError_t
cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cpu_symbol_copy(shflviz_address(symbol), sizeof(T), to, size, offset, kind, nullptr, 0,
                           0);
}

/* ---- kernels ---- */

template <class... P>
static __forceinline__ __host__ __device__ cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(P...)) {
    return cudaFuncGetAttributes(attributes, static_cast<const void *>(shflviz::entry(kernel)));
}
template <class... P>
static __forceinline__ cudaError_t cudaFuncSetAttribute(void (*kernel)(P...),
                                                        cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(static_cast<const void *>(shflviz::entry(kernel)), attribute,
                                value);
}
template <class... P>
static __forceinline__ cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...),
                                                          cudaFuncCache config) {
    return cudaFuncSetCacheConfig(static_cast<const void *>(shflviz::entry(kernel)), config);
}
template <class... P>
static __forceinline__ cudaError_t cudaFuncSetSharedMemConfig(void (*kernel)(P...),
                                                              cudaSharedMemConfig config) {
    return cudaFuncSetSharedMemConfig(static_cast<const void *>(shflviz::entry(kernel)), config);
}
template <class... P>
static __forceinline__ cudaError_t cudaFuncGetName(const char **name, void (*kernel)(P...)) {
    return cudaFuncGetName(name, static_cast<const void *>(shflviz::entry(kernel)));
}
/* A kernel in the form of cuLaunchKernel(). */
static __forceinline__ cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function,
                                                       const void *kernel) {
    *function = static_cast<cudaFunction_t>(const_cast<void *>(kernel));
    return cudaSuccess;
}
template <class... P>
static __forceinline__ cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function,
                                                       void (*kernel)(P...)) {
    *function = static_cast<cudaFunction_t>(shflviz::entry(kernel));
    return cudaSuccess;
}
template <class... P>
static __forceinline__ __host__ __device__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(P...), int blockSize,
                                              size_t dynamicShared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, static_cast<const void *>(shflviz::entry(kernel)), blockSize, dynamicShared);
}
template <class... P>
static __forceinline__ __host__ __device__ cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void (*kernel)(P...),
                                                       int blockSize, size_t dynamicShared,
                                                       unsigned int flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, static_cast<const void *>(shflviz::entry(kernel)), blockSize, dynamicShared, flags);
}
template <class... P>
static __forceinline__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size,
                                                                             void (*kernel)(P...),
                                                                             int blocks,
                                                                             int blockSize) {
    return cudaOccupancyAvailableDynamicSMemPerBlock(
        size, static_cast<const void *>(shflviz::entry(kernel)), blocks, blockSize);
}

/* The block size with which a multiprocessor holds the most threads; of several, the largest. */
template <class Shared, class Kernel>
static __forceinline__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, Kernel kernel, Shared sharedOf, int limit = 0,
    unsigned int flags = 0) {
    int most = 0, processors = 0;
    cudaError_t error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    if (error != cudaSuccess)
        return error;
    if (!minGridSize || !blockSize)
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidValue);
    if (limit <= 0 || limit > 1024)
        limit = 1024;
    for (int aligned = (limit + 31) / 32 * 32; aligned > 0; aligned -= 32) {
        int size = aligned < limit ? aligned : limit, blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, size,
                                                                       sharedOf(size), flags);
        if (error != cudaSuccess)
            return error;
        if (size * blocks > most) {
            most = size * blocks;
            *blockSize = size;
            *minGridSize = blocks * processors;
        }
    }
    return cudaSuccess;
}
template <class Shared, class Kernel>
static __forceinline__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *minGridSize, int *blockSize, Kernel kernel, Shared sharedOf, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, kernel,
                                                                   sharedOf, limit);
}
template <class Kernel>
static __forceinline__ cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *minGridSize, int *blockSize, Kernel kernel, size_t shared, int limit, unsigned int flags) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        minGridSize, blockSize, kernel, [shared](int) { return shared; }, limit, flags);
}
template <class Kernel>
static __forceinline__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize,
                                                                      int *blockSize, Kernel kernel,
                                                                      size_t shared = 0,
                                                                      int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, kernel, shared,
                                                       limit, 0);
}

template <class... Parameters, class... Arguments>
static __forceinline__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                      void (*kernel)(Parameters...),
                                                      Arguments &&...arguments) {
    std::tuple<std::decay_t<Parameters>...> values(std::forward<Arguments>(arguments)...);
    return std::apply(
        [&](auto &...value) {
            void *pointers[] = {
                const_cast<void *>(static_cast<const void *>(std::addressof(value)))..., nullptr};
            return cudaLaunchKernelExC(config, shflviz::entry(kernel, "kernel"), pointers);
        },
        values);
}

/* ---- events, graphs ---- */

static __forceinline__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
    return cudaEventCreateWithFlags(event, flags);
}
/* The form until CUDA 12, without edges. */
static __forceinline__ cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                                    const cudaGraphNode_t *after, size_t count,
                                                    cudaGraphNodeParams *params) {
    return cudaGraphAddNode(node, graph, after, nullptr, count, params);
}
static __forceinline__ cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
    cudaGraph_t *graph, const cudaGraphNode_t **last, size_t *count) {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, last, nullptr, count);
}
static __forceinline__ cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                                       cudaGraphNode_t *nodes,
                                                                       size_t count,
                                                                       unsigned int flags = 0) {
    return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}
/* The form until CUDA 11. */
static __forceinline__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                                        cudaGraphNode_t *errorNode, char *log,
                                                        size_t size) {
    if (errorNode)
        *errorNode = nullptr;
    if (log && size)
        *log = '\0';
    return cudaGraphInstantiate(exec, graph, 0);
}
static __forceinline__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                                       cudaGraphNode_t *errorNode,
                                                       cudaGraphExecUpdateResult *result) {
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    if (errorNode)
        *errorNode = info.errorNode;
    if (result)
        *result = info.result;
    return error;
}

#endif
