// What is not given, by the manuals: a null pointer where something is to be written or read is an
// invalid value; of two results one may be left out where both are optional.
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void nothing() {}

static void priorities() {
    int least = 7, greatest = 7;
    cudaDeviceGetStreamPriorityRange(&least, nullptr);
    printf("least %d, %d\n", least, cudaDeviceGetStreamPriorityRange(nullptr, &greatest));
    printf("greater: %s\n", greatest < least ? "yes" : "no");
}

static void rows() {
    const float texels[8] = {0, 1, 2, 3, 10, 11, 12, 13};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t plane; // of two rows: two do not fit from the second on
    cudaMallocArray(&plane, &format, 2, 2);
    printf("%d ", cudaMemcpy2DToArray(plane, 0, 1, texels, 8, 8, 1, cudaMemcpyHostToDevice));
    printf("%d\n", cudaMemcpy2DToArray(plane, 0, 1, texels, 8, 8, 2, cudaMemcpyHostToDevice));
}

static void driver() {
    CUdevice device;
    CUcontext context;
    CUfunction function;
    int value = 0;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    cudaGetFuncBySymbol(&function, (const void *)nothing);
    printf("%d ", cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
    printf("%d ", cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    printf("%d\n", value);

    CUmemAllocationProp properties = {};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle memory;
    CUdeviceptr addresses;
    size_t grain;
    cuMemGetAllocationGranularity(&grain, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    cuMemAddressReserve(&addresses, grain, 0, 0, 0);
    cuMemCreate(&memory, grain, &properties, 0);
    cuMemMap(addresses, grain, 0, memory, 0);
    printf("%d ", cuMemSetAccess(addresses, grain, nullptr, 1));
    printf("%d ", cuMemSetAccess(addresses, grain, &access, 0));
    printf("%d ", cuMemSetAccess(addresses, grain + 1, &access, 1));
    printf("%d\n", cuMemSetAccess(addresses, grain, &access, 1));
}

int main() {
    priorities();
    rows();
    driver();
    return cudaDeviceSynchronize();
}
