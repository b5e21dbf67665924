// nvtx_parts.h - how a program describes its memory with NVTX, for right and wrong programs alike.
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>

template <class Batch> static Batch batch_of() {
    Batch batch = {};
    batch.extCompatID = NVTX_EXT_COMPATID_MEM;
    batch.structSize = sizeof batch;
    return batch;
}

static nvtxMemHeapHandle_t make_heap(nvtxDomainHandle_t domain, void *start, size_t size) {
    nvtxMemVirtualRangeDesc_t range = {size, start};
    nvtxMemHeapDesc_t desc = batch_of<nvtxMemHeapDesc_t>();
    desc.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
    desc.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    desc.typeSpecificDescSize = sizeof range;
    desc.typeSpecificDesc = &range;
    return nvtxMemHeapRegister(domain, &desc);
}

static void make_regions(nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap,
                         const nvtxMemVirtualRangeDesc_t *range, size_t count,
                         nvtxMemRegionHandle_t *handles) {
    nvtxMemRegionsRegisterBatch_t batch = batch_of<nvtxMemRegionsRegisterBatch_t>();
    batch.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    batch.heap = heap;
    batch.regionCount = count;
    batch.regionDescElementSize = sizeof *range;
    batch.regionDescElements = range;
    batch.regionHandleElementsOut = handles;
    nvtxMemRegionsRegister(domain, &batch);
}

static void permit(nvtxDomainHandle_t domain, void *start, unsigned flags) {
    nvtxMemPermissionsAssignRegionDesc_t region = {};
    region.flags = flags;
    region.regionRefType = NVTX_MEM_REGION_REF_TYPE_POINTER;
    region.region.pointer = start;
    nvtxMemPermissionsAssignBatch_t batch = batch_of<nvtxMemPermissionsAssignBatch_t>();
    batch.permissions = nvtxMemCudaGetProcessWidePermissions(domain);
    batch.regionCount = 1;
    batch.regionElementSize = sizeof region;
    batch.regionElements = &region;
    nvtxMemPermissionsAssign(domain, &batch);
}
