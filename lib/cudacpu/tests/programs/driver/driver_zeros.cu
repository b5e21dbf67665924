// The errors of the driver's functions when all arguments are zero: before the driver is
// initialized, without a context, and with one.
#include <cstdio>
#include <cuda.h>

#define NAMES(X)                                                                                   \
    X(cuDeviceGet);                                                                                \
    X(cuDeviceGetCount);                                                                           \
    X(cuDeviceGetName);                                                                            \
    X(cuDeviceGetUuid);                                                                            \
    X(cuDeviceTotalMem);                                                                           \
    X(cuDeviceGetAttribute);                                                                       \
    X(cuDevicePrimaryCtxRetain);                                                                   \
    X(cuDevicePrimaryCtxRelease);                                                                  \
    X(cuCtxDestroy);                                                                               \
    X(cuCtxPushCurrent);                                                                           \
    X(cuCtxPopCurrent);                                                                            \
    X(cuCtxSetCurrent);                                                                            \
    X(cuCtxGetCurrent);                                                                            \
    X(cuCtxGetDevice);                                                                             \
    X(cuCtxSynchronize);                                                                           \
    X(cuMemGetInfo);                                                                               \
    X(cuMemAlloc);                                                                                 \
    X(cuMemFree);                                                                                  \
    X(cuMemAllocHost);                                                                             \
    X(cuMemFreeHost);                                                                              \
    X(cuMemcpyHtoD);                                                                               \
    X(cuMemcpyDtoH);                                                                               \
    X(cuMemcpyDtoD);                                                                               \
    X(cuMemcpyHtoDAsync);                                                                          \
    X(cuMemcpyDtoHAsync);                                                                          \
    X(cuMemcpyDtoDAsync);                                                                          \
    X(cuMemsetD8);                                                                                 \
    X(cuMemsetD16);                                                                                \
    X(cuMemsetD32);                                                                                \
    X(cuMemsetD8Async);                                                                            \
    X(cuMemsetD16Async);                                                                           \
    X(cuMemsetD32Async);                                                                           \
    X(cuStreamCreate);                                                                             \
    X(cuStreamDestroy);                                                                            \
    X(cuStreamSynchronize);                                                                        \
    X(cuEventCreate);                                                                              \
    X(cuEventRecord);                                                                              \
    X(cuEventSynchronize);                                                                         \
    X(cuEventElapsedTime);                                                                         \
    X(cuEventDestroy);                                                                             \
    X(cuLaunchKernel);                                                                             \
    X(cuModuleLoad);                                                                               \
    X(cuModuleLoadData);                                                                           \
    X(cuModuleLoadDataEx);                                                                         \
    X(cuModuleLoadFatBinary);                                                                      \
    X(cuModuleUnload);                                                                             \
    X(cuModuleGetFunction);                                                                        \
    X(cuModuleGetGlobal);

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
