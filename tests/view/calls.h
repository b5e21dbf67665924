/*
 * calls.h - recordings of single operations, made in memory like those of sample.h, for pictures of
 * operations that are in no sample: lanes outside their mask, sums at the limit of a type.
 */
#ifndef SHFLVIZ_TESTS_CALLS_H
#define SHFLVIZ_TESTS_CALLS_H

#include "trace/trace.h"

/* Names: see the table in calls.c. NULL for an unknown one; the caller closes the trace. */
struct trace *call_open(const char *name);

#endif
