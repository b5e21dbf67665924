// A heap and its regions, announced with NVTX's memory API and used as announced; the same memory,
// used as a whole after the heap is unregistered; a new allocation in place of that memory; and an
// allocation with sufficient permissions.
#include "../../nvtx_parts.h"

#include <cstdio>

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
    nvtxMemHeapHandle_t heap = make_heap(domain, pool, 4096);
    nvtxMemVirtualRangeDesc_t region[2] = {{32, pool + 16}, {32, pool + 256}};
    nvtxMemRegionHandle_t handle[2];
    make_regions(domain, heap, region, 2, handle);
    fill<<<1, 32>>>(pool + 16);
    fill<<<1, 32>>>(pool + 256);

    nvtxMemVirtualRangeDesc_t longer = {64, pool + 16};
    nvtxMemRegionsResizeBatch_t resize = batch_of<nvtxMemRegionsResizeBatch_t>();
    resize.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
    resize.regionDescCount = 1;
    resize.regionDescElementSize = sizeof longer;
    resize.regionDescElements = &longer;
    nvtxMemRegionsResize(domain, &resize);
    fill<<<2, 32>>>(pool + 16);

    nvtxMemRegionRef_t reference;
    reference.handle = handle[1];
    nvtxMemRegionsUnregisterBatch_t unregister = batch_of<nvtxMemRegionsUnregisterBatch_t>();
    unregister.refType = NVTX_MEM_REGION_REF_TYPE_HANDLE;
    unregister.refCount = 1;
    unregister.refElementSize = sizeof reference;
    unregister.refElements = &reference;
    nvtxMemRegionsUnregister(domain, &unregister);
    nvtxMemHeapUnregister(domain, heap);
    fill<<<4, 1024>>>(pool);

    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    permit(domain, pool, NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ);
    permit(domain, sum, NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC);
    read<<<1, 32>>>(pool, sum);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(pool);
    cudaMalloc(&pool, 4096);
    fill<<<4, 1024>>>(pool);
    permit(domain, sum, NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET);
    fill<<<1, 4>>>((unsigned char *)sum);
    cudaFree(pool);
    cudaFree(sum);
    printf("%u\n", result);
    return result != 31 * 32 / 2;
}
