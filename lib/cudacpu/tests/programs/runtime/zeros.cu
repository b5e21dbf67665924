// The errors of the runtime's functions when all arguments are zero. After a sticky error, each of
// them returns that error until the device is reset.
#include <cassert>
#include <cstdio>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#define NAMES(X)                                                                                   \
    X(cudaGetDeviceCount);                                                                         \
    X(cudaGetDevice);                                                                              \
    X(cudaSetDevice);                                                                              \
    X(cudaInitDevice);                                                                             \
    X(cudaSetValidDevices);                                                                        \
    X(cudaSetDeviceFlags);                                                                         \
    X(cudaGetDeviceFlags);                                                                         \
    X(cudaChooseDevice);                                                                           \
    X(cudaGetDeviceProperties);                                                                    \
    X(cudaDeviceGetAttribute);                                                                     \
    X(cudaDeviceGetPCIBusId);                                                                      \
    X(cudaDeviceGetByPCIBusId);                                                                    \
    X(cudaDeviceSynchronize);                                                                      \
    X(cudaDeviceSetLimit);                                                                         \
    X(cudaDeviceGetLimit);                                                                         \
    X(cudaDeviceSetCacheConfig);                                                                   \
    X(cudaDeviceGetCacheConfig);                                                                   \
    X(cudaDeviceGetStreamPriorityRange);                                                           \
    X(cudaDeviceCanAccessPeer);                                                                    \
    X(cudaDeviceEnablePeerAccess);                                                                 \
    X(cudaDeviceDisablePeerAccess);                                                                \
    X(cudaDeviceGetP2PAttribute);                                                                  \
    X(cudaCtxResetPersistingL2Cache);                                                              \
    X(cudaProfilerStart);                                                                          \
    X(cudaProfilerStop);                                                                           \
    X(cudaLaunchKernelExC);                                                                        \
    X(cudaLaunchHostFunc);                                                                         \
    X(cudaHostRegister);                                                                           \
    X(cudaHostUnregister);                                                                         \
    X(cudaHostGetFlags);                                                                           \
    X(cudaMalloc3D);                                                                               \
    X(cudaMallocArray);                                                                            \
    X(cudaMalloc3DArray);                                                                          \
    X(cudaArrayGetInfo);                                                                           \
    X(cudaGetChannelDesc);                                                                         \
    X(cudaFree);                                                                                   \
    X(cudaFreeHost);                                                                               \
    X(cudaFreeArray);                                                                              \
    X(cudaMemGetInfo);                                                                             \
    X(cudaPointerGetAttributes);                                                                   \
    X(cudaFreeAsync);                                                                              \
    X(cudaDeviceGetDefaultMemPool);                                                                \
    X(cudaDeviceGetMemPool);                                                                       \
    X(cudaDeviceSetMemPool);                                                                       \
    X(cudaMemPoolCreate);                                                                          \
    X(cudaMemPoolDestroy);                                                                         \
    X(cudaMemPoolTrimTo);                                                                          \
    X(cudaMemPoolSetAttribute);                                                                    \
    X(cudaMemPoolGetAttribute);                                                                    \
    X(cudaMemPoolSetAccess);                                                                       \
    X(cudaMemPoolGetAccess);                                                                       \
    X(cudaMemcpy);                                                                                 \
    X(cudaMemcpyAsync);                                                                            \
    X(cudaMemcpyPeer);                                                                             \
    X(cudaMemcpyPeerAsync);                                                                        \
    X(cudaMemcpy2D);                                                                               \
    X(cudaMemcpy2DAsync);                                                                          \
    X(cudaMemcpy3D);                                                                               \
    X(cudaMemcpy3DAsync);                                                                          \
    X(cudaMemcpyToArray);                                                                          \
    X(cudaMemcpyFromArray);                                                                        \
    X(cudaMemcpy2DToArray);                                                                        \
    X(cudaMemcpy2DToArrayAsync);                                                                   \
    X(cudaMemcpy2DFromArray);                                                                      \
    X(cudaMemcpy2DFromArrayAsync);                                                                 \
    X(cudaMemcpy2DArrayToArray);                                                                   \
    X(cudaMemset);                                                                                 \
    X(cudaMemsetAsync);                                                                            \
    X(cudaMemset2D);                                                                               \
    X(cudaMemset2DAsync);                                                                          \
    X(cudaMemset3D);                                                                               \
    X(cudaMemset3DAsync);                                                                          \
    X(cudaStreamCreate);                                                                           \
    X(cudaStreamCreateWithFlags);                                                                  \
    X(cudaStreamCreateWithPriority);                                                               \
    X(cudaStreamDestroy);                                                                          \
    X(cudaStreamSynchronize);                                                                      \
    X(cudaStreamQuery);                                                                            \
    X(cudaStreamWaitEvent);                                                                        \
    X(cudaStreamAddCallback);                                                                      \
    X(cudaStreamGetFlags);                                                                         \
    X(cudaStreamGetPriority);                                                                      \
    X(cudaStreamGetId);                                                                            \
    X(cudaStreamGetDevice);                                                                        \
    X(cudaStreamSetAttribute);                                                                     \
    X(cudaStreamGetAttribute);                                                                     \
    X(cudaEventCreateWithFlags);                                                                   \
    X(cudaEventDestroy);                                                                           \
    X(cudaEventRecord);                                                                            \
    X(cudaEventRecordWithFlags);                                                                   \
    X(cudaEventQuery);                                                                             \
    X(cudaEventSynchronize);                                                                       \
    X(cudaEventElapsedTime);                                                                       \
    X(cudaStreamBeginCapture);                                                                     \
    X(cudaStreamEndCapture);                                                                       \
    X(cudaStreamIsCapturing);                                                                      \
    X(cudaStreamBeginCaptureToGraph);                                                              \
    X(cudaThreadExchangeStreamCaptureMode);                                                        \
    X(cudaGraphCreate);                                                                            \
    X(cudaGraphDestroy);                                                                           \
    X(cudaGraphClone);                                                                             \
    X(cudaGraphAddKernelNode);                                                                     \
    X(cudaGraphAddMemcpyNode);                                                                     \
    X(cudaGraphAddMemcpyNode1D);                                                                   \
    X(cudaGraphAddMemsetNode);                                                                     \
    X(cudaGraphAddHostNode);                                                                       \
    X(cudaGraphAddChildGraphNode);                                                                 \
    X(cudaGraphAddEmptyNode);                                                                      \
    X(cudaGraphAddEventRecordNode);                                                                \
    X(cudaGraphAddEventWaitNode);                                                                  \
    X(cudaGraphGetNodes);                                                                          \
    X(cudaGraphGetRootNodes);                                                                      \
    X(cudaGraphNodeGetType);                                                                       \
    X(cudaGraphKernelNodeGetParams);                                                               \
    X(cudaGraphKernelNodeSetParams);                                                               \
    X(cudaGraphInstantiateWithFlags);                                                              \
    X(cudaGraphUpload);                                                                            \
    X(cudaGraphLaunch);                                                                            \
    X(cudaGraphExecDestroy);                                                                       \
    X(cudaGraphExecKernelNodeSetParams);                                                           \
    X(cudaGraphExecMemcpyNodeSetParams1D);                                                         \
    X(cudaGraphExecMemsetNodeSetParams);                                                           \
    X(cudaGraphExecHostNodeSetParams);                                                             \
    X(cudaCreateTextureObject);                                                                    \
    X(cudaDestroyTextureObject);                                                                   \
    X(cudaGetTextureObjectResourceDesc);                                                           \
    X(cudaGetTextureObjectTextureDesc);

__global__ void fail() {
    assert(false);
}

template <class... Arguments> static int of_zeros(cudaError_t (*function)(Arguments...)) {
    const cudaError_t error = function(Arguments{}...);
    if (error != cudaSuccess && error != cudaGetLastError())
        printf("the last error is another\n");
    return error;
}
static int functions, others;
static void expect(const char *name, int error, int wanted) {
    functions++;
    if (error != wanted)
        printf("%s: %d\n", name, error), others++;
}

int main() {
    printf("what is not %d:\n", cudaErrorInvalidValue);
#define INVALID(name) expect(#name, of_zeros(name), cudaErrorInvalidValue)
    NAMES(INVALID)
    printf("%d of %d\n", others, functions);
    fail<<<1, 1>>>();
    functions = others = 0;
    printf("what is not %d:\n", cudaErrorAssert); // functions that check their arguments first
#define LASTS(name) expect(#name, of_zeros(name), cudaErrorAssert)
    NAMES(LASTS)
    printf("%d of %d\n", others, functions);
    void *memory;
    printf("%d", cudaMalloc(&memory, 4));
    printf(" %d", cudaDeviceReset());
    printf(" %d", cudaGetLastError());
    printf(" %d\n", cudaMalloc(&memory, 4));
}
