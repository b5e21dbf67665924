/* nvToolsExtMemCudaRt.h - the part of NVTX's memory API (nvToolsExtMem.h) that knows CUDA. */
#ifndef NVTX_MEM_CUDART_CONTENTS_V1
#define NVTX_MEM_CUDART_CONTENTS_V1

#include "../cuda_runtime_api.h"
#include "nvToolsExtMem.h"

#define NVTX_MEM_CUDA_PEER_ALL_DEVICES (-1)

typedef struct nvtxMemMarkInitializedBatch_v1 {
    uint16_t extCompatID, structSize;
    uint32_t regionType;
    size_t regionDescCount, regionDescElementSize;
    const void *regionDescElements;
} nvtxMemMarkInitializedBatch_t;

static inline nvtxMemPermissionsHandle_t
nvtxMemCudaGetProcessWidePermissions(nvtxDomainHandle_t domain) {
    (void)domain;
    return NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE;
}
/* There is one device. */
static inline nvtxMemPermissionsHandle_t
nvtxMemCudaGetDeviceWidePermissions(nvtxDomainHandle_t domain, int device) {
    (void)domain, (void)device;
    return NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE;
}
static inline void nvtxMemCudaSetPeerAccess(nvtxDomainHandle_t domain,
                                            nvtxMemPermissionsHandle_t permissions, int peer,
                                            uint32_t flags) {
    (void)domain, (void)permissions, (void)peer, (void)flags;
}
static inline void nvtxMemCudaMarkInitialized(nvtxDomainHandle_t domain, cudaStream_t stream,
                                              uint8_t is_per_thread,
                                              const nvtxMemMarkInitializedBatch_t *desc) {
    (void)domain, (void)stream, (void)is_per_thread;
    shflviz_nvtx_ranges(CPU_PART_WRITTEN, desc->regionType, desc->regionDescElements,
                        desc->regionDescElementSize, desc->regionDescCount);
}

#endif
