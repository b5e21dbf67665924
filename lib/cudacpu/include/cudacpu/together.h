/*
 * together.h - work that one lane does for its whole warp: the base of nvcuda::wmma and mma.sync.
 */
#ifndef SHFLVIZ_CPU_TOGETHER_H
#define SHFLVIZ_CPU_TOGETHER_H

#include "cudacpu/product.h"
#include "shflviz/record.cuh"

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

namespace shflviz {

/* A rendezvous of the warp to which each lane passes its part. True in the first lane to continue,
 * which gets the parts of all (NULL for lanes that have ended) and does the work; false in the
 * others, which find it done. */
static inline bool together(const shflviz_site *site, const cpu_product_part *mine,
                            const cpu_product_part *parts[32]) {
    uint64_t *const shown = cpu_now.warp->in64;
    const unsigned lane = cpu_now.lane->index;
    shown[lane] = (uint64_t)(uintptr_t)mine;
    meet(site, 0xffffffffu);
    if (!shown[lane])
        return false;
    for (int other = 0; other < 32; other++) {
        const bool there = (cpu_now.warp->launched & ~cpu_now.warp->exited) >> other & 1;
        parts[other] = there ? (const cpu_product_part *)(uintptr_t)shown[other] : nullptr;
        shown[other] = 0;
    }
    return true;
}

} // namespace shflviz

CUDACPU_DEVICE_END
#endif
