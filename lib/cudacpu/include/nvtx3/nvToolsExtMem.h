/*
 * nvToolsExtMem.h - NVTX's memory API, by which a program tells a checker what it does with an
 * allocation: the regions that it hands out from it, and what kernels may do there. Permissions
 * apply to the whole process; others, and names, do nothing.
 */
#ifndef NVTX_EXT_COMPATID_MEM
#define NVTX_EXT_COMPATID_MEM 0x0102

#include "../cudacpu/memory_parts.h"
#include "nvToolsExt.h"

#define NVTX_EXT_MODULEID_MEM 1

#define NVTX_MEM_HEAP_HANDLE_PROCESS_WIDE        ((nvtxMemHeapHandle_t)0)
#define NVTX_MEM_HEAP_HANDLE_NO_TOOL             ((nvtxMemHeapHandle_t)(intptr_t)-1)
#define NVTX_MEM_REGION_HANDLE_NO_TOOL           ((nvtxMemRegionHandle_t)(intptr_t)-1)
#define NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE ((nvtxMemPermissionsHandle_t)0)
#define NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL      ((nvtxMemPermissionsHandle_t)(intptr_t)-1)

#define NVTX_MEM_HEAP_USAGE_UNKNOWN            0x0
#define NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR 0x1
#define NVTX_MEM_HEAP_USAGE_TYPE_LAYOUT        0x2

#define NVTX_MEM_TYPE_UNKNOWN         0x0
#define NVTX_MEM_TYPE_VIRTUAL_ADDRESS 0x1

#define NVTX_MEM_REGION_REF_TYPE_UNKNOWN 0x0
#define NVTX_MEM_REGION_REF_TYPE_POINTER 0x1
#define NVTX_MEM_REGION_REF_TYPE_HANDLE  0x2

#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_NONE                  0x0
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_READ   0x1
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_WRITE  0x2
#define NVTX_MEM_PERMISSIONS_CREATE_FLAGS_EXCLUDE_GLOBAL_ATOMIC 0x4

#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_NONE   0x0
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ   0x1
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE  0x2
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC 0x4
#define NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET  0x8

#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_NONE          0x0
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_READ   0x1
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_WRITE  0x2
#define NVTX_MEM_PERMISSIONS_BIND_FLAGS_STRICT_ATOMIC 0x4

#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_UNKNOWN     0x0
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD  0x1
#define NVTX_MEM_PERMISSIONS_BIND_SCOPE_CUDA_STREAM 0x2

/* A handle of a heap or a region is the address at which it starts. */
typedef struct nvtxMemHeap_v1 *nvtxMemHeapHandle_t;
typedef struct nvtxMemRegion_v1 *nvtxMemRegionHandle_t;
typedef struct nvtxMemPermissions_v1 *nvtxMemPermissionsHandle_t;
typedef union nvtxMemRegionRef_t {
    const void *pointer;
    nvtxMemRegionHandle_t handle;
} nvtxMemRegionRef_t;

typedef struct nvtxMemVirtualRangeDesc_v1 {
    size_t size;
    const void *ptr;
} nvtxMemVirtualRangeDesc_t;

typedef struct nvtxMemHeapDesc_v1 {
    uint16_t extCompatID, structSize;
    uint32_t reserved0, usage, type;
    size_t typeSpecificDescSize;
    const void *typeSpecificDesc;
    uint32_t category, messageType;
    nvtxMessageValue_t message;
} nvtxMemHeapDesc_t;

typedef struct nvtxMemRegionsRegisterBatch_v1 {
    uint16_t extCompatID, structSize;
    uint32_t regionType;
    nvtxMemHeapHandle_t heap;
    size_t regionCount, regionDescElementSize;
    const void *regionDescElements;
    nvtxMemRegionHandle_t *regionHandleElementsOut;
} nvtxMemRegionsRegisterBatch_t;

typedef struct nvtxMemRegionsResizeBatch_v1 {
    uint16_t extCompatID, structSize;
    uint32_t regionType;
    size_t regionDescCount, regionDescElementSize;
    const void *regionDescElements;
} nvtxMemRegionsResizeBatch_t;

typedef struct nvtxMemRegionsUnregisterBatch_v1 {
    uint16_t extCompatID, structSize;
    uint32_t refType;
    size_t refCount, refElementSize;
    const nvtxMemRegionRef_t *refElements;
} nvtxMemRegionsUnregisterBatch_t;

typedef struct nvtxMemRegionNameDesc_v1 {
    uint32_t regionRefType, nameType;
    nvtxMemRegionRef_t region;
    nvtxMessageValue_t name;
    uint32_t category, reserved0;
} nvtxMemRegionNameDesc_t;

typedef struct nvtxMemRegionsNameBatch_v1 {
    uint16_t extCompatID, structSize;
    uint32_t reserved0;
    size_t regionCount, regionElementSize;
    const nvtxMemRegionNameDesc_t *regionElements;
    size_t reserved1;
} nvtxMemRegionsNameBatch_t;

typedef struct nvtxMemPermissionsAssignRegionDesc_v1 {
    uint32_t flags, regionRefType;
    nvtxMemRegionRef_t region;
} nvtxMemPermissionsAssignRegionDesc_t;

typedef struct nvtxMemPermissionsAssignBatch_v1 {
    uint16_t extCompatID, structSize;
    uint32_t reserved0;
    nvtxMemPermissionsHandle_t permissions;
    size_t regionCount, regionElementSize;
    const nvtxMemPermissionsAssignRegionDesc_t *regionElements;
    size_t reserved1;
} nvtxMemPermissionsAssignBatch_t;

#define SHFLVIZ_NVTX static inline __attribute__((unused))

/* The element of a batch, whose elements may be longer than this version of the API knows. */
#define SHFLVIZ_NVTX_ELEMENT(type, elements, bytes, index)                                         \
    ((const type *)((const char *)(elements) + (index) * (bytes)))

/* Announces each range of a batch. */
SHFLVIZ_NVTX void shflviz_nvtx_ranges(enum cpu_part part, uint32_t type, const void *elements,
                                      size_t bytes, size_t count) {
    for (size_t i = 0; i < count && type == NVTX_MEM_TYPE_VIRTUAL_ADDRESS; i++) {
        const nvtxMemVirtualRangeDesc_t *range =
            SHFLVIZ_NVTX_ELEMENT(nvtxMemVirtualRangeDesc_t, elements, bytes, i);
        cpu_memory_part(part, range->ptr, range->size);
    }
}

SHFLVIZ_NVTX nvtxMemHeapHandle_t nvtxMemHeapRegister(nvtxDomainHandle_t domain,
                                                     const nvtxMemHeapDesc_t *desc) {
    const nvtxMemVirtualRangeDesc_t *range =
        (const nvtxMemVirtualRangeDesc_t *)desc->typeSpecificDesc;
    (void)domain;
    if (desc->type != NVTX_MEM_TYPE_VIRTUAL_ADDRESS)
        return NVTX_MEM_HEAP_HANDLE_NO_TOOL;
    if (desc->usage == NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR)
        cpu_memory_part(CPU_PART_HEAP, range->ptr, range->size);
    return (nvtxMemHeapHandle_t)range->ptr;
}
SHFLVIZ_NVTX void nvtxMemHeapUnregister(nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap) {
    (void)domain;
    cpu_memory_part(CPU_PART_HEAP_GONE, heap, 0);
}
SHFLVIZ_NVTX void nvtxMemHeapReset(nvtxDomainHandle_t domain, nvtxMemHeapHandle_t heap) {
    (void)domain;
    cpu_memory_part(CPU_PART_HEAP_RESET, heap, 0);
}

SHFLVIZ_NVTX void nvtxMemRegionsRegister(nvtxDomainHandle_t domain,
                                         const nvtxMemRegionsRegisterBatch_t *desc) {
    (void)domain;
    shflviz_nvtx_ranges(CPU_PART_REGION, desc->regionType, desc->regionDescElements,
                        desc->regionDescElementSize, desc->regionCount);
    for (size_t i = 0; desc->regionHandleElementsOut && i < desc->regionCount; i++)
        desc->regionHandleElementsOut[i] =
            (nvtxMemRegionHandle_t)SHFLVIZ_NVTX_ELEMENT(
                nvtxMemVirtualRangeDesc_t, desc->regionDescElements, desc->regionDescElementSize, i)
                ->ptr;
}
SHFLVIZ_NVTX void nvtxMemRegionsResize(nvtxDomainHandle_t domain,
                                       const nvtxMemRegionsResizeBatch_t *desc) {
    (void)domain;
    shflviz_nvtx_ranges(CPU_PART_REGION, desc->regionType, desc->regionDescElements,
                        desc->regionDescElementSize, desc->regionDescCount);
}
SHFLVIZ_NVTX void nvtxMemRegionsUnregister(nvtxDomainHandle_t domain,
                                           const nvtxMemRegionsUnregisterBatch_t *desc) {
    (void)domain;
    for (size_t i = 0; i < desc->refCount; i++)
        cpu_memory_part(
            CPU_PART_REGION_GONE,
            SHFLVIZ_NVTX_ELEMENT(nvtxMemRegionRef_t, desc->refElements, desc->refElementSize, i)
                ->pointer,
            0);
}
SHFLVIZ_NVTX void nvtxMemRegionsName(nvtxDomainHandle_t domain,
                                     const nvtxMemRegionsNameBatch_t *desc) {
    (void)domain, (void)desc;
}

SHFLVIZ_NVTX void nvtxMemPermissionsAssign(nvtxDomainHandle_t domain,
                                           const nvtxMemPermissionsAssignBatch_t *desc) {
    (void)domain;
    if (desc->permissions != NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE)
        return;
    for (size_t i = 0; i < desc->regionCount; i++) {
        const nvtxMemPermissionsAssignRegionDesc_t *region = SHFLVIZ_NVTX_ELEMENT(
            nvtxMemPermissionsAssignRegionDesc_t, desc->regionElements, desc->regionElementSize, i);
        cpu_memory_part(CPU_PART_PERMISSIONS, region->region.pointer, region->flags);
    }
}
SHFLVIZ_NVTX nvtxMemPermissionsHandle_t nvtxMemPermissionsCreate(nvtxDomainHandle_t domain,
                                                                 int32_t creationflags) {
    (void)domain, (void)creationflags;
    return NVTX_MEM_PERMISSIONS_HANDLE_NO_TOOL;
}
SHFLVIZ_NVTX void nvtxMemPermissionsDestroy(nvtxDomainHandle_t domain,
                                            nvtxMemPermissionsHandle_t permissions) {
    (void)domain, (void)permissions;
}
SHFLVIZ_NVTX void nvtxMemPermissionsReset(nvtxDomainHandle_t domain,
                                          nvtxMemPermissionsHandle_t permissions) {
    (void)domain;
    if (permissions == NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE)
        cpu_memory_part(CPU_PART_PERMISSIONS, NULL, NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET);
}
SHFLVIZ_NVTX void nvtxMemPermissionsBind(nvtxDomainHandle_t domain,
                                         nvtxMemPermissionsHandle_t permissions, uint32_t scope,
                                         uint32_t flags) {
    (void)domain, (void)permissions, (void)scope, (void)flags;
}
SHFLVIZ_NVTX void nvtxMemPermissionsUnbind(nvtxDomainHandle_t domain, uint32_t scope) {
    (void)domain, (void)scope;
}
#undef SHFLVIZ_NVTX

#endif
