// The driver's virtual memory: addresses and memory apart, mapped, moved, seen at two addresses.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void put(int *to, int first, int count) {
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        to[i] = first + i;
}
__global__ void sum(const int *from, int count, unsigned long long *result) {
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        atomicAdd(result, (unsigned long long)from[i]);
}

static void expect(const char *what, CUresult result, CUresult wanted = CUDA_SUCCESS) {
    const char *name;
    cuGetErrorName(result, &name);
    printf("%s: %s%s\n", what, name, result == wanted ? "" : " (not what was wanted)");
}

int main() {
    CUdevice device;
    CUcontext context;
    int supported = 0;
    cuInit(0);
    cuDeviceGet(&device, 0);
    cuCtxCreate(&context, nullptr, 0, device);
    cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                         device);
    CUmemAllocationProp properties = {};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = device;
    size_t grain = 0;
    cuMemGetAllocationGranularity(&grain, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    printf("supported %d, granularity %zu\n", supported, grain);

    CUdeviceptr addresses = 0, others = 0;
    CUmemGenericAllocationHandle first, second;
    expect("a size that is no multiple", cuMemCreate(&first, grain + 1, &properties, 0),
           CUDA_ERROR_INVALID_VALUE);
    expect("reserve", cuMemAddressReserve(&addresses, 2 * grain, 0, 0, 0));
    expect("create", cuMemCreate(&first, grain, &properties, 0));
    expect("create", cuMemCreate(&second, grain, &properties, 0));
    expect("map", cuMemMap(addresses, grain, 0, first, 0));
    expect("map there again", cuMemMap(addresses, grain, 0, second, 0), CUDA_ERROR_INVALID_VALUE);
    expect("map", cuMemMap(addresses + grain, grain, 0, second, 0));
    CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    expect("access", cuMemSetAccess(addresses, 2 * grain, &access, 1));

    // One kernel over both pieces, and a copy across the seam.
    const int count = 2 * grain / sizeof(int);
    put<<<1, 32>>>((int *)addresses, 5, count);
    int seam[4] = {};
    cudaMemcpy(seam, (void *)(addresses + grain - 8), sizeof seam, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", seam[0], seam[1], seam[2], seam[3]);

    // The second piece at another address, too.
    expect("reserve", cuMemAddressReserve(&others, grain, 0, 0, 0));
    expect("map", cuMemMap(others, grain, 0, second, 0));
    expect("access", cuMemSetAccess(others, grain, &access, 1));
    cuMemsetD32(others, 7, 1);
    int seen = 0;
    cuMemcpyDtoH(&seen, addresses + grain, sizeof seen);
    printf("the same memory: %d\n", seen);

    expect("free what is mapped", cuMemAddressFree(addresses, 2 * grain), CUDA_ERROR_INVALID_VALUE);
    expect("unmap", cuMemUnmap(addresses, 2 * grain));
    expect("release", cuMemRelease(first));
    expect("release", cuMemRelease(second));
    expect("release again", cuMemRelease(first), CUDA_ERROR_INVALID_VALUE);
    expect("free", cuMemAddressFree(addresses, 2 * grain));
    // What is mapped stays, without a handle.
    unsigned long long *result, total = 0;
    cudaMalloc(&result, sizeof *result);
    sum<<<1, 32>>>((int *)others, 4, result);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    const long long start = 5 + (long long)(grain / sizeof(int));
    printf("%d\n", total == 7ull + 3 * start + 6);
    printf("%s\n", cudaGetErrorName(cudaFree((void *)others)));
    (void)cudaGetLastError();
    expect("unmap", cuMemUnmap(others, grain));
    printf("%s\n", cudaGetErrorName(cudaMemset((void *)others, 0, 4)));
    expect("free", cuMemAddressFree(others, grain));
}
