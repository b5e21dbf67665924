/*
 * doubt.h - finds the values of local variables that were computed from an undefined one: an
 * undefined result of an operation, or another such value.
 *
 * A line is taken as a whole: its changes depend on everything that it reads and on the results of
 * its operations, except that a variable which holds exactly an operation's result depends on that
 * alone. So a line with several statements may have too many values marked, but never too few,
 * apart from values that passed through memory.
 */
#ifndef SHFLVIZ_TRACE_LINES_DOUBT_H
#define SHFLVIZ_TRACE_LINES_DOUBT_H

#include "trace/lines/lines.h"

#define DOUBT_DEPTH 32 /* the deepest nested call that is followed */

struct doubt {
    const struct trace *trace;
    struct trace_warp warp; /* steps is 0 if the warp has none */
    uint64_t position;      /* of the next operation, among the warp's */
    uint32_t depth;         /* of the line before */
    uint32_t
        returned[DOUBT_DEPTH + 1]; /* for each depth, lanes whose last line read such a value */
};

void doubt_begin(struct doubt *doubt, const struct trace *trace,
                 const struct trace_line_chunk *warp);
/* Sets `doubtful` in the changes of line `number`, given the variables before it. */
void doubt_line(struct doubt *doubt, struct trace_lines *lines, size_t number,
                const struct trace_line_state *before);

#endif
