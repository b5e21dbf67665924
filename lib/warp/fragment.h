/*
 * fragment.h - maps the registers of lanes to elements of a matrix: the operands of mma.sync,
 * ldmatrix, stmatrix and movmatrix.
 *
 * Sources: PTX ISA 9.x, "Warp-level Matrix Instructions": "Matrix Fragments for mma.m8n8k4", and so
 * on for each shape (the tests repeat the formulas for row and col);
 * "ldmatrix", "stmatrix", "movmatrix". The tables here hold the same mappings as layouts
 * (warp/matrix_layout.h), in CUTLASS's convention: an element of A (m by k) and of C (m by n)
 * has the number m + M*k or m + M*n, one of B (k by n) the number n + N*k.
 *
 * CUDA leaves the layout of wmma fragments open: the layouts here are those of an H100 and an H200
 * (conformance/data/wmma.csv). Element i is fragment.x[i]; any further f16 elements of x
 * repeat these. Not covered are wgmma and tcgen05, whose operands are in shared and tensor
 * memory, and the sparse, block-scaled, 4-bit and 1-bit forms of mma.
 */
#ifndef SHFLVIZ_WARP_FRAGMENT_H
#define SHFLVIZ_WARP_FRAGMENT_H

#include "warp/matrix_layout.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fragment_type {
    FRAGMENT_F16,
    FRAGMENT_BF16,
    FRAGMENT_TF32, /* in a register of 32 bits */
    FRAGMENT_F64,
    FRAGMENT_S8,
    FRAGMENT_U8,
    FRAGMENT_F32,
    FRAGMENT_S32,
    FRAGMENT_B16,
    FRAGMENT_TYPE_COUNT
};

struct fragment_type_info {
    const char *name; /* as in PTX, without the dot */
    unsigned bits;    /* that an element takes in a register */
};
const struct fragment_type_info *fragment_type_info(enum fragment_type type);
/* The type named by the first `length` letters, or -1. */
int fragment_type_find(const char *name, size_t length);

/* One operand of an instruction: a matrix, or several of one size, distributed over the lanes. */
struct fragment {
    char letter; /* of its elements in the PTX ISA: a0, b1, c2, d3; r of ldmatrix and stmatrix */
    enum fragment_type type;
    int rows, columns; /* of one matrix */
    int matrices;
    bool counts_columns; /* the index runs along columns first, as B's does; else along rows */
    struct layout layout;
};

/* Elements that a lane holds, and how many are in one register, the first in its low bits. A
 * register has 32 bits, or 64 for f64. */
int fragment_elements(const struct fragment *fragment);
int fragment_per_register(const struct fragment *fragment);

struct fragment_cell {
    int matrix, row, column;
};
struct fragment_holder {
    int lane, element;
};

/* The matrix cell of an element of a lane's registers. */
struct fragment_cell fragment_cell(const struct fragment *fragment, int lane, int element);
/* The lane and the element that hold a cell. Every fragment below holds each cell once; lane and
 * element are -1 for a cell outside the matrix. */
struct fragment_holder fragment_holder(const struct fragment *fragment, struct fragment_cell cell);

/* ---- mma.sync ---- */

/* D = A B + C. With m8n8k4 and f16 a warp computes four of them, one for each quad pair: lanes 4i
 * to 4i+3 and those 16 higher hold product i. */
struct mma {
    int m, n, k, products;
    int architecture;             /* 80 for sm_80, the first architecture that has it */
    bool a_by_columns, b_by_rows; /* .col of A, .row of B: m8n8k4 of f16 only */
    bool saturates;               /* .satfinite */
    bool is_wmma; /* wmma.mma.sync: observed layouts, which .row and .col do not change */
    struct fragment a, b, c, d;
};

enum mma_fault {
    MMA_GOOD,
    MMA_WORD,   /* not a word of mma.sync, or an unknown one */
    MMA_SHAPE,  /* a shape that no row has, or none at all */
    MMA_TYPES,  /* the shape does not take these types */
    MMA_LAYOUT, /* A must be .row and B .col with this shape and type */
};

/*
 * Reads an instruction's name, whole or in part:
 * "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "m16n8k16", "m16n8k8.tf32". It has no type
 * (then the shape's first type counts, or f16 if it has that), one type (of A and B) or four (D, A,
 * B, C); sums that are not named are f32, f64 or s32. With the word "wmma" it is a wmma.mma.sync,
 * which names two types (D, C) where A and B are f16. On an error *word and *length give the faulty
 * part of `text`; for MMA_SHAPE without a shape the length is 0.
 */
enum mma_fault mma_read(struct mma *mma, const char *text, const char **word, size_t *length);

/* The next shape of the table after the first `index`, as "m16n8k16"; NULL after the last.
 * mma_shape_types() lists the types that it takes for A and B, as bits of enum fragment_type. */
const char *mma_shape(bool is_wmma, size_t index);
unsigned mma_shape_types(bool is_wmma, const char *shape);

/* ---- ldmatrix, stmatrix, movmatrix: 8 by 8 elements of 16 bits ---- */

#define MATRIX_MOVE_ROWS 8
#define MATRIX_MOVE_MOST 4

/* The registers of ldmatrix and stmatrix: .x1, .x2 or .x4 matrices; register r holds two elements
 * of matrix r. Rows and columns are those in memory. */
void matrix_move_fragment(struct fragment *fragment, int matrices, bool transposed);

/* The lane that passes the address of a matrix's row. */
static inline int matrix_move_address_lane(int matrix, int row) {
    return matrix * MATRIX_MOVE_ROWS + row;
}

/* movmatrix.trans: the source register's (a) and the destination's (d) contents, both as cells of
 * the matrix that the source holds. */
void movmatrix_fragments(struct fragment *source, struct fragment *destination);

#ifdef __cplusplus
}
#endif

#endif
