/*
 * sample.h - small recordings made in memory, for tests of src/replay and src/view.
 *
 * They are what the CPU warp would have recorded: values that the rules fix come from warp/; the
 * others are the poison value. Expected screens and values in tests are worked out by hand.
 */
#ifndef SHFLVIZ_TESTS_SAMPLE_H
#define SHFLVIZ_TESTS_SAMPLE_H

#include "trace/trace.h"

/* The table in sample.c has the names. NULL for an unknown name; the caller closes the trace. */
struct trace *sample_open(const char *name);

/* The names, terminated by NULL. */
const char *const *sample_names(void);

#endif
