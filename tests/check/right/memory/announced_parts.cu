// A heap and its regions, announced with NVTX's memory API and used as they are; the same memory as
// a whole once the heap is gone, and after a new allocation has taken its place; and an allocation
// with sufficient permissions.
#include <cstdio>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>

__global__ void fill(unsigned char *v) {
    v[blockIdx.x * blockDim.x + threadIdx.x] = (unsigned char)threadIdx.x;
}

__global__ void read(const unsigned char *v, unsigned *sum) {
    atomicAdd(sum, v[threadIdx.x]);
}

int main() {
    nvtxDomainHandle_t domain = nvtxDomainCreateA("pool");
    unsigned char *pool;
    unsigned *sum, result;
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

    nvtxMemVirtualRangeDesc_t region[2] = {{32, pool + 16}, {32, pool + 256}};
    nvtxMemRegionHandle_t handle[2];
    nvtxMemRegionsRegisterBatch_t regions = {};
    regions.extCompatID = NVTX_EXT_COMPATID_MEM;
    regions.structSize = sizeof regions;
    regions.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    regions.heap = heap;
    regions.regionCount = 2;
    regions.regionDescElementSize = sizeof region[0];
    regions.regionDescElements = region;
    regions.regionHandleElementsOut = handle;
    nvtxMemRegionsRegister(domain, &regions);
    fill<<<1, 32>>>(pool + 16);
    fill<<<1, 32>>>(pool + 256);

    nvtxMemVirtualRangeDesc_t longer = {64, pool + 16};
    nvtxMemRegionsResizeBatch_t resize = {};
    resize.extCompatID = NVTX_EXT_COMPATID_MEM;
    resize.structSize = sizeof resize;
    resize.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    resize.regionDescCount = 1;
    resize.regionDescElementSize = sizeof longer;
    resize.regionDescElements = &longer;
    nvtxMemRegionsResize(domain, &resize);
    fill<<<2, 32>>>(pool + 16);

    nvtxMemRegionRef_t reference;
    reference.handle = handle[1];
    nvtxMemRegionsUnregisterBatch_t unregister = {};
    unregister.extCompatID = NVTX_EXT_COMPATID_MEM;
    unregister.structSize = sizeof unregister;
    unregister.refType = NVTX_MEM_REGION_REF_TYPE_HANDLE;
    unregister.refCount = 1;
    unregister.refElementSize = sizeof reference;
    unregister.refElements = &reference;
    nvtxMemRegionsUnregister(domain, &unregister);
    nvtxMemHeapUnregister(domain, heap);
    fill<<<4, 1024>>>(pool);

    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    nvtxMemPermissionsAssignRegionDesc_t permission[2] = {};
    permission[0].flags = NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ;
    permission[0].region.pointer = pool;
    permission[1].flags = NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC;
    permission[1].region.pointer = sum;
    nvtxMemPermissionsAssignBatch_t batch = {};
    batch.extCompatID = NVTX_EXT_COMPATID_MEM;
    batch.structSize = sizeof batch;
    batch.permissions = nvtxMemCudaGetProcessWidePermissions(domain);
    batch.regionCount = 2;
    batch.regionElementSize = sizeof permission[0];
    batch.regionElements = permission;
    nvtxMemPermissionsAssign(domain, &batch);
    read<<<1, 32>>>(pool, sum);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(pool);
    cudaMalloc(&pool, 4096);
    fill<<<4, 1024>>>(pool);
    permission[1].flags = NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET;
    nvtxMemPermissionsAssign(domain, &batch);
    fill<<<1, 4>>>((unsigned char *)sum);
    cudaFree(pool);
    cudaFree(sum);
    printf("%u\n", result);
    return result != 31 * 32 / 2;
}
