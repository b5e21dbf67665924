/*
 * calls.h - recordings of single operations, made in memory like those of sample.h, for pictures of
 * operations that no sample has: lanes outside their mask, sums at the limit of a type.
 */
#ifndef SHFLVIZ_TESTS_CALLS_H
#define SHFLVIZ_TESTS_CALLS_H

#include "trace/trace.h"

/* The table in calls.c has the names. NULL for an unknown name; the caller closes the trace. */
struct trace *call_open(const char *name);

#endif
