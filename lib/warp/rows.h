/*
 * rows.h - the rows that ldmatrix and stmatrix access in shared memory: the lane that passes each
 * row's address, and the row's banks.
 *
 * A row is 16 bytes, aligned to 16 (PTX ISA, "ldmatrix"), so that it fills four of the 32 banks.
 * The eight rows of a matrix, one from each of eight successive lanes, are one phase, like a
 * quarter-warp that loads 128 bits per lane (warp/banks.h): it takes as many passes as there are
 * different rows in the same banks.
 */
#ifndef SHFLVIZ_WARP_ROWS_H
#define SHFLVIZ_WARP_ROWS_H

#include "warp/banks.h"
#include "warp/fragment.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MATRIX_ROW_BYTES 16
#define MATRIX_ROW_BANKS (MATRIX_ROW_BYTES / WARP_BANK_BYTES)

/*
 * An XOR of address bits, with CuTe's numbers (cute/swizzle.hpp, Swizzle<B, M, S>), but for bytes:
 * the `bits` bits from `base` on are XORed with those `shift` higher. For rows of halves, CuTe's
 * <3, 3, 3> is 3, 4, 3 here. `bits` is 0 for none.
 */
struct swizzle {
    int bits, base, shift;
};
/* Reads "128B", "64B" or "32B" (3,4,3; 2,4,3; 1,4,3), or three numbers. False if it is not a
 * swizzle, or one that splits a row of 16 bytes. */
bool swizzle_read(struct swizzle *swizzle, const char *text);
uint32_t swizzle_apply(const struct swizzle *swizzle, uint32_t offset);

struct matrix_rows {
    uint32_t lanes; /* that pass the address of a row */
    int32_t offset[WARP_LANES];
};

/*
 * The rows of one, two or four matrices in a tile whose rows are `pitch` bytes apart: lane l passes
 * the address of row l % 16 or, from lane 16 on, of byte 16 of that row. Four matrices
 * addressed in this way are A of m16n8k16. The tile begins at a multiple of the swizzle's period.
 */
void matrix_rows_in_tile(struct matrix_rows *rows, int matrices, uint32_t pitch,
                         const struct swizzle *swizzle);

/* The banks that one matrix's phase uses; all counts are 0 if no lane passes one of its rows. */
void matrix_rows_use(const struct matrix_rows *rows, int matrix, struct bank_use *use);

#ifdef __cplusplus
}
#endif

#endif
