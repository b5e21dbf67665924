/*
 * tail.h - follows the recording of a run that has not ended.
 *
 * The file is written by another process, which may truncate it and is not trusted: mapping the
 * file would let that process crash this one. So finished blocks are copied, once, into memory of
 * our own, followed by the one being filled, and that copy is opened like the recording of a killed
 * run.
 */
#ifndef SHFLVIZ_TRACE_TAIL_H
#define SHFLVIZ_TRACE_TAIL_H

#include "trace/trace.h"

#include <stdint.h>

struct trace_tail;

/* Follows the recording open on `from`, which the caller still owns; copies at most about `most`
 * bytes of it. Never fails: without room for a copy, trace_tail_look() finds no steps. */
struct trace_tail *trace_tail_begin(int from, uint64_t most);
void trace_tail_end(struct trace_tail *tail); /* NULL is fine; traces stay open */

/* Opens the steps recorded so far. NULL if there are no more than the last time, or if nothing can
 * be read yet. A trace from an earlier look stays valid. */
struct trace *trace_tail_look(struct trace_tail *tail);

#endif
