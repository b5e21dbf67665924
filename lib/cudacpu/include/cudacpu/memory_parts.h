/*
 * memory_parts.h - parts of an allocation that the host describes to a memory checker (NVTX's
 * memory API, nvtx3/nvToolsExtMem.h). Without a checker the call does nothing.
 */
#ifndef SHFLVIZ_CUDACPU_MEMORY_PARTS_H
#define SHFLVIZ_CUDACPU_MEMORY_PARTS_H

#include <stddef.h>

enum cpu_part {
    CPU_PART_HEAP,        /* from now on only regions of these `value` bytes may be accessed */
    CPU_PART_HEAP_GONE,   /* the heap that starts there is removed, with its regions */
    CPU_PART_HEAP_RESET,  /* all its regions are freed */
    CPU_PART_REGION,      /* `value` bytes of a heap are in use, or have this size now */
    CPU_PART_REGION_GONE, /* the region that starts there is freed */
    CPU_PART_PERMISSIONS, /* `value`: what lanes may do in the region or the allocation that
                           * starts there, as CPU_PART_READ and so on; CPU_PART_RESET allows
                           * everything, everywhere if `start` is NULL */
    CPU_PART_WRITTEN      /* `value` bytes count as written */
};
/* NVTX's bits. */
enum { CPU_PART_READ = 1, CPU_PART_WRITE = 2, CPU_PART_ATOMIC = 4, CPU_PART_RESET = 8 };

#ifdef __cplusplus
extern "C" {
#endif
void cpu_memory_part(enum cpu_part part, const void *start, size_t value);
#ifdef __cplusplus
}
#endif

#endif
