/* walk.h - reads everything in an untrusted recording. */
#ifndef SHFLVIZ_TESTS_TRACE_WALK_H
#define SHFLVIZ_TESTS_TRACE_WALK_H

#include "trace/trace.h"

/*
 * Reads every string, the first and last few thousand steps and warps, and follows the index both
 * ways. Aborts if an answer violates trace.h: a control character in a string, a step whose lanes
 * do not exist, a warp that does not contain the step by which it was found.
 */
void walk_trace(const struct trace *trace);

/* Corrects the check of a recording's bytes after a change of header or metadata, so that the code
 * after the check is tested. Bytes that are not a recording stay unchanged. */
void walk_fix_check(unsigned char *bytes, size_t size);

#endif
