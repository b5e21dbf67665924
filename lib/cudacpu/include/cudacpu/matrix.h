/*
 * matrix.h - the C functions below mma.sync, ldmatrix, stmatrix and movmatrix on the CPU warp: what
 * the lanes' registers hold is as in lib/warp's fragment.h.
 *
 * Each takes the parts of all 32 lanes; NULL is that of a lane that has ended: zeros. A register is
 * a uint64_t, of which a 32-bit one has the low half.
 */
#ifndef SHFLVIZ_CPU_MATRIX_H
#define SHFLVIZ_CPU_MATRIX_H

#include "cudacpu/product.h"

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

#define CPU_MATRIX_ROW 16 /* bytes */

#ifdef __cplusplus
extern "C" {
#endif

/* D = A B + C. `name` is the instruction's as in PTX; it must stay where it is, and is one of those
 * that mma_read() takes. Integers wrap, or saturate with .satfinite; of others sums are kept in
 * double, in the order of k, and rounded once. */
void cpu_mma(const char *name, const struct cpu_product_part *const *parts);

/* `a` is the lane's row of CPU_MATRIX_ROW bytes, where it has one; `d` its registers, one for each
 * matrix. */
void cpu_ldmatrix(int matrices, bool transposed, const struct cpu_product_part *const *parts);
/* `a` is the lane's registers, `d` its row. */
void cpu_stmatrix(int matrices, bool transposed, const struct cpu_product_part *const *parts);
/* `a` and `d` are one register each. */
void cpu_movmatrix(const struct cpu_product_part *const *parts);

#ifdef __cplusplus
}
#endif

CUDACPU_DEVICE_END
#endif
