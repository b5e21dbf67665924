/*
 * ptx/matrix.h - inline PTX: mma.sync, ldmatrix, stmatrix, movmatrix. Each is a rendezvous of the
 * whole warp, recorded as one at its line, and ptx/matrix.c passes the registers as
 * arrays.
 */
#ifndef SHFLVIZ_CUDA_PTX_MATRIX_H
#define SHFLVIZ_CUDA_PTX_MATRIX_H

#include "cudacpu/matrix.h"
#include "cudacpu/ptx/warp.h"
#include "cudacpu/together.h"

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

namespace shflviz {
namespace ptx {

/* Each lane's operands and result are in its part. The first lane to continue computes all of
 * them. */
static inline void i_mma(const shflviz_site *site, const char *name, const u64 *a, const u64 *b,
                         const u64 *c, u64 *d) {
    const cpu_product_part mine = {a, b, c, d}, *parts[32];
    if (together(site, &mine, parts))
        cpu_mma(name, parts);
}

/* A row is read by the lane that passes its address, in one access of 16 bytes, with a GPU's
 * alignment. */
static inline __attribute__((always_inline)) void
i_ldmatrix(const shflviz_site *site, int matrices, bool transposed, const char *address, u64 *d) {
    uint4 row = {0, 0, 0, 0};
    const u64 at = __cvta_generic_to_shared(address);
    const bool passes = (int)sreg_laneid() < 8 * matrices;
    if (passes)
        row = *(const uint4 *)address;
    const cpu_product_part mine = {&row, passes ? &at : nullptr, nullptr, d}, *parts[32];
    if (together(site, &mine, parts))
        cpu_ldmatrix(matrices, transposed, parts);
}

static inline __attribute__((always_inline)) void
i_stmatrix(const shflviz_site *site, int matrices, bool transposed, char *address, const u64 *a) {
    uint4 row = {0, 0, 0, 0};
    const u64 at = __cvta_generic_to_shared(address);
    const bool passes = (int)sreg_laneid() < 8 * matrices;
    const cpu_product_part mine = {a, passes ? &at : nullptr, nullptr, &row}, *parts[32];
    if (together(site, &mine, parts))
        cpu_stmatrix(matrices, transposed, parts);
    if (passes)
        *(uint4 *)address = row;
}

static inline void i_movmatrix(const shflviz_site *site, const u64 *a, u64 *d) {
    const cpu_product_part mine = {a, nullptr, nullptr, d}, *parts[32];
    if (together(site, &mine, parts))
        cpu_movmatrix(parts);
}

} // namespace ptx
} // namespace shflviz

CUDACPU_DEVICE_END
#endif
