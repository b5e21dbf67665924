/*
 * product.h - the C function below nvcuda::wmma on the CPU warp: small matrices that the lanes of a
 * warp hold together, multiplied.
 */
#ifndef SHFLVIZ_CPU_PRODUCT_H
#define SHFLVIZ_CPU_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "host_defines.h"

CUDACPU_DEVICE_BEGIN

/* What the elements of a matrix are kept as. */
enum cpu_number {
    CPU_NUMBER_HALF,
    CPU_NUMBER_BFLOAT,
    CPU_NUMBER_TF32, /* a float of which the last 13 bits do not count */
    CPU_NUMBER_FLOAT,
    CPU_NUMBER_DOUBLE,
    CPU_NUMBER_SIGNED_CHAR,
    CPU_NUMBER_UNSIGNED_CHAR,
    CPU_NUMBER_INT,
};

/* D = A B + C of m by k and k by n. */
struct cpu_product {
    int m, n, k;             /* at most 512 elements a matrix, m a multiple of 4, n of 8 */
    enum cpu_number factors; /* of A and B */
    enum cpu_number addend, sum;
    bool saturates; /* integers stay in range; else they wrap */
};

/* The elements of a lane: of each matrix, by rows, 1/32 of all, lane 0's first. */
struct cpu_product_part {
    const void *a, *b, *c;
    void *d;
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Works the product out for all lanes and writes their parts of D, which may be their parts of C.
 * All are stopped but the one that calls. NULL is the part of a lane that has ended: zeros.
 * Sums are kept in double, in the order of k, and rounded once.
 */
void cpu_multiply(const struct cpu_product *product, const struct cpu_product_part *const *parts);

#ifdef __cplusplus
}
#endif

CUDACPU_DEVICE_END
#endif
