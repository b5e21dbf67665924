// The driver API: contexts and their stack, host memory, what a function is, occupancy, no modules.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <string>

__global__ void twice(int *x) {
    __shared__ int all[64];
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = 2 * all[threadIdx.x];
}
static void tell(const char *what, CUresult result) {
    const char *name;
    if (cuGetErrorName(result, &name) != CUDA_SUCCESS)
        name = "?";
    printf("%s: %s\n", what, name);
}
static void check(int line, CUresult result) {
    if (result != CUDA_SUCCESS)
        tell(("line " + std::to_string(line)).c_str(), result);
}
#define CHECK(call) check(__LINE__, call)

int main() {
    CUdevice device = 5;
    CUcontext first, second, now;
    int version, major, minor, can;
    unsigned flags, api;
    CUuuid uuid;
    CHECK(cuDriverGetVersion(&version));
    tell("flags", cuInit(1));
    CHECK(cuInit(0));
    CHECK(cuDeviceGetUuid(&uuid, 0));
    CHECK(cuDeviceComputeCapability(&major, &minor, 0));
    printf("version %d, capability %d\n", version >= 12000, major >= 7);
    tell("a second device", cuDeviceGetUuid(&uuid, 1));
    tell("a peer", cuDeviceCanAccessPeer(&can, 0, 1));

    tell("no context", cuCtxGetDevice(&device));
    CHECK(cuCtxCreate(&first, nullptr, CU_CTX_SCHED_YIELD, 0));
    CHECK(cuCtxCreate(&second, nullptr, 0, 0));
    CHECK(cuCtxGetDevice(&device));
    CHECK(cuCtxGetCurrent(&now));
    printf("device %d, the second %d", device, now == second);
    CHECK(cuCtxSetCurrent(first)); // takes the second's place
    CHECK(cuCtxGetCurrent(&now));
    CHECK(cuCtxGetFlags(&flags));
    CHECK(cuCtxGetApiVersion(first, &api));
    printf(", then the first %d, which yields %d\n", now == first,
           (flags & CU_CTX_SCHED_MASK) == CU_CTX_SCHED_YIELD);
    size_t bytes, total;
    CHECK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
    CHECK(cuCtxGetLimit(&bytes, CU_LIMIT_PRINTF_FIFO_SIZE));
    CHECK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    printf("limit %d\n", (int)(bytes >> 20));
    CHECK(cuMemGetInfo(&bytes, &total));
    printf("some of it unused %d\n", bytes > 0 && bytes <= total);

    // Host memory, which a kernel reaches at once.
    int *host, *registered = (int *)calloc(64, sizeof(int));
    CUstream stream;
    CUevent event;
    CUfunction function;
    CHECK(cuMemAllocHost((void **)&host, 64 * sizeof(int)));
    CHECK(cuMemHostRegister(registered, 64 * sizeof(int), 0));
    for (int i = 0; i < 64; i++)
        host[i] = i;
    CHECK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    CHECK(cuEventCreate(&event, CU_EVENT_DEFAULT));
    if (cudaGetFuncBySymbol(&function, (const void *)twice) != cudaSuccess)
        printf("no function\n");
    void *arguments[] = {&host};
    CHECK(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
    CHECK(cuEventRecord(event, stream));
    CHECK(cuEventSynchronize(event));
    tell("event", cuEventQuery(event));
    tell("stream", cuStreamQuery(stream));
    printf("%d %d\n", host[1], host[63]);

    int threads, none, blocks, size;
    const char *name;
    CHECK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    tell("no attribute", cuFuncGetAttribute(&none, (CUfunction_attribute)1000, function));
    CHECK(cuFuncGetName(&name, function));
    printf("%d threads, named %d\n", threads, strstr(name, "twice") != nullptr);
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 1024, 0));
    CHECK(cuOccupancyMaxPotentialBlockSize(&none, &size, function, nullptr, 0, 256));
    printf("blocks of 1024: %d, up to 256: %d\n", blocks >= 1, size);

    CUmodule module;
    tell("a module", cuModuleLoadData(&module, "PTX"));
    CHECK(cuEventDestroy(event));
    CHECK(cuStreamDestroy(stream));
    CHECK(cuMemHostUnregister(registered));
    CHECK(cuMemFreeHost(host));
    tell("no context", cuCtxSetCurrent((CUcontext)&bytes));
    CHECK(cuCtxDestroy(second));
    CHECK(cuCtxDestroy(first));
    CHECK(cuDevicePrimaryCtxRetain(&now, 0));
    CHECK(cuDevicePrimaryCtxRelease(0));
    tell("a second device", cuDevicePrimaryCtxRelease(1));
    free(registered);
    return 0;
}
