/*
 * doubt.h - which values of local variables were computed from one that nothing defines: an
 * undefined result of an operation, or another such value.
 *
 * A line is taken as a whole: what it changes depends on all that it reads, and on what its
 * operations gave, except that a variable which holds just what an operation gave depends on that
 * alone. So a line with several statements may have too many marked, and none too few, but for what
 * went through memory.
 */
#ifndef SHFLVIZ_TRACE_LINES_DOUBT_H
#define SHFLVIZ_TRACE_LINES_DOUBT_H

#include "trace/lines/lines.h"

#define DOUBT_DEPTH 32 /* calls within calls; further in nothing is followed */

struct doubt {
    const struct trace *trace;
    struct trace_warp warp;             /* none of its steps: steps is 0 */
    uint64_t position;                  /* of the next operation, among the warp's */
    uint32_t depth;                     /* of the line before */
    uint32_t returned[DOUBT_DEPTH + 1]; /* of each depth, lanes whose last line read such a value */
};

void doubt_begin(struct doubt *doubt, const struct trace *trace,
                 const struct trace_line_chunk *warp);
/* Sets `doubtful` of the changes of line `number`, with what variables hold before it. */
void doubt_line(struct doubt *doubt, struct trace_lines *lines, size_t number,
                const struct trace_line_state *before);

#endif
