/*
 * difference.h - where two recordings of the same program differ: two devices, two schedules, two
 * versions of it.
 *
 * The order in which warps ran is nobody's promise, so recordings are aligned warp by warp: by
 * launch, block and warp. Nor is the order in which parts of a warp go on that do not meet (tiles,
 * branches), so within a warp a step's partner is the next one that any of its lanes makes.
 * Compared are the place of the call (its line, or in versions of a source that differ its text),
 * the operation, who takes part, what each lane gives and asks for, and what it gets, where the
 * rules fix it; a value that is undefined in both may differ.
 */
#ifndef SHFLVIZ_EXPLAIN_DIFFERENCE_H
#define SHFLVIZ_EXPLAIN_DIFFERENCE_H

#include "base/error.h"
#include "trace/trace.h"

#include <stdint.h>

enum difference_kind {
    DIFFERENCE_NONE,
    DIFFERENCE_WARP,      /* only one of the two has steps of this warp */
    DIFFERENCE_END,       /* the warp has more steps in one of the two */
    DIFFERENCE_OPERATION, /* another place, operation, type, width or mask */
    DIFFERENCE_PRESENT,   /* other lanes make the call */
    DIFFERENCE_LANES      /* lanes give, ask for, or get something else */
};

struct difference {
    enum difference_kind kind; /* of the first difference: the one with the lowest step number */
    struct trace_warp warp;
    uint64_t position;    /* in the warp, from 0 */
    uint64_t step[2];     /* in each recording; UINT64_MAX where there is none */
    uint32_t lanes;       /* that differ */
    uint64_t steps;       /* how many steps differ in all, those that only one has included */
    uint64_t warps;       /* in how many warps */
    uint64_t compared[2]; /* how many steps each recording has */
};

/* "other values"; "" for DIFFERENCE_NONE. In the language in use. */
const char *difference_words(enum difference_kind kind);

/* A difference by itself: kind, warp, position, step and lanes count. Of a warp that only one has,
 * or that ends earlier in one, there is one, of the first step. */
typedef void difference_visitor(void *context, const struct difference *found);

/* As difference_find(), and visits every difference: by launch, block, warp and position. */
int difference_walk(const struct trace *const traces[2], struct difference *difference,
                    difference_visitor *visit, void *context, struct error *err);

/* Compares all steps. Fails (ERROR_USAGE) on a step that cannot be read. */
int difference_find(const struct trace *const traces[2], struct difference *difference,
                    struct error *err);

#endif
