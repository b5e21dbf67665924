/*
 * product.h - the C function that implements nvcuda::wmma on the CPU warp: it multiplies small
 * matrices that the lanes of a warp hold together.
 */
#ifndef SHFLVIZ_CPU_PRODUCT_H
#define SHFLVIZ_CPU_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

/* The storage type of a matrix's elements. */
enum cpu_number {
    CPU_NUMBER_HALF,
    CPU_NUMBER_BFLOAT,
    CPU_NUMBER_TF32, /* a float without its low 13 bits */
    CPU_NUMBER_FLOAT,
    CPU_NUMBER_DOUBLE,
    CPU_NUMBER_SIGNED_CHAR,
    CPU_NUMBER_UNSIGNED_CHAR,
    CPU_NUMBER_INT,
};

/* D = A B + C, where A is m by k and B is k by n. */
struct cpu_product {
    int m, n, k;             /* at most 512 elements per matrix; m is a multiple of 4, n of 8 */
    enum cpu_number factors; /* of A and B */
    enum cpu_number addend, sum;
    bool saturates; /* integers stay in range; else they wrap */
    /* The row-major index of each element, lane by lane; c_cells is also D's. If NULL, lane 0 has
     * the first 1/32 of the row-major matrix, lane 1 the next, and so on. */
    const unsigned short *a_cells, *b_cells, *c_cells;
};

/* The elements of a lane: 1/32 of each matrix. */
struct cpu_product_part {
    const void *a, *b, *c;
    void *d;
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Computes the product for all lanes and writes their parts of D, which may be their parts of C.
 * All lanes but the caller are stopped. NULL is the part of a lane that has ended, and counts as
 * zeros. Sums are kept in double, in the order of k, and rounded once.
 */
void cpu_multiply(const struct cpu_product *product, const struct cpu_product_part *const *parts);

#ifdef __cplusplus
}
#endif

CUDACPU_DEVICE_END
#endif
