/*
 * share.h - reads the steps of a recording with several threads at once.
 *
 * A trace has a cache for one reader, so each thread has a view of its own: the same file and the
 * same metadata, which do not change, and a cache of its own.
 */
#ifndef SHFLVIZ_TRACE_SHARE_H
#define SHFLVIZ_TRACE_SHARE_H

#include "trace/trace.h"

#include <stdint.h>

/* The number of parts worth making for that many steps: one for each processor that this process
 * may use, at most 8; 1 for few steps. */
#define TRACE_SHARE_MOST 8
unsigned trace_share_parts(uint64_t steps);

/* Reads the steps `first` to `end` - 1. `view` has no index: trace_warp() and the like work
 * only on the trace. Runs on a thread of its own, so it must not print. */
typedef void trace_share_part(void *context, const struct trace *view, uint64_t first,
                              uint64_t end);

/* Divides the steps first .. end - 1 into `parts` consecutive parts, and returns when part() has
 * read them all: part i with context[i]. */
void trace_share(const struct trace *trace, uint64_t first, uint64_t end, unsigned parts,
                 trace_share_part *part, void *const context[]);

#endif
