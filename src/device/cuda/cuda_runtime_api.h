/*
 * cuda_runtime_api.h - the host's side of the CUDA runtime.
 */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"
#include "shflviz/cpu/runtime.h"

#include <stdlib.h>

static inline cudaError_t cudaMalloc(void **pointer, size_t size) {
    return (cudaError_t)cpu_runtime_malloc(pointer, size);
}
template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t size) {
    return cudaMalloc(reinterpret_cast<void **>(pointer), size);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned = 1) {
    return cudaMalloc(pointer, size);
}
template <class T> static inline cudaError_t cudaMallocHost(T **pointer, size_t size) {
    return cudaMalloc(pointer, size);
}
static inline cudaError_t cudaFree(void *pointer) {
    return (cudaError_t)cpu_runtime_free(pointer);
}
static inline cudaError_t cudaFreeHost(void *pointer) {
    return cudaFree(pointer);
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind) {
    if ((unsigned)kind > cudaMemcpyDefault)
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidMemcpyDirection);
    if (size && (!to || !from))
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidValue);
    if (size)
        cpu_runtime_copy(to, from, size);
    return (cudaError_t)cpu_runtime_synchronize();
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                                          cudaMemcpyKind kind, cudaStream_t = nullptr) {
    return cudaMemcpy(to, from, size, kind);
}
static inline cudaError_t cudaMemset(void *to, int value, size_t size) {
    if (size && !to)
        return (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidValue);
    if (size)
        cpu_runtime_fill(to, value, size);
    return cudaSuccess;
}
static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t size,
                                          cudaStream_t = nullptr) {
    return cudaMemset(to, value, size);
}

static inline cudaError_t cudaGetLastError() {
    return (cudaError_t)cpu_runtime_error(1);
}
static inline cudaError_t cudaPeekAtLastError() {
    return (cudaError_t)cpu_runtime_error(0);
}
static inline const char *cudaGetErrorString(cudaError_t error) {
    return cpu_runtime_error_string(error);
}
static inline const char *cudaGetErrorName(cudaError_t error) {
    return cpu_runtime_error_name(error);
}
static inline cudaError_t cudaDeviceSynchronize() {
    return (cudaError_t)cpu_runtime_synchronize();
}
static inline cudaError_t cudaDeviceReset() {
    return (cudaError_t)cpu_runtime_reset();
}
static inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}
static inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
static inline cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : (cudaError_t)cpu_runtime_set_error(cudaErrorInvalidDevice);
}

/* Everything is done when a call returns, so streams are all one and events are moments. */
static inline cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    *stream = nullptr;
    return cudaSuccess;
}
static inline cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
    return cudaDeviceSynchronize();
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = static_cast<cudaEvent_t>(calloc(1, sizeof **event));
    return *event ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    free(event);
    return cudaSuccess;
}
static inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
    event->milliseconds = cpu_runtime_milliseconds();
    return cudaSuccess;
}
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) {
    return cudaDeviceSynchronize();
}
static inline cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                               cudaEvent_t end) {
    *milliseconds = (float)(end->milliseconds - start->milliseconds);
    return cudaSuccess;
}

#endif
