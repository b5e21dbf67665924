// run: --poison 7
// Then fresh memory of the device has something in it, so that who relies on zeros is found: the
// runtime's, and the driver's that is made apart from its addresses.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

static void need(CUresult result) {
    if (result != CUDA_SUCCESS)
        printf("error %d\n", result);
}

// How many of its bytes are not 0.
static int full(const void *from) {
    unsigned char bytes[64];
    int count = 0;
    cudaMemcpy(bytes, from, sizeof bytes, cudaMemcpyDeviceToHost);
    for (unsigned char byte : bytes)
        count += byte != 0;
    return count;
}

int main() {
    CUmemAllocationProp properties = {};
    CUmemGenericAllocationHandle memory;
    CUdeviceptr address;
    size_t grain;
    void *plain;
    cudaMalloc(&plain, 64);
    printf("%d", full(plain));
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    need(cuMemGetAllocationGranularity(&grain, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    need(cuMemAddressReserve(&address, grain, 0, 0, 0));
    need(cuMemCreate(&memory, grain, &properties, 0));
    need(cuMemMap(address, grain, 0, memory, 0));
    CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    need(cuMemSetAccess(address, grain, &access, 1));
    printf(" %d %d\n", full((void *)address), full((void *)(address + grain - 64)));
    need(cuMemsetD8(address, 0, 64));
    printf("%d\n", full((void *)address));
}
