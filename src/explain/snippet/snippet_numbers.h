/*
 * snippet_numbers.h - the values of a snippet, a number in each lane, and computations that do not
 * move values between lanes.
 */
#ifndef SHFLVIZ_EXPLAIN_SNIPPET_NUMBERS_H
#define SHFLVIZ_EXPLAIN_SNIPPET_NUMBERS_H

#include "base/text/c_expression.h"
#include "warp/warp.h"

#include <stdint.h>

struct snippet_values {
    int64_t of[WARP_LANES];
    uint32_t undefined; /* lanes whose value depends on an undefined one */
};

/* A number truncated to an int: its low 32 bits, sign-extended. */
int64_t snippet_as_int(int64_t value);

/* x OPERATION y; 0 for a division by zero, which the caller knows to be undefined. */
int64_t snippet_compute(enum c_operation operation, int64_t x, int64_t y);

/* The first has the same number in every lane, the second each lane's own number. */
struct snippet_values snippet_constant(int64_t number);
struct snippet_values snippet_lane_numbers(void);

/* The member mask of each lane's tile, whose size, 1 to 32, is in `width`. */
struct snippet_values snippet_tile_members(const struct snippet_values *width);

/* max, min, __popc or __ffs, lane by lane. */
struct snippet_values snippet_lanewise(const char *name, const struct snippet_values *a,
                                       const struct snippet_values *b);

#endif
