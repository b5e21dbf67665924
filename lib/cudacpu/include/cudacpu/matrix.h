/*
 * matrix.h - the C functions that implement mma.sync, ldmatrix, stmatrix, movmatrix and
 * nvcuda::wmma on the CPU warp. The contents of the lanes' registers are those of lib/warp's
 * fragment.h.
 *
 * Each takes the parts of all 32 lanes; NULL is that of a lane that has ended, and counts as zeros.
 * A register is a uint64_t; a 32-bit register occupies its low half.
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

/* D = A B + C. `name` is the PTX instruction's; it must stay valid, and must be one that
 * mma_read() accepts. Integers wrap, or saturate with .satfinite; other sums are kept in double,
 * in the order of k, and rounded once. */
void cpu_mma(const char *name, const struct cpu_product_part *const *parts);

/* `a` is the lane's row of CPU_MATRIX_ROW bytes, if it has one; `d` its registers, one for each
 * matrix; `b` the address that it passed, a uint64_t, for the recording, or NULL. */
void cpu_ldmatrix(int matrices, bool transposed, const struct cpu_product_part *const *parts);
/* `a` points to the lane's registers, `d` to its row. */
void cpu_stmatrix(int matrices, bool transposed, const struct cpu_product_part *const *parts);
/* `a` and `d` are one register each. */
void cpu_movmatrix(const struct cpu_product_part *const *parts);

/* cpu_multiply() for nvcuda::wmma; also records the registers. `layouts` are A's and B's, as
 * PTX names them: "row.col". */
void cpu_wmma(const struct cpu_product *product, const char *layouts,
              const struct cpu_product_part *const *parts);
/* A load or a store of wmma, for the recording: `words` from its name in PTX, such as "load.a.row";
 * the product's m, n and k; the elements' type; and the number of elements at `a` of each lane's
 * part. */
struct cpu_wmma_move {
    const char *words;
    int m, n, k;
    enum cpu_number type;
    int elements;
};
void cpu_wmma_moved(const struct cpu_wmma_move *move, const struct cpu_product_part *const *parts);

#ifdef __cplusplus
}
#endif

CUDACPU_DEVICE_END
#endif
