// The errors of calls about memory, arrays, textures, copies and kernels for wrong arguments: CUDA
// Runtime API, the return values of each. At the end, functions that refuse zeros report a
// sticky error.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static int calls;
static void expect(int line, cudaError_t error, cudaError_t wanted) {
    calls++;
    if (error != wanted)
        printf("line %d: %d %s\n", line, error, cudaGetErrorName(error));
}
#define GIVES(wanted, call) expect(__LINE__, call, wanted)
#define OK(call)            GIVES(cudaSuccess, call)
#define INVALID(call)       GIVES(cudaErrorInvalidValue, call)
#define IS(what)            expect(__LINE__, (what) ? cudaSuccess : cudaErrorUnknown, cudaSuccess)

__device__ int symbol[4];
__global__ void nothing() {}
__global__ void fail() {
    assert(false);
}

static void memory() {
    cudaStream_t gone;
    char *device, *managed, *pinned, *other;
    static char own[64];
    void *pointer;
    size_t pitch, total;
    unsigned flags;
    cudaPitchedPtr pitched;
    cudaPointerAttributes attributes;
    const cudaMemLocation here = {cudaMemLocationTypeDevice, 0},
                          there = {cudaMemLocationTypeDevice, 1},
                          host = {cudaMemLocationTypeHost, 0};
    OK(cudaStreamCreate(&gone));
    OK(cudaStreamDestroy(gone));
    OK(cudaMalloc(&device, 64));
    INVALID(cudaMallocManaged(&managed, 0));
    INVALID(cudaMallocManaged(&managed, 64, 3));
    OK(cudaMallocManaged(&managed, 64, cudaMemAttachHost));
    INVALID(cudaHostAlloc(&pinned, 64, 8));
    OK(cudaHostAlloc(&pinned, 64, cudaHostAllocPortable));
    GIVES(cudaErrorMemoryAllocation, cudaMallocHost(&other, (size_t)1 << 60));
    INVALID(cudaHostRegister(nullptr, 64, 0));
    INVALID(cudaHostRegister(own, 0, 0));
    INVALID(cudaHostRegister(own, 64, 16));
    OK(cudaHostRegister(own + 16, 32, 0));
    GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own + 20, 4, 0));
    GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own, 20, 0)); // its end
    INVALID(cudaHostUnregister(nullptr));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own + 17)); // not its beginning
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(pinned));
    INVALID(cudaFreeHost(own + 16)); // it was registered, not allocated
    INVALID(cudaFree(own + 16));
    INVALID(cudaFreeHost(device));
    INVALID(cudaFreeHost(pinned + 1));
    INVALID(cudaFree(pinned));
    OK(cudaHostUnregister(own + 16));
    INVALID(cudaHostGetDevicePointer(nullptr, pinned, 0));
    INVALID(cudaHostGetDevicePointer(&pointer, nullptr, 0));
    INVALID(cudaHostGetDevicePointer(&pointer, pinned, 1));
    INVALID(cudaHostGetDevicePointer(&pointer, own, 0));
    INVALID(cudaHostGetDevicePointer(&pointer, device, 0));
    OK(cudaHostGetDevicePointer(&pointer, pinned, 0));
    IS(pointer == pinned);
    INVALID(cudaHostGetFlags(nullptr, pinned));
    INVALID(cudaHostGetFlags(&flags, own));
    INVALID(cudaHostGetFlags(&flags, device));
    OK(cudaHostGetFlags(&flags, pinned));
    IS(flags & cudaHostAllocPortable);
    INVALID(cudaMallocPitch(nullptr, &pitch, 5, 5));
    INVALID(cudaMallocPitch(&pointer, nullptr, 5, 5));
    GIVES(cudaErrorMemoryAllocation, cudaMallocPitch(&pointer, &pitch, (size_t)1 << 40, 1 << 30));
    GIVES(cudaErrorMemoryAllocation,
          cudaMalloc3D(&pitched, make_cudaExtent((size_t)1 << 40, 1 << 30, 1)));
    GIVES(cudaErrorMemoryAllocation,
          cudaMalloc3D(&pitched, make_cudaExtent((size_t)1 << 30, 1 << 30, 1 << 30)));
    INVALID(cudaMemGetInfo(nullptr, &total));
    INVALID(cudaMemGetInfo(&total, nullptr));
    OK(cudaPointerGetAttributes(&attributes, nullptr));
    IS(attributes.type == cudaMemoryTypeUnregistered && !attributes.hostPointer);
    OK(cudaPointerGetAttributes(&attributes, own));
    IS(attributes.type == cudaMemoryTypeUnregistered && attributes.hostPointer == own);
    OK(cudaPointerGetAttributes(&attributes, managed + 5));
    IS(attributes.type == cudaMemoryTypeManaged && attributes.devicePointer == managed + 5 &&
       attributes.hostPointer == managed + 5);
    INVALID(cudaMemAdvise(managed, 64, (cudaMemoryAdvise)0, here));
    INVALID(cudaMemAdvise(managed, 64, (cudaMemoryAdvise)7, here));
    INVALID(cudaMemAdvise(device, 64, cudaMemAdviseSetReadMostly, here));
    INVALID(cudaMemAdvise(nullptr, 64, cudaMemAdviseSetReadMostly, here));
    INVALID(cudaMemAdvise(own, 64, cudaMemAdviseSetReadMostly, here));
    INVALID(cudaMemAdvise(managed, 0, cudaMemAdviseSetReadMostly, here));
    INVALID(cudaMemAdvise(managed + 1, 64, cudaMemAdviseSetReadMostly, here));
    GIVES(cudaErrorInvalidDevice,
          cudaMemAdvise(managed, 64, cudaMemAdviseSetPreferredLocation, there));
    OK(cudaMemAdvise(managed, 64, cudaMemAdviseSetPreferredLocation, host));
    INVALID(cudaMemPrefetchAsync(managed, 64, here, 1, 0));
    INVALID(cudaMemPrefetchAsync(device, 64, here, 0, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaMemPrefetchAsync(managed, 64, here, 0, gone));
    OK(cudaMemPrefetchAsync(managed, 64, here, 0, 0));
    GIVES(cudaErrorInvalidResourceHandle, cudaStreamAttachMemAsync(gone, managed));
    INVALID(cudaStreamAttachMemAsync(0, managed, 32)); // only a part of it
    INVALID(cudaStreamAttachMemAsync(0, device));
    INVALID(cudaStreamAttachMemAsync(0, own));
    OK(cudaStreamAttachMemAsync(0, managed, 64));
    OK(cudaStreamAttachMemAsync(0, managed));
    OK(cudaMallocAsync(&other, 64, 0));
    OK(cudaFreeAsync(nullptr, 0));
    OK(cudaFreeAsync(other, 0));
}

static cudaMemPool_t pool_of(cudaMemLocationType type, int id) {
    cudaMemPool_t pool = nullptr;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = type, props.location.id = id;
    cudaMemPoolCreate(&pool, &props);
    cudaGetLastError();
    return pool;
}
static void pools() {
    cudaMemPool_t pool = pool_of(cudaMemLocationTypeDevice, 0);
    cudaMemAccessFlags flags;
    cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    unsigned long long value = 1;
    IS(pool && !pool_of(cudaMemLocationTypeHost, 0) && !pool_of(cudaMemLocationTypeDevice, 1));
    INVALID(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &value));
    INVALID(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &value)); // except 0
    INVALID(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
    INVALID(cudaMemPoolSetAccess(pool, nullptr, 1));
    INVALID(cudaMemPoolSetAccess(nullptr, &access, 1));
    OK(cudaMemPoolSetAccess(pool, &access, 1));
    access.location.id = 1;
    IS(cudaMemPoolSetAccess(pool, &access, 1) != cudaSuccess);
    INVALID(cudaMemPoolGetAccess(nullptr, pool, &access.location));
    INVALID(cudaMemPoolGetAccess(&flags, pool, nullptr));
    INVALID(cudaMemPoolGetAccess(&flags, nullptr, &access.location));
    access.location.type = cudaMemLocationTypeHost, access.location.id = 0;
    IS(cudaMemPoolSetAccess(pool, &access, 1) != cudaSuccess);
    access.location.type = cudaMemLocationTypeDevice;
    OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
    IS(flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaMemPoolDestroy(pool));
    INVALID(cudaMemPoolDestroy(pool));
}

static void arrays() {
    cudaArray_t array = nullptr, bytes;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>(),
                                narrow = cudaCreateChannelDesc<signed char>();
    // Formats that do not exist: other widths, unequal ones, three channels, a gap, 8-bit floats.
    const int wrong[][5] = {{0, 0, 0, 0, 2},    {12, 0, 0, 0, 0},   {64, 0, 0, 0, 2},
                            {32, 16, 0, 0, 2},  {32, 32, 16, 0, 2}, {32, 32, 32, 16, 2},
                            {32, 32, 32, 0, 2}, {32, 0, 32, 0, 2},  {32, 0, 0, 32, 2},
                            {32, 32, 0, 32, 2}, {8, 0, 0, 0, 2},    {32, 0, 0, 0, 9}};
    for (auto &w : wrong) {
        const cudaChannelFormatDesc none =
            cudaCreateChannelDesc(w[0], w[1], w[2], w[3], (cudaChannelFormatKind)w[4]);
        INVALID(cudaMallocArray(&array, &none, 8, 8));
    }
    INVALID(cudaMallocArray(nullptr, &desc, 8, 8));
    INVALID(cudaMallocArray(&array, nullptr, 8, 8));
    INVALID(cudaMallocArray(&array, &desc, 0, 8));
    INVALID(cudaMallocArray(&array, &desc, 8, 8, 0x100));
    const size_t many = (size_t)1 << 62;
    GIVES(cudaErrorMemoryAllocation, cudaMallocArray(&array, &desc, many, 8));
    GIVES(cudaErrorMemoryAllocation, cudaMallocArray(&array, &desc, 8, many));
    GIVES(cudaErrorMemoryAllocation, cudaMalloc3DArray(&array, &desc, make_cudaExtent(8, 8, many)));
    GIVES(cudaErrorMemoryAllocation, cudaMallocArray(&array, &desc, 1 << 20, 1 << 20));
    OK(cudaMallocArray(&array, &desc, 8, 4));
    OK(cudaMallocArray(&bytes, &narrow, 8, 4));
    float host[32] = {}, *device;
    OK(cudaMalloc(&device, sizeof host));
    // Beyond the end of an array in x, in y, and in z.
    INVALID(cudaMemcpy2DToArray(array, 4, 0, host, 32, 32, 1, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpy2DToArray(array, 40, 0, host, 32, 4, 1, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpy2DToArray(array, 0, 3, host, 32, 32, 2, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpy2DToArray(array, 0, 9, host, 32, 32, 1, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpy2DArrayToArray(nullptr, 0, 0, array, 0, 0, 8, 1));
    INVALID(cudaMemcpy2DArrayToArray(array, 0, 0, nullptr, 0, 0, 8, 1));
    INVALID(cudaMemcpy2DArrayToArray(array, 0, 9, array, 0, 0, 8, 1));
    INVALID(cudaMemcpy2DArrayToArray(array, 0, 0, array, 0, 9, 8, 1));
    OK(cudaMemcpy2DArrayToArray(array, 0, 0, array, 0, 2, 8, 1));
    INVALID(cudaMemcpyToArray(nullptr, 0, 0, host, 8, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpyToArray(array, 33, 0, host, 8, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpyToArray(array, 0, 4, host, 8, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpyToArray(array, 4, 3, host, 32, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToArray(array, 4, 3, host, 28, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms solid = {};
    solid.srcPtr = make_cudaPitchedPtr(host, 32, 8, 4);
    solid.extent = make_cudaExtent(8, 4, 1);
    solid.kind = cudaMemcpyHostToDevice;
    INVALID(cudaMemcpy3D(&solid)); // no destination
    solid.dstArray = array;
    OK(cudaMemcpy3D(&solid));
    solid.dstPtr = make_cudaPitchedPtr(device, 32, 8, 4);
    INVALID(cudaMemcpy3D(&solid)); // two destinations
    solid.dstPtr = cudaPitchedPtr();
    solid.srcArray = array;
    INVALID(cudaMemcpy3D(&solid));
    solid.srcPtr = cudaPitchedPtr();
    solid.srcArray = bytes; // with another element size
    INVALID(cudaMemcpy3D(&solid));
    solid.srcArray = array, solid.kind = cudaMemcpyDeviceToDevice;
    solid.dstPos.z = 1;
    INVALID(cudaMemcpy3D(&solid));
    solid.dstPos.z = 0, solid.extent.depth = 2;
    INVALID(cudaMemcpy3D(&solid));
    solid.dstArray = nullptr, solid.dstPtr = make_cudaPitchedPtr(device, 32, 8, 4);
    INVALID(cudaMemcpy3D(&solid));

    cudaTextureObject_t texture;
    cudaResourceDesc what = {};
    cudaTextureDesc how = {};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.desc = desc;
    what.res.linear.sizeInBytes = 64;
    INVALID(cudaCreateTextureObject(&texture, &what, &how, nullptr)); // of size 0
    what.res.linear.devPtr = device;
    INVALID(cudaCreateTextureObject(nullptr, &what, &how, nullptr));
    INVALID(cudaCreateTextureObject(&texture, nullptr, &how, nullptr));
    INVALID(cudaCreateTextureObject(&texture, &what, nullptr, nullptr));
    how.sRGB = 1;
    GIVES(cudaErrorNotSupported, cudaCreateTextureObject(&texture, &what, &how, nullptr));
    how.sRGB = 0;
    what.res.linear.desc.x = 5;
    INVALID(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    what.res.linear.desc = desc;
    OK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    INVALID(cudaGetTextureObjectResourceDesc(nullptr, texture));
    INVALID(cudaGetTextureObjectTextureDesc(nullptr, texture));
    OK(cudaDestroyTextureObject(texture));
    memset(&what, 0, sizeof what);
    what.resType = cudaResourceTypePitch2D;
    what.res.pitch2D.desc = desc;
    what.res.pitch2D.width = 8, what.res.pitch2D.height = 4;
    what.res.pitch2D.pitchInBytes = 32;
    INVALID(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    what.res.pitch2D.devPtr = device;
    what.res.pitch2D.pitchInBytes = 28;
    INVALID(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    what.res.pitch2D.pitchInBytes = 32, what.res.pitch2D.desc.x = 5;
    INVALID(cudaCreateTextureObject(&texture, &what, &how, nullptr));
}

static void copies() {
    char *device, host[64] = {};
    void *address;
    int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    OK(cudaMalloc(&device, 64));
    OK(cudaMemcpy2D(device, 0, host, 0, 0, 4, cudaMemcpyHostToDevice)); // nothing
    OK(cudaMemcpy2D(device, 8, host, 8, 8, 0, cudaMemcpyHostToDevice));
    OK(cudaMemset2D(device, 8, 0, 0, 4));
    OK(cudaMemset2D(device, 8, 0, 8, 0));
    INVALID(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
    INVALID(cudaMemcpy(device, nullptr, 4, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2D(device, 4, host, 8, 8, 2, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidPitchValue,
          cudaMemcpy2D(device, 8, host, 4, 8, 2, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(device, 4, host, 4, 4, 1, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms narrow = {};
    narrow.srcPtr = make_cudaPitchedPtr(host, 4, 8, 2);
    narrow.dstPtr = make_cudaPitchedPtr(device, 8, 8, 2);
    narrow.extent = make_cudaExtent(8, 2, 1);
    narrow.kind = cudaMemcpyHostToDevice;
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&narrow));
    narrow.srcPtr.pitch = 8, narrow.dstPtr.pitch = 4;
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy3D(&narrow));
    narrow.extent.depth = 0;
    OK(cudaMemcpy3D(&narrow)); // nothing
    OK(cudaMemcpyToSymbol(symbol, numbers, sizeof symbol));
    OK(cudaMemcpyToSymbol(symbol, numbers + 4, 8, 8));
    OK(cudaMemcpyFromSymbol(numbers, symbol, sizeof symbol));
    IS(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 5 && numbers[3] == 6);
    INVALID(cudaMemcpyToSymbol(symbol, numbers, 8, 9)); // beyond its end
    INVALID(cudaMemcpyToSymbol(symbol, numbers, 0, 17));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyToSymbol(symbol, numbers, 8, 0, cudaMemcpyDeviceToHost));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyToSymbol(symbol, numbers, 8, 0, cudaMemcpyHostToHost));
    GIVES(cudaErrorInvalidMemcpyDirection,
          cudaMemcpyFromSymbol(numbers, symbol, 8, 0, cudaMemcpyHostToDevice));
    INVALID(cudaGetSymbolAddress(nullptr, symbol));
    OK(cudaGetSymbolAddress(&address, symbol));
}

static void kernels() {
    cudaFuncAttributes attributes;
    const void *kernel = (const void *)nothing;
    int blocks, none = 0;
    size_t bytes;
    INVALID(cudaFuncGetAttributes(nullptr, kernel));
    GIVES(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, nullptr));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaFuncSetAttribute((const void *)nullptr,
                               cudaFuncAttributePreferredSharedMemoryCarveout, 1));
    INVALID(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    INVALID(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
    INVALID(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    INVALID(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
    INVALID(cudaFuncSetAttribute(kernel, (cudaFuncAttribute)77, 0));
    INVALID(cudaFuncSetCacheConfig(kernel, (cudaFuncCache)4));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaFuncSetCacheConfig((const void *)nullptr, cudaFuncCachePreferL1));
    INVALID(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel, 32, 0));
    INVALID(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0));
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)nullptr, 32, 0));
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 2048, 0));
    IS(blocks == 0); // no block has that many threads
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 1 << 20));
    IS(blocks == 0);
    INVALID(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, kernel, 1, 32));
    INVALID(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 0, 32));
    INVALID(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 0));
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 32));
    IS(bytes == 163 << 10); // of a multiprocessor's 164 KiB, 1 KiB is the system's
    OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1000, 32));
    IS(bytes == 0);
    GIVES(cudaErrorInvalidDeviceFunction,
          cudaLaunchKernel((const void *)nullptr, dim3(1), dim3(1), nullptr, 0, 0));
    GIVES(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&none, dim3(1), dim3(1), nullptr, 0, 0));
    const dim3 shapes[][2] = {{dim3(1), dim3(1, 1, 65)},    {dim3(1), dim3(1, 1025)},
                              {dim3(1), dim3(1025)},        {dim3(1), dim3(1, 0)},
                              {dim3(1), dim3(33, 32)},      {dim3(1, 65536), dim3(1)},
                              {dim3(1, 1, 65536), dim3(1)}, {dim3(1, 0), dim3(1)},
                              {dim3(1, 1, 0), dim3(1)},     {dim3(1u << 31), dim3(1)}};
    for (auto &shape : shapes)
        INVALID(cudaLaunchKernel(kernel, shape[0], shape[1], nullptr, 0, 0));
    INVALID(cudaLaunchCooperativeKernel(kernel, dim3(4), dim3(2048), nullptr, 0, 0));
    INVALID(cudaLaunchCooperativeKernel(kernel, dim3(4), dim3(0), nullptr, 0, 0));
    GIVES(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel(kernel, dim3(1 << 20), dim3(32), nullptr, 0, 0));
    OK(cudaLaunchKernel(kernel, dim3(1), dim3(1), nullptr, 0, 0));
    cudaStream_t gone;
    OK(cudaStreamCreate(&gone));
    OK(cudaStreamDestroy(gone));
    GIVES(cudaErrorInvalidResourceHandle,
          cudaLaunchKernel(kernel, dim3(1), dim3(1), nullptr, 0, gone));
}

/* The queries about a device. */
static void devices() {
    int number = 7;
    INVALID(cudaDeviceGetByPCIBusId(nullptr, "0000:00:00.0"));
    INVALID(cudaDeviceGetByPCIBusId(&number, nullptr));
    INVALID(cudaDeviceGetByPCIBusId(&number, "nowhere"));
    GIVES(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&number, 0, 1));
    GIVES(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&number, 1, 0));
    size_t limit;
    GIVES(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&limit, (cudaLimit)99));
}

int main() {
    memory();
    pools();
    arrays();
    copies();
    kernels();
    devices();
    fail<<<1, 1>>>();
#define FAILS(call) GIVES(cudaErrorAssert, call)
    char *pointer;
    size_t size;
    void *address;
    const void *kernel = (const void *)nothing;
    const cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    cudaFuncAttributes attributes;
    cudaMemPool_t pool = nullptr;
    int number;
    FAILS(cudaDeviceSynchronize());
    FAILS(cudaMallocManaged(&pointer, 4));
    FAILS(cudaMallocHost(&pointer, 4));
    FAILS(cudaHostAlloc(&pointer, 4, 0));
    FAILS(cudaHostGetDevicePointer(&address, &number, 0));
    FAILS(cudaMallocPitch(&pointer, &size, 4, 4));
    FAILS(cudaMemAdvise(&number, 4, cudaMemAdviseSetReadMostly, here));
    FAILS(cudaMemPrefetchAsync(&number, 4, here, 0, 0));
    FAILS(cudaStreamAttachMemAsync(0, pointer));
    FAILS(cudaMallocAsync(&pointer, 4, 0));
    FAILS(cudaMallocFromPoolAsync(&pointer, 4, pool, 0));
    FAILS(cudaGetSymbolAddress(&address, symbol));
    FAILS(cudaMemcpyToSymbol(symbol, &number, 4));
    FAILS(cudaFuncGetAttributes(&attributes, kernel));
    FAILS(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 1));
    FAILS(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1));
    FAILS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, kernel, 32, 0));
    FAILS(cudaOccupancyAvailableDynamicSMemPerBlock(&size, kernel, 1, 32));
    FAILS(cudaLaunchKernel(kernel, dim3(1), dim3(1), nullptr, 0, 0));
    OK(cudaDeviceReset());
    printf("%s\n", calls > 200 ? "all" : "too few");
}
