/*
 * cursor.h - the position in a recording: warp, operation, phase.
 *
 * A cursor borrows the trace and keeps its operation decoded, with its outcome under the rules. It
 * shows no messages and asks no questions: other effects of a movement are up to the caller.
 * Functions that return a bool without further comment return true if anything changed.
 */
#ifndef SHFLVIZ_REPLAY_CURSOR_H
#define SHFLVIZ_REPLAY_CURSOR_H

#include "base/error.h"
#include "explain/phase.h"
#include "trace/lines/lines.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

struct cursor {
    const struct trace *trace;
    struct trace_warp warp;                  /* the current warp */
    uint64_t position;                       /* of the operation within the warp */
    struct trace_step step;                  /* that operation, decoded */
    struct lane_outcome outcome[WARP_LANES]; /* its outcome under the rules */
    uint32_t disagreement;                   /* lanes whose recorded value differs from the rules */
    bool has_step;                           /* false if the step is damaged */
    bool listing;                            /* warps of the recording are still being found, see
                                                trace_warps_listed() */
    enum phase phase;
    enum phase phase_kept; /* the phase chosen last; operations that have it are shown in it */
};

/* Begins at the first operation of the first warp, phase `before`. Fails if the trace has no
 * step. */
int cursor_init(struct cursor *cursor, const struct trace *trace, struct error *err);

/* Goes to the operation at `position` of `warp`, or to its last. If a step cannot be decoded,
 * has_step is false and the reason, one line, is in `err` (may be NULL). */
bool cursor_go(struct cursor *cursor, const struct trace_warp *warp, uint64_t position,
               struct error *err);

/* Chooses a phase, or the last phase before it if it has no meaning for the operation. */
bool cursor_set_phase(struct cursor *cursor, enum phase phase);

/* The phase next to `phase` in `direction` (1 or -1) that has a meaning for the operation; -1 if
 * there is none. */
int cursor_next_phase(const struct cursor *cursor, enum phase phase, int direction);

/* The next or previous phase; after the last, the first of the next operation. False, with nothing
 * changed, at the end of the warp. */
bool cursor_step(struct cursor *cursor, int direction, struct error *err);

/* True if nothing follows in this warp. */
bool cursor_at_end(const struct cursor *cursor);

/* Finds a warp by its numbers; false if the recording has no operation of that warp. */
bool cursor_find_warp(const struct trace *trace, uint32_t launch, uint64_t block, uint32_t warp,
                      struct trace_warp *found);

/* The warp with the same number in the neighbouring block, or the nearest one. */
bool cursor_find_block(const struct trace *trace, const struct trace_warp *from, int direction,
                       struct trace_warp *found);

/* The source lines that the warp has run; NULL if the recording has none. */
const struct trace_lines *cursor_lines(const struct cursor *cursor);

/* Lists some more warps of a recording without an index. Returns true only once all are listed:
 * the current warp may then have a different number, and more steps. */
bool cursor_list_warps(struct cursor *cursor);

#endif
