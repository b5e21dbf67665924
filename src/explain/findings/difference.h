/*
 * difference.h - finds the differences between two recordings of the same program: on two devices,
 * with two schedules, or of two versions.
 *
 * The order in which warps run is not guaranteed, so recordings are aligned warp by warp: by
 * launch, block and warp. Neither is the order of divergent parts of a warp (tiles, branches), so
 * within a warp a step's partner is the next one that any of its lanes makes. The comparison covers
 * the location of the call (its line or, between versions of a source, its text), the operation,
 * the lanes taking part, each lane's value and argument, and its result if the rules fix it; a
 * value that is undefined in both may differ.
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
    DIFFERENCE_OPERATION, /* a different location, operation, type, width, mask, or end */
    DIFFERENCE_PRESENT,   /* other lanes make the call */
    DIFFERENCE_LANES      /* lanes with a different value, argument or result */
};

/* The parts of a common step that differ: bits. */
enum difference_part {
    DIFFERS_OPERATION = 1 << 0,
    DIFFERS_TYPE = 1 << 1,
    DIFFERS_WIDTH = 1 << 2,
    DIFFERS_MASK = 1 << 3,
    DIFFERS_LINE = 1 << 4, /* the same call on a different line */
    DIFFERS_CALL = 1 << 5, /* the call has different text */
    DIFFERS_PRESENT = 1 << 6,
    DIFFERS_FINISH = 1 << 7, /* lanes wait forever in one recording only */
    DIFFERS_ARGUMENT = 1 << 8,
    DIFFERS_IN = 1 << 9,
    DIFFERS_OUT = 1 << 10
};

struct difference {
    enum difference_kind kind; /* for the first difference: the one with the lowest step number */
    struct trace_warp warp;
    uint64_t position;    /* index in the warp, from 0 */
    uint64_t step[2];     /* in each recording; UINT64_MAX if there is none */
    unsigned parts;       /* bits of enum difference_part; 0 if only one has the step */
    uint32_t lanes;       /* the lanes that differ */
    uint64_t steps;       /* how many steps differ in all, including those that only one has */
    uint64_t warps;       /* in how many warps */
    uint64_t compared[2]; /* how many steps each recording has */
};

/* The differences, in the language in use: "different widths (A 32, B 8), different results, lanes
 * 8-31", or "only one recording has this warp"; "no lane differs" if there are neither parts nor
 * lanes. Returns `buffer`. */
#define DIFFERENCE_TEXT 768
char *difference_words(const struct trace *const traces[2], const struct difference *difference,
                       char buffer[DIFFERENCE_TEXT]);

/* The parts that differ in two steps, the first of which is from traces[0]; *lanes gets the lanes
 * that differ. */
unsigned difference_parts(const struct trace *const traces[2], const struct trace_step step[2],
                          uint32_t *lanes);

/* A single difference: kind, warp, position, step and lanes are valid. A warp that only
 * one recording has, or that ends earlier in one, has a single difference, at the first missing
 * step. */
typedef void difference_visitor(void *context, const struct difference *found);

/* Like difference_find(), but also visits every difference, in the order of launch, block, warp and
 * position. */
int difference_walk(const struct trace *const traces[2], struct difference *difference,
                    difference_visitor *visit, void *context, struct error *err);

/* Compares all steps. Fails (ERROR_USAGE) on a step that cannot be read. */
int difference_find(const struct trace *const traces[2], struct difference *difference,
                    struct error *err);

#endif
