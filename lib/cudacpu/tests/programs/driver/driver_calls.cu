// The driver's calls, by family, with values worked out by hand: names, attributes, contexts,
// fills, copies, launches. Also their results for wrong arguments (CUDA Driver API, the return
// values of each), and after a sticky error.
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static int calls;
static void expect(int line, CUresult result, CUresult wanted) {
    calls++;
    if (result != wanted)
        printf("line %d: %d, not %d\n", line, result, wanted);
}
#define GIVES(wanted, call) expect(__LINE__, call, wanted)
#define OK(call)            GIVES(CUDA_SUCCESS, call)
#define INVALID(call)       GIVES(CUDA_ERROR_INVALID_VALUE, call)
static void must(int line, bool is_so) {
    calls++;
    if (!is_so)
        printf("line %d is not so\n", line);
}
#define IS(what) must(__LINE__, what)

__global__ void add(int *x, int n) {
    x[threadIdx.x] += n;
}
__global__ void fail() {
    assert(false);
}

/* CUDA 13.0's cuda.h has 101 results; sums of their numbers and of their names' letters. */
static void names() {
    int count = 0, numbers = 0, letters = 0;
    const char *name, *text;
    for (int i = 0; i < 1000; i++)
        if (cuGetErrorName((CUresult)i, &name) == CUDA_SUCCESS) {
            count++, numbers += i, letters += (int)strlen(name);
            IS(cuGetErrorString((CUresult)i, &text) == CUDA_SUCCESS && text);
        } else
            IS(name == nullptr);
    printf("%d %d %d\n", count, numbers, letters); // 101 50743 2971
}

static void devices() {
    int of_driver, of_runtime, major;
    char name[8];
    CUuuid id;
    cudaDeviceProp properties;
    for (int i = 1; i < 150; i++)
        if (cudaDeviceGetAttribute(&of_runtime, (cudaDeviceAttr)i, 0) == cudaSuccess) {
            OK(cuDeviceGetAttribute(&of_driver, (CUdevice_attribute)i, 0));
            IS(of_driver == of_runtime);
        }
    cudaGetLastError();
    cudaGetDeviceProperties(&properties, 0);
    OK(cuDeviceGetAttribute(&of_driver, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 0));
    IS(of_driver == 64);
    OK(cuDeviceGetAttribute(&of_driver, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 0));
    IS(of_driver == 65535);
    OK(cuDeviceGetAttribute(&of_driver, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 0));
    IS(of_driver == 65536);
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    IS(major == properties.major);
    OK(cuDeviceGetName(name, sizeof name, 0));
    IS(strlen(name) == 7 &&
       strncmp(name, properties.name, 7) == 0); // limited to the bytes that exist
    OK(cuDeviceGetUuid(&id, 0));
    IS(memcmp(&id, &properties.uuid, 16) == 0);
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetUuid(&id, 1));
}

static void contexts() {
    CUcontext primary, other, now;
    INVALID(cuCtxCreate(&other, nullptr, ~0u, 0));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent((CUcontext)&calls));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent((CUcontext)&calls));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuCtxCreate(&other, CU_CTX_SCHED_SPIN, 0)); // as in versions up to CUDA 12
    OK(cuCtxPushCurrent(primary));
    OK(cuCtxDestroy(other)); // not the current context
    OK(cuCtxGetCurrent(&now));
    IS(now == primary);
}

static void memory() {
    CUdeviceptr x, y;
    unsigned char bytes[16], host[16];
    int *pinned;
    CUstream stream, gone;
    OK(cuStreamCreate(&gone, CU_STREAM_DEFAULT));
    OK(cuStreamCreate(&stream,
                      CU_STREAM_NON_BLOCKING)); // made while `gone` exists: a different handle
    OK(cuStreamDestroy(gone));
    OK(cuMemAlloc(&x, 16));
    OK(cuMemAlloc(&y, 16));
    OK(cuMemsetD8(x, 1, 16));
    OK(cuMemsetD16(x + 2, 0x0302, 2));
    OK(cuMemsetD8Async(x + 6, 9, 2, stream));
    OK(cuMemsetD16Async(x + 8, 0x0504, 1, stream));
    OK(cuMemsetD32Async(x + 12, 0x0b0a0908, 1, stream));
    INVALID(cuMemsetD8(x, 0, 17));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemsetD8Async(x, 0, 1, gone));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyDtoDAsync(y, x, 8, gone));
    OK(cuMemcpyDtoD(y, x, 16));
    OK(cuMemcpyDtoHAsync(bytes, y, 16, stream));
    OK(cuStreamSynchronize(stream));
    for (int i = 0; i < 16; i++)
        printf("%d ", bytes[i]); // 1 1 2 3 2 3 9 9 4 5 1 1 8 9 10 11
    printf("\n");
    for (int i = 0; i < 16; i++)
        host[i] = (unsigned char)(i * 3);
    OK(cuMemcpyHtoDAsync(x, host, 16, stream));
    OK(cuMemcpyDtoDAsync(y, x + 8, 8, stream));
    OK(cuMemcpyDtoHAsync(bytes, y, 8, stream));
    IS(memcmp(bytes, host + 8, 8) == 0);
    // Host memory, which a kernel can access directly.
    OK(cuMemAllocHost((void **)&pinned, 64));
    pinned[3] = 5;
    add<<<1, 4>>>(pinned, 3);
    OK(cuCtxSynchronize());
    IS(pinned[3] == 8);
    OK(cuMemFreeHost(pinned));
}

static void launches() {
    CUfunction function;
    int n = 4;
    CUdeviceptr x;
    CUevent event;
    int host[4] = {1, 2, 3, 4};
    cudaGetFuncBySymbol(&function, (void *)add);
    OK(cuMemAlloc(&x, 16));
    OK(cuMemcpyHtoD(x, host, 16));
    void *parameters[] = {&x, &n};
    void *end[] = {CU_LAUNCH_PARAM_END}, *buffer[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &x};
    OK(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, parameters, nullptr));
    OK(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, parameters, end));
    GIVES(CUDA_ERROR_NOT_SUPPORTED,
          cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, nullptr, buffer));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(event, 0));
    OK(cuEventSynchronize(event));
    OK(cuEventDestroy(event));
    OK(cuMemcpyDtoH(host, x, 16));
    IS(host[0] == 9 && host[3] == 12);
    INVALID(cuLaunchKernel(function, 1, 1, 1, 0, 1, 1, 0, 0, parameters, nullptr));
    INVALID(cuLaunchKernel(function, 1, 1, 1, 2000, 1, 1, 0, 0, parameters, nullptr));
    // The sticky error after a failed assertion.
    fail<<<1, 1>>>();
    GIVES(CUDA_ERROR_ASSERT, cuCtxSynchronize());
    GIVES(CUDA_ERROR_ASSERT, cuMemsetD8(x, 0, 1));
    GIVES(CUDA_ERROR_ASSERT, cuMemAlloc(&x, 4));
    GIVES(CUDA_ERROR_ASSERT, cuMemcpyHtoD(x, host, 4));
}

int main() {
    OK(cuInit(0));
    CUcontext context;
    OK(cuCtxCreate(&context, nullptr, 0, 0));
    names();
    devices();
    contexts();
    memory();
    launches();
    printf("%s\n", calls > 1000 ? "all" : "too few");
}
