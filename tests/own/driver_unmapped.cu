// Where memory has been unmapped there is none, on the machine neither: a kernel that writes there
// fails as with any address that is nobody's.
// status 4
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void put(int *to) {
    *to = 7;
}

// How many pieces of such memory the process sees; Linux has them by this name.
static int pieces() {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    int count = 0;
    while (maps && fgets(line, sizeof line, maps))
        count += strstr(line, "device memory") != nullptr;
    if (maps)
        fclose(maps);
    return count;
}

int main() {
    CUmemAllocationProp properties = {};
    CUmemGenericAllocationHandle memory;
    CUdeviceptr address;
    size_t grain;
    int back = 0;
    cudaFree(0);
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    cuMemGetAllocationGranularity(&grain, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    cuMemAddressReserve(&address, grain, 0, 0, 0);
    cuMemCreate(&memory, grain, &properties, 0);
    cuMemMap(address, grain, 0, memory, 0);
    CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    cuMemSetAccess(address, grain, &access, 1);
    put<<<1, 1>>>((int *)address);
    cuMemcpyDtoH(&back, address, sizeof back);
    printf("mapped: %d %d\n", cudaDeviceSynchronize(), back);
    const int before = pieces();
    cuMemUnmap(address, grain);
    printf("%d less\n", before - pieces());
    put<<<1, 1>>>((int *)address);
    printf("unmapped: %d\n", cudaDeviceSynchronize());
}
