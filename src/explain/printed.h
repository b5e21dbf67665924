/* printed.h - the output of the recorded program, line by line. */
#ifndef SHFLVIZ_EXPLAIN_PRINTED_H
#define SHFLVIZ_EXPLAIN_PRINTED_H

#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct printed_line {
    const struct trace_output *piece; /* with its step, launch and stream */
    const char *text;                 /* of `length` bytes; no line end */
    size_t length;
};

/* The position; initialise it with {trace, 0, 0}. */
struct printed {
    const struct trace *trace;
    size_t piece, offset;
};

/* The next line; false after the last. A line that was printed in pieces is returned in pieces. */
bool printed_next(struct printed *printed, struct printed_line *line);

/* Bytes of output that were not kept. */
uint64_t printed_cut(const struct trace *trace);

#endif
