/*
 * phase.h - the five phases in which an operation is shown.
 */
#ifndef SHFLVIZ_EXPLAIN_PHASE_H
#define SHFLVIZ_EXPLAIN_PHASE_H

#include "warp/warp.h"

#include <stdbool.h>

enum phase {
    PHASE_BEFORE,  /* each lane's value */
    PHASE_ADDRESS, /* groups, each lane's formula and the lane it names */
    PHASE_RANGE,   /* in range, out of range (keeps its own value), or undefined */
    PHASE_MOVE,    /* the values travel */
    PHASE_AFTER,   /* the new values, changed ones marked */
    PHASE_COUNT
};

/* True for phases that have a meaning for an operation: all five for a shuffle; before, move and
 * after for votes, matches and reductions; before and after for a query or a barrier; before,
 * address and after for an access to shared memory; before for a watched value. Stepping skips the
 * others. */
bool phase_applies(enum warp_op op, enum phase phase);

/* "before": for scripts and lessons, in English; on a screen _(phase_name()). */
const char *phase_name(enum phase phase);

/* The question that a phase of a shuffle answers, in the language in use: "which lane does each
 * one want?". */
const char *phase_caption(enum phase phase);

#endif
