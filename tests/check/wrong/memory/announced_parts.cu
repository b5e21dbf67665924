// A program that allocates from a heap of its own, which it announces with NVTX's memory API:
// accesses past a region, to a freed one, to no region at all, and without permission.
#include <cstdio>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>

__global__ void fill(unsigned char *v) {
    v[threadIdx.x] = (unsigned char)threadIdx.x; // finds out_of_bounds
    // says writes v[40], beyond the end: there are 40 elements
}

__global__ void fill_freed(unsigned char *v) {
    v[threadIdx.x] = 1; // finds out_of_bounds
    // says writes 1 bytes at byte 0 of an allocation of 40 bytes that has been freed
}

__global__ void fill_nothing(unsigned char *v) {
    v[threadIdx.x] = 2; // finds out_of_bounds
    // says writes 1 bytes at an address where there is no memory
}

__global__ void twice(unsigned *v) {
    unsigned before = *v; // finds out_of_bounds
    // says reads v[0], which nvtxMemPermissionsAssign() has closed to such accesses
    *v = before + 1; // finds out_of_bounds
    // says writes v[0], which nvtxMemPermissionsAssign() has closed to such accesses
    atomicAdd(v, 1); // finds out_of_bounds
    // says atomically updates v[0], which nvtxMemPermissionsAssign() has closed to such accesses
}

static void permit(nvtxDomainHandle_t domain, void *start, unsigned flags) {
    nvtxMemPermissionsAssignRegionDesc_t region = {};
    region.flags = flags;
    region.regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    region.region.pointer = start;
    nvtxMemPermissionsAssignBatch_t batch = {};
    batch.extCompatID = NVTX_EXT_COMPATID_MEM;
    batch.structSize = sizeof batch;
    batch.permissions = nvtxMemCudaGetProcessWidePermissions(domain);
    batch.regionCount = 1;
    batch.regionElementSize = sizeof region;
    batch.regionElements = &region;
    nvtxMemPermissionsAssign(domain, &batch);
}

int main() {
    nvtxDomainHandle_t domain = nvtxDomainCreateA("pool");
    unsigned char *pool;
    unsigned *counter, result;
    cudaMalloc(&pool, 4096);
    nvtxMemVirtualRangeDesc_t range = {4096, pool};
    nvtxMemHeapDesc_t desc = {};
    desc.extCompatID = NVTX_EXT_COMPATID_MEM;
    desc.structSize = sizeof desc;
    desc.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
    desc.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    desc.typeSpecificDescSize = sizeof range;
    desc.typeSpecificDesc = &range;
    nvtxMemHeapHandle_t heap = nvtxMemHeapRegister(domain, &desc);
    fill_nothing<<<1, 32>>>(pool);

    nvtxMemVirtualRangeDesc_t region = {40, pool + 16};
    nvtxMemRegionsRegisterBatch_t regions = {};
    regions.extCompatID = NVTX_EXT_COMPATID_MEM;
    regions.structSize = sizeof regions;
    regions.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    regions.heap = heap;
    regions.regionCount = 1;
    regions.regionDescElementSize = sizeof region;
    regions.regionDescElements = &region;
    nvtxMemRegionsRegister(domain, &regions);
    fill<<<1, 41>>>(pool + 16);
    nvtxMemHeapReset(domain, heap);
    fill_freed<<<1, 32>>>(pool + 16);
    nvtxMemHeapUnregister(domain, heap);

    cudaMalloc(&counter, sizeof *counter);
    cudaMemset(counter, 0, sizeof *counter);
    permit(domain, counter, NVTX_MEM_PERMISSIONS_REGION_FLAGS_NONE);
    twice<<<1, 1>>>(counter);
    cudaMemcpy(&result, counter, sizeof result, cudaMemcpyDeviceToHost);
    printf("%u\n", result);
    cudaFree(counter);
    cudaFree(pool);
}
