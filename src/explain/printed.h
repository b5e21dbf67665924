/*
 * printed.h - what the recorded program printed, line by line.
 */
#ifndef SHFLVIZ_EXPLAIN_PRINTED_H
#define SHFLVIZ_EXPLAIN_PRINTED_H

#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct printed_line {
    const struct trace_output *piece; /* which has the step, the launch and the stream */
    const char *text;                 /* of `length` bytes; no line end */
    size_t length;
};

/* Where one is; begins as {trace, 0, 0}. */
struct printed {
    const struct trace *trace;
    size_t piece, offset;
};

/* The next line; false behind the last. A line that was printed in pieces comes in pieces. */
bool printed_next(struct printed *printed, struct printed_line *line);

/* Bytes that were printed and not kept. */
uint64_t printed_cut(const struct trace *trace);

#endif
