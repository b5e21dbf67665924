// What the driver's functions say to zeros for all their arguments, before there is a driver,
// without a context, and with one.
#include <cstdio>
#include <cuda.h>

#define NAMES(X)                                                                                   \
    X(cuDeviceGet);                                                                                \
    X(cuDeviceGetCount);                                                                           \
    X(cuDeviceGetName);                                                                            \
    X(cuDeviceGetUuid);                                                                            \
    X(cuDeviceTotalMem);                                                                           \
    X(cuDeviceGetAttribute);                                                                       \
    X(cuDeviceCanAccessPeer);                                                                      \
    X(cuDevicePrimaryCtxRetain);                                                                   \
    X(cuDevicePrimaryCtxRelease);                                                                  \
    X(cuCtxDestroy);                                                                               \
    X(cuCtxPushCurrent);                                                                           \
    X(cuCtxPopCurrent);                                                                            \
    X(cuCtxSetCurrent);                                                                            \
    X(cuCtxGetCurrent);                                                                            \
    X(cuCtxGetDevice);                                                                             \
    X(cuCtxGetApiVersion);                                                                         \
    X(cuCtxSynchronize);                                                                           \
    X(cuCtxSetLimit);                                                                              \
    X(cuCtxGetLimit);                                                                              \
    X(cuCtxSetCacheConfig);                                                                        \
    X(cuCtxGetStreamPriorityRange);                                                                \
    X(cuCtxGetFlags);                                                                              \
    X(cuCtxEnablePeerAccess);                                                                      \
    X(cuCtxDisablePeerAccess);                                                                     \
    X(cuMemGetInfo);                                                                               \
    X(cuMemAlloc);                                                                                 \
    X(cuMemAllocManaged);                                                                          \
    X(cuMemAllocPitch);                                                                            \
    X(cuMemHostGetDevicePointer);                                                                  \
    X(cuMemFree);                                                                                  \
    X(cuMemAllocHost);                                                                             \
    X(cuMemHostAlloc);                                                                             \
    X(cuMemFreeHost);                                                                              \
    X(cuMemGetAddressRange);                                                                       \
    X(cuMemcpy);                                                                                   \
    X(cuMemcpyHtoD);                                                                               \
    X(cuMemcpyDtoH);                                                                               \
    X(cuMemcpyDtoD);                                                                               \
    X(cuMemcpyAsync);                                                                              \
    X(cuMemcpyHtoDAsync);                                                                          \
    X(cuMemcpyDtoHAsync);                                                                          \
    X(cuMemcpyDtoDAsync);                                                                          \
    X(cuMemsetD8);                                                                                 \
    X(cuMemsetD16);                                                                                \
    X(cuMemsetD32);                                                                                \
    X(cuMemsetD8Async);                                                                            \
    X(cuMemsetD16Async);                                                                           \
    X(cuMemsetD32Async);                                                                           \
    X(cuMemHostRegister);                                                                          \
    X(cuMemHostUnregister);                                                                        \
    X(cuStreamCreate);                                                                             \
    X(cuStreamCreateWithPriority);                                                                 \
    X(cuStreamDestroy);                                                                            \
    X(cuStreamSynchronize);                                                                        \
    X(cuStreamQuery);                                                                              \
    X(cuStreamWaitEvent);                                                                          \
    X(cuEventCreate);                                                                              \
    X(cuEventRecord);                                                                              \
    X(cuEventQuery);                                                                               \
    X(cuEventSynchronize);                                                                         \
    X(cuEventElapsedTime);                                                                         \
    X(cuEventDestroy);                                                                             \
    X(cuLaunchKernel);                                                                             \
    X(cuFuncGetAttribute);                                                                         \
    X(cuFuncSetAttribute);                                                                         \
    X(cuFuncSetCacheConfig);                                                                       \
    X(cuFuncGetName);                                                                              \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor);                                                \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags);                                       \
    X(cuOccupancyAvailableDynamicSMemPerBlock);                                                    \
    X(cuOccupancyMaxPotentialBlockSizeWithFlags);                                                  \
    X(cuOccupancyMaxPotentialBlockSize);                                                           \
    X(cuLaunchCooperativeKernel);                                                                  \
    X(cuLaunchHostFunc);                                                                           \
    X(cuModuleLoad);                                                                               \
    X(cuModuleLoadData);                                                                           \
    X(cuModuleLoadDataEx);                                                                         \
    X(cuModuleLoadFatBinary);                                                                      \
    X(cuLinkCreate);                                                                               \
    X(cuModuleUnload);                                                                             \
    X(cuModuleGetFunction);                                                                        \
    X(cuModuleGetGlobal);                                                                          \
    X(cuLinkAddData);                                                                              \
    X(cuLinkAddFile);                                                                              \
    X(cuLinkComplete);                                                                             \
    X(cuLinkDestroy);                                                                              \
    X(cuArray3DCreate);                                                                            \
    X(cuArrayCreate);                                                                              \
    X(cuArrayDestroy);                                                                             \
    X(cuArray3DGetDescriptor);                                                                     \
    X(cuArrayGetDescriptor);                                                                       \
    X(cuMemcpy3D);                                                                                 \
    X(cuMemcpy3DAsync);                                                                            \
    X(cuMemcpy2D);                                                                                 \
    X(cuMemcpy2DUnaligned);                                                                        \
    X(cuMemcpy2DAsync);                                                                            \
    X(cuMemcpyHtoA);                                                                               \
    X(cuMemcpyAtoH);                                                                               \
    X(cuMemcpyDtoA);                                                                               \
    X(cuMemcpyAtoD);                                                                               \
    X(cuTexObjectCreate);                                                                          \
    X(cuTexObjectDestroy);                                                                         \
    X(cuMemCreate);                                                                                \
    X(cuMemRelease);                                                                               \
    X(cuMemRetainAllocationHandle);                                                                \
    X(cuMemGetAllocationGranularity);                                                              \
    X(cuMemGetAllocationPropertiesFromHandle);                                                     \
    X(cuMemAddressReserve);                                                                        \
    X(cuMemAddressFree);                                                                           \
    X(cuMemMap);                                                                                   \
    X(cuMemUnmap);                                                                                 \
    X(cuMemSetAccess);                                                                             \
    X(cuMemGetAccess);

template <class... Arguments> static int of_zeros(CUresult (*function)(Arguments...)) {
    return function(Arguments{}...);
}
static int functions, others;
static void expect(const char *name, int error, int wanted) {
    functions++;
    if (error != wanted)
        printf("%s: %d\n", name, error), others++;
}

int main() {
    CUcontext context;
    printf("what is not %d:\n", CUDA_ERROR_NOT_INITIALIZED);
#define NO_DRIVER(name) expect(#name, of_zeros(name), CUDA_ERROR_NOT_INITIALIZED)
    NAMES(NO_DRIVER)
    printf("%d of %d\nwhat is not %d:\n", others, functions, CUDA_ERROR_INVALID_CONTEXT);
    cuInit(0);
    functions = others = 0;
#define NO_CONTEXT(name) expect(#name, of_zeros(name), CUDA_ERROR_INVALID_CONTEXT)
    NAMES(NO_CONTEXT)
    printf("%d of %d\ncontext: %d\n", others, functions, cuCtxCreate(&context, nullptr, 0, 0));
    printf("what is not %d:\n", CUDA_ERROR_INVALID_VALUE);
    functions = others = 0;
#define INVALID(name)                                                                              \
    cuCtxSetCurrent(context);                                                                      \
    expect(#name, of_zeros(name), CUDA_ERROR_INVALID_VALUE);
    NAMES(INVALID)
    printf("%d of %d\n", others, functions);
}
