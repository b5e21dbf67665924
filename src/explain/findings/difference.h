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
    DIFFERENCE_OPERATION, /* another place, operation, type, width, mask, or end */
    DIFFERENCE_PRESENT,   /* other lanes make the call */
    DIFFERENCE_LANES      /* lanes give, ask for, or get something else */
};

/* What of a step both have differs: bits. */
enum difference_part {
    DIFFERS_OPERATION = 1 << 0,
    DIFFERS_TYPE = 1 << 1,
    DIFFERS_WIDTH = 1 << 2,
    DIFFERS_MASK = 1 << 3,
    DIFFERS_LINE = 1 << 4, /* the same call in another line */
    DIFFERS_CALL = 1 << 5, /* another text of the call */
    DIFFERS_PRESENT = 1 << 6,
    DIFFERS_FINISH = 1 << 7, /* in one recording alone lanes wait for ever */
    DIFFERS_ARGUMENT = 1 << 8,
    DIFFERS_IN = 1 << 9,
    DIFFERS_OUT = 1 << 10
};

struct difference {
    enum difference_kind kind; /* of the first difference: the one with the lowest step number */
    struct trace_warp warp;
    uint64_t position;    /* in the warp, from 0 */
    uint64_t step[2];     /* in each recording; UINT64_MAX where there is none */
    unsigned parts;       /* bits of enum difference_part; 0 where only one has the step */
    uint32_t lanes;       /* that differ */
    uint64_t steps;       /* how many steps differ in all, those that only one has included */
    uint64_t warps;       /* in how many warps */
    uint64_t compared[2]; /* how many steps each recording has */
};

/* What differs, in the language in use: "another width (A 32, B 8), other results, lanes 8-31", or
 * "only one recording has this warp"; without parts of a step (`parts` is 0) and lanes "no lane
 * differs". Returns `buffer`. */
#define DIFFERENCE_TEXT 768
char *difference_words(const struct trace *const traces[2], const struct difference *difference,
                       char buffer[DIFFERENCE_TEXT]);

/* Which parts of two steps differ, the first being of traces[0]; the lanes in *lanes. */
unsigned difference_parts(const struct trace *const traces[2], const struct trace_step step[2],
                          uint32_t *lanes);

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
