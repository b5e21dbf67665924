/*
 * tail.h - the recording of a run that goes on, looked at again and again.
 *
 * Another process writes the file, may cut it, and may be a stranger's: mapping it would hand that
 * process a way to end this one. So what is final is copied, once, into memory of our own, with
 * what is being filled behind it, and that copy is opened as the recording of a killed run is.
 */
#ifndef SHFLVIZ_TRACE_TAIL_H
#define SHFLVIZ_TRACE_TAIL_H

#include "trace/trace.h"

#include <stdint.h>

struct trace_tail;

/* Looks at the recording open on `from`, which stays the caller's; copies no more than about `most`
 * bytes of it. Never fails: where there is no room for a copy, no look finds anything. */
struct trace_tail *trace_tail_begin(int from, uint64_t most);
void trace_tail_end(struct trace_tail *tail); /* NULL is fine; traces stay open */

/* Opens what has been recorded by now. NULL if that is no more than the last time, or if nothing
 * can be read yet. A trace from an earlier look stays valid. */
struct trace *trace_tail_look(struct trace_tail *tail);

#endif
