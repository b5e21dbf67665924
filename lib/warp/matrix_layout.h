/*
 * matrix_layout.h - layouts as CuTe writes them: ((4,8),(2,2)):((16,1),(8,64)).
 *
 * A layout is a shape and its strides. Here it has two parts: the lanes of a warp and the values
 * that a lane holds. The first number of each part varies fastest ("colexicographically"), and a
 * coordinate's index is the sum of its digits times their strides (CUTLASS documentation, "CuTe
 * Layouts", "Layout Algebra"). An index means whatever the layout is used for; in a fragment it is
 * an element of the matrix (warp/fragment.h).
 */
#ifndef SHFLVIZ_WARP_MATRIX_LAYOUT_H
#define SHFLVIZ_WARP_MATRIX_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LAYOUT_MODES_MOST  8
#define LAYOUT_LANES_MOST  32
#define LAYOUT_VALUES_MOST 64
#define LAYOUT_STRIDE_MOST 65535
#define LAYOUT_TEXT        (16 * LAYOUT_MODES_MOST * 2)

struct layout_mode {
    uint32_t size, stride;
};
/* Nested tuples are kept flat: that changes no index. */
struct layout_part {
    unsigned count;
    struct layout_mode mode[LAYOUT_MODES_MOST];
};
struct layout {
    struct layout_part lanes, values;
};

enum layout_fault {
    LAYOUT_GOOD,
    LAYOUT_SYNTAX,   /* a number, a bracket, a comma or the colon is missing there */
    LAYOUT_RANK,     /* the shape does not have two parts, lanes and values */
    LAYOUT_DIFFERS,  /* the strides are nested differently from the shape */
    LAYOUT_TOO_MUCH, /* too many numbers, lanes or values, or too large a stride */
};

/*
 * Reads a layout; blanks and the _ of a static integer (_4) are skipped. On an error *where is the
 * position in `text`, and *layout must not be used.
 */
enum layout_fault layout_read(struct layout *layout, const char *text, const char **where);

/* Writes it in the form that layout_read() reads. Returns buffer. */
char *layout_format(const struct layout *layout, char buffer[LAYOUT_TEXT]);

/* The number of coordinates of a part: the product of its sizes. */
uint32_t layout_size(const struct layout_part *part);

/* The index of a lane's value; `lane` and `value` are less than the sizes of their parts. */
uint32_t layout_index(const struct layout *layout, uint32_t lane, uint32_t value);

/*
 * The lane and the value that have an index in a compact layout: one in which each stride is the
 * product of the sizes of those with smaller strides, as in every fragment's. False if there are
 * none: the layout is not compact, or has no such index.
 */
bool layout_find(const struct layout *layout, uint32_t index, uint32_t *lane, uint32_t *value);

/* One more than the greatest index. */
uint32_t layout_cosize(const struct layout *layout);

/* True if both have the same numbers of lanes and values, and the same index for each; else *lane
 * and *value are the first where they differ, or -1 if the numbers differ. */
bool layout_equal(const struct layout *a, const struct layout *b, int *lane, int *value);

#ifdef __cplusplus
}
#endif

#endif
