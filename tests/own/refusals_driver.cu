// The driver's calls with arguments that are wrong one at a time (CUDA Driver API, the return
// values of each), an error that stays, and virtual memory whose mappings are apart, beside each
// other, gone.
#include <cassert>
#include <cstdio>
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
#define IS(what)            expect(__LINE__, (what) ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN, CUDA_SUCCESS)

__global__ void add(int *x, int n) {
    x[threadIdx.x] += n;
}
__global__ void fail() {
    assert(false);
}

static void contexts() {
    CUcontext one, two, now;
    CUdevice device;
    int value, minor;
    unsigned version;
    OK(cuCtxCreate(&one, nullptr, 0, 0));
    INVALID(cuCtxCreate(nullptr, nullptr, 0, 0));
    INVALID(cuCtxCreate(nullptr, nullptr, 0, 1));
    INVALID(cuCtxCreate(&two, nullptr, ~0u, 0));
    INVALID(cuCtxGetApiVersion(one, nullptr));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetApiVersion((CUcontext)&calls, &version));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent((CUcontext)&calls));
    INVALID(cuCtxGetDevice(nullptr));
    INVALID(cuDeviceGet(nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
    INVALID(cuDevicePrimaryCtxRetain(nullptr, 0));
    INVALID(cuDeviceComputeCapability(nullptr, &minor, 0));
    INVALID(cuDeviceComputeCapability(&value, nullptr, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceComputeCapability(&value, &minor, 1));
    INVALID(cuDeviceTotalMem(nullptr, 0));
    INVALID(cuDeviceGetUuid(nullptr, 0));
    // No more than 64 at once; and one that is below another can be destroyed.
    CUcontext made[100];
    int count = 0;
    while (count < 100 && cuCtxCreate(&made[count], nullptr, 0, 0) == CUDA_SUCCESS)
        count++;
    IS(count > 10 && count < 100);
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuCtxCreate(&two, nullptr, 0, 0));
    while (count)
        OK(cuCtxDestroy(made[--count]));
    OK(cuCtxGetCurrent(&now));
    IS(now == one);
    OK(cuCtxSetCurrent(nullptr));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&now));
    OK(cuCtxDestroy(one));
    OK(cuCtxCreate(&one, nullptr, 0, 0));
}

static void memory(CUdeviceptr *out) {
    CUdeviceptr x, mapped;
    size_t pitch;
    CUstream gone;
    CUfunction function;
    CUdeviceptr managed;
    int value;
    OK(cuMemAlloc(&x, 64));
    INVALID(cuMemAlloc(nullptr, 64));
    INVALID(cuMemAllocManaged(nullptr, 64, CU_MEM_ATTACH_GLOBAL));
    INVALID(cuMemAllocManaged(&managed, 0, CU_MEM_ATTACH_GLOBAL));
    INVALID(cuMemAllocPitch(nullptr, &pitch, 4, 4, 4));
    INVALID(cuMemAllocPitch(&mapped, &pitch, 0, 4, 4));
    INVALID(cuMemAllocPitch(&mapped, &pitch, 4, 0, 4));
    INVALID(cuMemHostGetDevicePointer(nullptr, &calls, 0));
    OK(cuStreamCreate(&gone, 0));
    OK(cuStreamDestroy(gone));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemsetD8Async(x, 0, 1, gone));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMemcpyDtoDAsync(x, x + 32, 8, gone));
    if (cudaGetFuncBySymbol(&function, (const void *)add) != cudaSuccess)
        printf("no function\n");
    INVALID(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr));
    int least, size;
    INVALID(cuOccupancyMaxPotentialBlockSize(nullptr, &size, function, nullptr, 0, 0));
    INVALID(cuOccupancyMaxPotentialBlockSize(&least, nullptr, function, nullptr, 0, 0));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuOccupancyMaxPotentialBlockSize(&least, &size, nullptr, nullptr, 0, 0));
    void *arguments[] = {&x, &value}, *end[] = {CU_LAUNCH_PARAM_END};
    INVALID(cuLaunchKernel(function, 1, 1, 1, 2000, 1, 1, 0, 0, arguments, nullptr));
    value = 1;
    OK(cuMemsetD32(x, 0, 16));
    OK(cuLaunchKernel(function, 1, 1, 1, 16, 1, 1, 0, 0, arguments, end));
    *out = x;
}

static void arrays(CUdeviceptr x) {
    CUarray array, none = nullptr;
    CUDA_ARRAY_DESCRIPTOR shape = {4, 2, CU_AD_FORMAT_FLOAT, 1};
    CUDA_ARRAY3D_DESCRIPTOR deep = {4, 2, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    float host[16] = {1, 2, 3, 4, 5, 6, 7, 8}, got[16] = {};
    INVALID(cuArray3DCreate(nullptr, &deep));
    INVALID(cuArray3DCreate(&array, nullptr));
    INVALID(cuArrayCreate(&array, nullptr));
    OK(cuArrayCreate(&array, &shape));
    INVALID(cuArrayGetDescriptor(nullptr, array));
    INVALID(cuArray3DGetDescriptor(nullptr, array));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayGetDescriptor(&shape, none));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArray3DGetDescriptor(&deep, none));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(none));
    CUDA_MEMCPY3D solid = {};
    solid.srcMemoryType = CU_MEMORYTYPE_HOST, solid.srcHost = host;
    solid.dstMemoryType = CU_MEMORYTYPE_HOST, solid.dstHost = got;
    solid.srcPitch = solid.dstPitch = 16, solid.srcHeight = solid.dstHeight = 2;
    solid.WidthInBytes = 16, solid.Height = 2, solid.Depth = 1;
    OK(cuMemcpy3D(&solid)); // the host's to the host's
    IS(got[7] == 8);
    INVALID(cuMemcpy3D(nullptr));
    INVALID(cuMemcpy2D(nullptr));
    solid.dstLOD = 1;
    INVALID(cuMemcpy3D(&solid));
    solid.dstLOD = 0;
    solid.dstMemoryType = CU_MEMORYTYPE_UNIFIED, solid.dstDevice = x;
    OK(cuMemcpy3D(&solid));
    solid.dstMemoryType = CU_MEMORYTYPE_ARRAY, solid.dstArray = none;
    INVALID(cuMemcpy3D(&solid));
    solid.dstMemoryType = CU_MEMORYTYPE_DEVICE, solid.dstPitch = 8;
    INVALID(cuMemcpy3D(&solid)); // rows of 16 bytes every 8
    OK(cuMemcpyDtoH(got + 8, x, 32));
    IS(got[8] == 1 && got[15] == 8);

    CUDA_RESOURCE_DESC what = {};
    CUDA_TEXTURE_DESC how = {};
    CUtexObject texture;
    what.resType = CU_RESOURCE_TYPE_ARRAY;
    INVALID(cuTexObjectCreate(&texture, &what, &how, nullptr)); // of no array
    what.res.array.hArray = array;
    INVALID(cuTexObjectCreate(nullptr, &what, &how, nullptr));
    INVALID(cuTexObjectCreate(&texture, nullptr, &how, nullptr));
    INVALID(cuTexObjectCreate(&texture, &what, nullptr, nullptr));
    CUarray whole;
    shape.Format = CU_AD_FORMAT_UNSIGNED_INT32;
    OK(cuArrayCreate(&whole, &shape));
    what.res.array.hArray = whole; // 32-bit integers are not read as parts of 1
    OK(cuTexObjectCreate(&texture, &what, &how, nullptr));
    OK(cuTexObjectDestroy(texture));
}

__global__ void look(const unsigned char *x, int *out) {
    *out = x[0] == x[100] ? x[0] : -1;
}

static void virtual_memory() {
    const size_t grain = (size_t)2 << 20;
    CUmemAllocationProp wanted = {};
    CUmemGenericAllocationHandle one, two, three, half;
    CUdeviceptr at, far;
    unsigned long long flags = 99;
    size_t size;
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    INVALID(cuMemCreate(nullptr, grain, &wanted, 0));
    INVALID(cuMemCreate(&one, grain, nullptr, 0));
    INVALID(cuMemGetAllocationGranularity(nullptr, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    INVALID(cuMemGetAllocationGranularity(&size, nullptr, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&one, grain, &wanted, 0)); // not on the CPU warp
    wanted.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
    OK(cuMemCreate(&one, grain, &wanted, 0));
    OK(cuMemCreate(&two, grain, &wanted, 0));
    OK(cuMemCreate(&three, grain, &wanted, 0));
    OK(cuMemCreate(&half, grain, &wanted, 0));
    OK(cuMemRelease(half)); // nobody has mapped it
    INVALID(cuMemRelease(half));
    INVALID(cuMemGetAllocationPropertiesFromHandle(nullptr, one));
    INVALID(cuMemGetAllocationPropertiesFromHandle(&wanted, half));
    INVALID(cuMemRetainAllocationHandle(nullptr, nullptr));
    INVALID(cuMemAddressReserve(nullptr, grain, 0, 0, 0));
    INVALID(cuMemAddressReserve(&at, 0, 0, 0, 0));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&at, (size_t)1 << 62, 0, 0, 0));
    OK(cuMemAddressReserve(&at, 4 * grain, 0, 0, 0));
    OK(cuMemAddressReserve(&far, grain, 0, 0, 0));
    INVALID(cuMemAddressFree(&calls - (int *)0, grain));
    OK(cuMemMap(at, grain, 0, one, 0));
    OK(cuMemMap(at + 2 * grain, grain, 0, three, 0));
    OK(cuMemMap(at + grain, grain, 0, two, 0)); // between the two
    INVALID(cuMemMap(at, grain, 0, two, 0));    // there is something
    INVALID(cuMemMap(at, 0, 0, two, 0));
    INVALID(cuMemMap(at + 3 * grain, grain / 2, 0, two, 0));
    CUmemAccessDesc access[2] = {{wanted.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE},
                                 {{CU_MEM_LOCATION_TYPE_DEVICE, 1}, CU_MEM_ACCESS_FLAGS_PROT_READ}};
    INVALID(cuMemSetAccess(at, grain, nullptr, 1));
    INVALID(cuMemSetAccess(at, grain, access, 0));
    INVALID(cuMemSetAccess(at, 0, access, 1));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemSetAccess(at, grain, access, 2)); // no second device
    OK(cuMemGetAccess(&flags, &wanted.location, at));
    OK(cuMemSetAccess(at, grain, access, 1));
    OK(cuMemSetAccess(at + 2 * grain, grain, access, 1));
    OK(cuMemSetAccess(at + grain, grain, access, 1)); // one range of all three
    INVALID(cuMemGetAccess(nullptr, &wanted.location, at));
    INVALID(cuMemGetAccess(&flags, nullptr, at));
    OK(cuMemGetAccess(&flags, &wanted.location, at));
    IS(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemsetD8(at, 5, 3 * grain)); // over all of it
    INVALID(cuMemsetD8(at, 5, 3 * grain + 1));
    int *seen;
    cudaMallocManaged(&seen, sizeof *seen);
    look<<<1, 1>>>((const unsigned char *)at + 2 * grain - 50, seen); // across a border
    cudaDeviceSynchronize();
    IS(*seen == 5);
    INVALID(cuMemUnmap(at + 1, grain));
    INVALID(cuMemUnmap(at, 4 * grain));
    INVALID(cuMemUnmap(at, 0));
    OK(cuMemUnmap(at + grain, grain)); // the middle, so that there are two
    OK(cuMemsetD8(at, 6, grain));
    OK(cuMemsetD8(at + 2 * grain, 6, grain));
    INVALID(cuMemsetD8(at, 6, grain + 1));
    OK(cuMemUnmap(at, grain));
    OK(cuMemUnmap(at + 2 * grain, grain));
    OK(cuMemMap(far, grain, 0, two, 0)); // what it held is there still
    OK(cuMemSetAccess(far, grain, access, 1));
    look<<<1, 1>>>((const unsigned char *)far, seen);
    cudaDeviceSynchronize();
    IS(*seen == 5);
    OK(cuMemRelease(two));
    OK(cuMemUnmap(far, grain));
    OK(cuMemRelease(one));
    OK(cuMemRelease(three));
    OK(cuMemAddressFree(far, grain));
    OK(cuMemAddressFree(at, 4 * grain));
    INVALID(cuMemAddressFree(at, 4 * grain));
}

int main() {
    CUdeviceptr x, base;
    size_t size;
    int value;
    INVALID(cuInit(1));
    OK(cuInit(0));
    contexts();
    memory(&x);
    arrays(x);
    virtual_memory();
    fail<<<1, 1>>>();
    const CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemGenericAllocationHandle handle;
    CUmemAllocationProp wanted = {};
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED, wanted.location = here;
#define FAILS(call) GIVES(CUDA_ERROR_ASSERT, call)
    FAILS(cuCtxSynchronize());
    FAILS(cuMemsetD8(x, 0, 1));
    FAILS(cuMemAlloc(&x, 4));
    FAILS(cuMemGetAddressRange(&base, &size, x));
    FAILS(cuMemPrefetchAsync(x, 4, here, 0, 0));
    FAILS(cuMemAdvise(x, 4, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    FAILS(cuMemCreate(&handle, (size_t)2 << 20, &wanted, 0));
    FAILS(cuMemcpyHtoD(x, &value, 4));
    printf("%s\n", calls > 180 ? "all" : "too few");
}
