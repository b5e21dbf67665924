/*
 * sample_trace.h - a small recording made in memory, for tests that show a recording.
 *
 * Four warps of a block of 128 threads, each with the five steps of an xor reduction (a sum): the
 * values follow the rules, so that the recording is consistent.
 */
#ifndef SHFLVIZ_TESTS_TERM_SAMPLE_TRACE_H
#define SHFLVIZ_TESTS_TERM_SAMPLE_TRACE_H

#include "trace/trace.h"

/* NULL, with err filled, if the recording cannot be made. The caller closes the recording. */
struct trace *sample_trace_make(struct error *err);

#endif
