/*
 * driver_types.h - the types of the CUDA runtime. C reads it, too.
 */
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

/* The numbers are CUDA's. */
enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorLaunchFailure = 719,
    cudaErrorLaunchTimeout = 702,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
};

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

typedef enum cudaError cudaError_t;
typedef struct shflviz_stream *cudaStream_t;
typedef struct shflviz_event {
    double milliseconds;
} * cudaEvent_t;

#endif
