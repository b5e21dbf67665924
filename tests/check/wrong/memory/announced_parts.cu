// A program that allocates from a heap of its own, which it announces with NVTX's memory API:
// accesses past a region, to a freed region, to memory in no region, and without permission.
#include "../../nvtx_parts.h"

#include <cstdio>

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

int main() {
    nvtxDomainHandle_t domain = nvtxDomainCreateA("pool");
    unsigned char *pool;
    unsigned *counter, result;
    cudaMalloc(&pool, 4096);
    nvtxMemHeapHandle_t heap = make_heap(domain, pool, 4096);
    fill_nothing<<<1, 32>>>(pool);

    nvtxMemVirtualRangeDesc_t region = {40, pool + 16};
    make_regions(domain, heap, &region, 1, nullptr);
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
