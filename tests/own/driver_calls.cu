// The driver's calls by families, each with values that arithmetic gives: names, attributes, fills,
// copies, arrays, textures, virtual memory, occupancy, launches.
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
__global__ void fetch(float *out, CUtexObject texture) {
    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f);
}
static void set(void *flag) {
    *(int *)flag = 7;
}

/* CUDA 13.0's cuda.h has 101 results; their numbers and the letters of their names, added. */
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
    INVALID(cuGetErrorName(CUDA_SUCCESS, nullptr));
    INVALID(cuGetErrorString(CUDA_SUCCESS, nullptr));
}

static void devices() {
    int of_driver, of_runtime, major, can;
    char name[8];
    CUuuid id;
    cudaDeviceProp properties;
    size_t bytes;
    for (int i = 1; i < 150; i++)
        if (cudaDeviceGetAttribute(&of_runtime, (cudaDeviceAttr)i, 0) == cudaSuccess &&
            i != CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) {
            OK(cuDeviceGetAttribute(&of_driver, (CUdevice_attribute)i, 0));
            IS(of_driver == of_runtime);
        }
    cudaGetLastError();
    cudaGetDeviceProperties(&properties, 0);
    OK(cuDeviceGetAttribute(&of_driver, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    IS(of_driver == 32);
    OK(cuDeviceGetAttribute(&of_driver, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 0));
    IS(of_driver == 64);
    OK(cuDeviceGetAttribute(&of_driver, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 0));
    IS(of_driver == 65535);
    OK(cuDeviceGetAttribute(&of_driver, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 0));
    IS(of_driver == 65536);
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    IS(major == properties.major);
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetAttribute(&major, (CUdevice_attribute)1, 1));
    OK(cuDeviceGetName(name, sizeof name, 0));
    IS(strlen(name) == 7 && strncmp(name, properties.name, 7) == 0); // cut off to what there is
    INVALID(cuDeviceGetName(name, 0, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetName(name, 8, 1));
    OK(cuDeviceGetUuid(&id, 0));
    IS(memcmp(&id, &properties.uuid, 16) == 0);
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetUuid(&id, 1));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceTotalMem(&bytes, 1));
    OK(cuDeviceCanAccessPeer(&can, 0, 0));
    IS(can == 0);
}

static void contexts() {
    CUcontext primary, other, now;
    unsigned flags = 0;
    int least, greatest;
    INVALID(cuCtxCreate(&other, nullptr, 0x1000, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&other, nullptr, 0, 1));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDevicePrimaryCtxRetain(&primary, 1));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(primary));
    OK(cuCtxCreate(&other, nullptr, CU_CTX_SCHED_SPIN, 0));
    OK(cuCtxGetFlags(&flags));
    IS(flags == CU_CTX_SCHED_SPIN);
    OK(cuCtxGetApiVersion(nullptr, &flags));
    OK(cuCtxGetApiVersion(other, &flags));
    IS(flags == CUDA_VERSION);
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    IS(least >= greatest);
    INVALID(cuCtxEnablePeerAccess(primary, 1));
    GIVES(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(primary, 0));
    GIVES(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(primary));
    OK(cuCtxPushCurrent(primary));
    OK(cuCtxDestroy(other)); // one that is not current
    OK(cuCtxGetCurrent(&now));
    IS(now == primary);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(nullptr));
    int made = 0;
    while (made < 1000 && cuCtxPushCurrent(primary) == CUDA_SUCCESS)
        made++;
    IS(made > 10 && made < 1000); // there is an end of it
    while (made--)
        OK(cuCtxPopCurrent(nullptr));
}

static void memory() {
    CUdeviceptr x, y, both, mapped, base;
    size_t pitch, size;
    unsigned char bytes[16], host[16];
    unsigned short *pinned;
    CUstream stream;
    CUevent event;
    OK(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0));
    OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
    OK(cuEventRecord(event, stream));
    OK(cuStreamWaitEvent(0, event, 0));
    OK(cuMemAlloc(&x, 16));
    OK(cuMemAlloc(&y, 16));
    INVALID(cuMemAlloc(&y, 0));
    OK(cuMemsetD8(x, 1, 16));
    OK(cuMemsetD16(x + 2, 0x0302, 2));
    OK(cuMemsetD8Async(x + 6, 9, 2, stream));
    OK(cuMemsetD16Async(x + 8, 0x0504, 1, stream));
    OK(cuMemsetD32Async(x + 12, 0x0b0a0908, 1, stream));
    INVALID(cuMemsetD32(x + 2, 0, 1)); // not where such a number may lie
    INVALID(cuMemsetD8(x, 0, 17));
    OK(cuMemcpy(y, x, 16));
    OK(cuMemcpyDtoHAsync(bytes, y, 16, stream));
    for (int i = 0; i < 16; i++)
        printf("%d ", bytes[i]); // 1 1 2 3 2 3 9 9 4 5 1 1 8 9 10 11
    printf("\n");
    for (int i = 0; i < 16; i++)
        host[i] = (unsigned char)(i * 3);
    OK(cuMemcpyHtoDAsync(x, host, 16, stream));
    OK(cuMemcpyDtoDAsync(y, x + 8, 8, stream));
    OK(cuMemcpyAsync((CUdeviceptr)bytes, y, 8, stream));
    IS(memcmp(bytes, host + 8, 8) == 0);
    OK(cuMemAllocManaged(&both, 64, CU_MEM_ATTACH_GLOBAL));
    ((int *)both)[3] = 5;
    CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    OK(cuMemPrefetchAsync(both, 64, here, 0, stream));
    OK(cuMemAdvise(both, 64, CU_MEM_ADVISE_SET_READ_MOSTLY, here));
    add<<<1, 4>>>((int *)both, 3);
    cudaDeviceSynchronize();
    IS(((int *)both)[3] == 8);
    OK(cuMemAllocPitch(&base, &pitch, 5, 3, 4));
    IS(pitch >= 5 && pitch % 4 == 0);
    OK(cuMemGetAddressRange(nullptr, &size, base + 1));
    OK(cuMemGetAddressRange(&mapped, nullptr, base + 1));
    IS(mapped == base && size >= 3 * pitch - (pitch - 5));
    GIVES(CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange(&mapped, &size, 64));
    OK(cuMemHostAlloc((void **)&pinned, 64, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&mapped, pinned, 0));
    OK(cuMemsetD16(mapped, 0x1234, 4));
    IS(pinned[3] == 0x1234);
    OK(cuMemFreeHost(pinned));
}

static void arrays() {
    CUarray array, other;
    CUDA_ARRAY_DESCRIPTOR shape = {4, 2, CU_AD_FORMAT_FLOAT, 1}, back;
    CUDA_ARRAY3D_DESCRIPTOR deep = {4, 2, 2, CU_AD_FORMAT_FLOAT, 1, 0};
    CUdeviceptr x;
    float host[16], got[16] = {};
    for (int i = 0; i < 16; i++)
        host[i] = (float)i;
    const struct {
        CUarray_format format;
        unsigned channels;
    } formats[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 1},  {CU_AD_FORMAT_UNSIGNED_INT16, 2},
                   {CU_AD_FORMAT_UNSIGNED_INT32, 4}, {CU_AD_FORMAT_SIGNED_INT8, 4},
                   {CU_AD_FORMAT_SIGNED_INT16, 1},   {CU_AD_FORMAT_SIGNED_INT32, 2},
                   {CU_AD_FORMAT_HALF, 4},           {CU_AD_FORMAT_FLOAT, 2}};
    for (auto &one : formats) {
        CUDA_ARRAY_DESCRIPTOR wanted = {8, 0, one.format, one.channels};
        OK(cuArrayCreate(&array, &wanted));
        OK(cuArrayGetDescriptor(&back, array));
        IS(back.Width == 8 && back.Height == 0 && back.Format == one.format &&
           back.NumChannels == one.channels);
        OK(cuArrayDestroy(array));
    }
    CUDA_ARRAY_DESCRIPTOR three = {8, 0, CU_AD_FORMAT_FLOAT, 3};
    INVALID(cuArrayCreate(&array, &three));
    OK(cuArrayCreate(&array, &shape));
    OK(cuArray3DCreate(&other, &deep));
    OK(cuMemAlloc(&x, sizeof host));
    OK(cuMemcpyHtoA(array, 0, host, 32));
    OK(cuMemcpyAtoH(got, array, 4, 12));
    IS(got[0] == 1 && got[2] == 3);
    OK(cuMemcpyAtoD(x, array, 16, 16));
    OK(cuMemcpyDtoA(array, 0, x, 16));
    OK(cuMemcpyAtoH(got, array, 0, 32));
    IS(got[0] == 4 && got[3] == 7 && got[4] == 4 && got[7] == 7);
    INVALID(cuMemcpyHtoA(array, 8, host, 32)); // beyond its end

    CUDA_MEMCPY2D flat = {};
    flat.srcMemoryType = CU_MEMORYTYPE_HOST;
    flat.srcHost = host;
    flat.srcPitch = 16;
    flat.srcY = 1;
    flat.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    flat.dstArray = array;
    flat.dstXInBytes = 4;
    flat.WidthInBytes = 8;
    flat.Height = 2;
    OK(cuMemcpy2D(&flat)); // 4 5 to columns 1 and 2, below them 8 9
    OK(cuMemcpyAtoH(got, array, 0, 32));
    IS(got[0] == 4 && got[1] == 4 && got[2] == 5 && got[5] == 8 && got[6] == 9 && got[7] == 7);
    flat.dstXInBytes = 2;
    INVALID(cuMemcpy2D(&flat)); // half an element
    flat.dstXInBytes = 4, flat.WidthInBytes = 6;
    INVALID(cuMemcpy2DUnaligned(&flat));
    flat.dstMemoryType = CU_MEMORYTYPE_DEVICE, flat.dstDevice = x, flat.dstXInBytes = 0;
    flat.dstPitch = 8, flat.WidthInBytes = 8;
    OK(cuMemcpy2DUnaligned(&flat));
    OK(cuMemcpy2DAsync(&flat, 0));
    OK(cuMemcpyDtoH(got, x, 16));
    IS(got[0] == 4 && got[1] == 5 && got[2] == 8 && got[3] == 9);
    flat.srcMemoryType = CU_MEMORYTYPE_UNIFIED, flat.srcDevice = (CUdeviceptr)host;
    flat.srcY = 0;
    OK(cuMemcpy2D(&flat));
    OK(cuMemcpyDtoH(got, x, 16));
    IS(got[0] == 0 && got[1] == 1 && got[2] == 4 && got[3] == 5);
    flat.srcMemoryType = (CUmemorytype)9;
    INVALID(cuMemcpy2D(&flat));

    CUDA_MEMCPY3D solid = {};
    solid.srcMemoryType = CU_MEMORYTYPE_HOST;
    solid.srcHost = host;
    solid.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    solid.dstArray = other;
    solid.WidthInBytes = 16, solid.Height = 2, solid.Depth = 2;
    OK(cuMemcpy3D(&solid));
    CUDA_MEMCPY3D out = {};
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = other;
    out.srcZ = 1;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = got;
    out.WidthInBytes = 16, out.Height = 2, out.Depth = 1;
    OK(cuMemcpy3DAsync(&out, 0));
    IS(got[0] == 8 && got[7] == 15);
    out.srcLOD = 1;
    INVALID(cuMemcpy3D(&out));

    CUDA_RESOURCE_DESC what = {};
    CUDA_TEXTURE_DESC how = {};
    CUtexObject texture;
    float *read;
    cudaMallocManaged(&read, 32);
    what.resType = CU_RESOURCE_TYPE_ARRAY;
    what.res.array.hArray = array;
    OK(cuTexObjectCreate(&texture, &what, &how, nullptr));
    fetch<<<1, 8>>>(read, texture);
    cudaDeviceSynchronize();
    IS(read[0] == 4 && read[2] == 5 && read[5] == 8 && read[7] == 7);
    OK(cuTexObjectDestroy(texture));
    INVALID(cuTexObjectDestroy(texture));
    GIVES(CUDA_ERROR_NOT_SUPPORTED,
          cuTexObjectCreate(&texture, &what, &how, (CUDA_RESOURCE_VIEW_DESC *)read));
    what.resType = CU_RESOURCE_TYPE_PITCH2D;
    what.res.pitch2D.devPtr = x;
    what.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
    what.res.pitch2D.numChannels = 1;
    what.res.pitch2D.width = 4, what.res.pitch2D.height = 2, what.res.pitch2D.pitchInBytes = 32;
    OK(cuMemcpyHtoD(x, host, sizeof host));
    OK(cuTexObjectCreate(&texture, &what, &how, nullptr));
    fetch<<<1, 8>>>(read, texture);
    cudaDeviceSynchronize();
    IS(read[0] == 0 && read[3] == 3 && read[4] == 8 && read[7] == 11); // the pitch is 8 numbers
    what.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuTexObjectCreate(&texture, &what, &how, nullptr));
    what.resType = (CUresourcetype)9;
    INVALID(cuTexObjectCreate(&texture, &what, &how, nullptr));
}

static void virtual_memory() {
    const size_t grain = (size_t)2 << 20;
    CUmemAllocationProp wanted = {}, told;
    CUmemGenericAllocationHandle memory, again;
    CUdeviceptr at;
    unsigned long long flags;
    size_t size;
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    OK(cuMemGetAllocationGranularity(&size, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    INVALID(cuMemGetAllocationGranularity(&size, &wanted, (CUmemAllocationGranularity_flags)2));
    INVALID(cuMemCreate(&memory, grain, &wanted, 1));
    INVALID(cuMemCreate(&memory, 0, &wanted, 0));
    wanted.location.id = 1;
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&memory, grain, &wanted, 0));
    wanted.location.id = 0;
    wanted.location.type = CU_MEM_LOCATION_TYPE_INVALID;
    INVALID(cuMemCreate(&memory, grain, &wanted, 0));
    wanted.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    wanted.type = CU_MEM_ALLOCATION_TYPE_INVALID;
    INVALID(cuMemCreate(&memory, grain, &wanted, 0));
    wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&memory, (size_t)1 << 50, &wanted, 0));
    OK(cuMemCreate(&memory, 2 * grain, &wanted, 0));
    OK(cuMemGetAllocationPropertiesFromHandle(&told, memory));
    IS(told.type == wanted.type && told.location.id == 0);
    INVALID(cuMemAddressReserve(&at, grain + 1, 0, 0, 0));
    INVALID(cuMemAddressReserve(&at, grain, 3, 0, 0));
    INVALID(cuMemAddressReserve(&at, grain, 0, 0, 1));
    OK(cuMemAddressReserve(&at, 4 * grain, 4 * grain, 0, 0));
    IS(at % (4 * grain) == 0);
    INVALID(cuMemMap(at, 4 * grain, 0, memory, 0)); // more than there is
    INVALID(cuMemMap(at + 3 * grain, 2 * grain, 0, memory, 0));
    INVALID(cuMemMap(at + 1, 2 * grain, 0, memory, 0));
    INVALID(cuMemMap(at, 2 * grain, grain, memory, 0));
    INVALID(cuMemMap(at, 2 * grain, 0, memory, 1));
    INVALID(cuMemMap(at, 2 * grain, 0, memory + 8, 0));
    OK(cuMemMap(at, 2 * grain, 0, memory, 0));
    INVALID(cuMemAddressFree(at, 4 * grain)); // something is mapped
    INVALID(cuMemAddressFree(at, grain));
    INVALID(cuMemAddressFree(at + grain, grain));
    OK(cuMemRetainAllocationHandle(&again, (void *)(at + 5)));
    IS(again == memory);
    INVALID(cuMemRetainAllocationHandle(&again, &size));
    CUmemAccessDesc access = {wanted.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    INVALID(cuMemSetAccess(at + grain, grain, &access, 1)); // not where a mapping begins
    INVALID(cuMemSetAccess(at, 3 * grain, &access, 1));
    OK(cuMemSetAccess(at, 2 * grain, &access, 1));
    OK(cuMemsetD32((CUdeviceptr)at, 5, 8));
    OK(cuMemGetAccess(&flags, &wanted.location, at));
    IS(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    INVALID(cuMemGetAccess(&flags, &wanted.location, at + 3 * grain));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    OK(cuMemSetAccess(at, 2 * grain, &access, 1));
    int host[8];
    OK(cuMemcpyDtoH(host, at, 32));
    IS(host[7] == 5);
    access.flags = (CUmemAccess_flags)9;
    INVALID(cuMemSetAccess(at, 2 * grain, &access, 1));
    access.location.id = 1;
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemSetAccess(at, 2 * grain, &access, 1));
    access.location.id = 0;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    OK(cuMemSetAccess(at, 2 * grain, &access, 1));
    INVALID(cuMemcpyDtoH(host, at, 32));
    INVALID(cuMemUnmap(at, grain));
    OK(cuMemUnmap(at, 2 * grain));
    OK(cuMemRelease(memory));
    OK(cuMemRelease(memory)); // retained above
    INVALID(cuMemRelease(memory));
    INVALID(cuMemGetAllocationPropertiesFromHandle(&told, memory));
    OK(cuMemAddressFree(at, 4 * grain));
}

static void functions() {
    CUfunction function;
    const char *name;
    int value, n = 4, flag = 0, least, size;
    size_t shared;
    CUdeviceptr x;
    int host[4] = {1, 2, 3, 4};
    cudaGetFuncBySymbol(&function, (void *)add);
    OK(cuMemAlloc(&x, 16));
    OK(cuMemcpyHtoD(x, host, 16));
    void *parameters[] = {&x, &n};
    OK(cuLaunchCooperativeKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, parameters));
    void *end[] = {CU_LAUNCH_PARAM_END}, *buffer[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &x};
    OK(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, parameters, end));
    GIVES(CUDA_ERROR_NOT_SUPPORTED,
          cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, 0, nullptr, buffer));
    OK(cuMemcpyDtoH(host, x, 16));
    IS(host[0] == 9 && host[3] == 12);
    INVALID(cuLaunchKernel(function, 1, 1, 1, 0, 1, 1, 0, 0, parameters, nullptr));
    OK(cuLaunchHostFunc(0, set, &flag));
    cudaDeviceSynchronize();
    IS(flag == 7);
    OK(cuFuncGetName(&name, function));
    IS(strstr(name, "add") != nullptr);
    OK(cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1));
    OK(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
    IS(value == 1024);
    INVALID(cuFuncGetAttribute(&value, (CUfunction_attribute)99, function));
    INVALID(cuFuncGetAttribute(nullptr, (CUfunction_attribute)0, function));
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&shared, function, 2, 128));
    IS(shared > 0);
    OK(cuOccupancyMaxPotentialBlockSize(&least, &size, function, nullptr, 0, 100));
    IS(size == 64); // 32 blocks of them are all 2,048 threads; 96 make 2,016, 100 make 1,600
    OK(cuOccupancyMaxPotentialBlockSizeWithFlags(&least, &size, function, nullptr, 0, 4000, 0));
    IS(size <= 1024 && size % 32 == 0);
}

int main() {
    OK(cuInit(0));
    CUcontext context;
    OK(cuCtxCreate(&context, nullptr, 0, 0));
    names();
    devices();
    contexts();
    memory();
    arrays();
    virtual_memory();
    functions();
    printf("%s\n", calls > 1000 ? "all" : "too few");
}
