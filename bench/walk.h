/*
 * walk.h - shared by the benchmarks of frames: a recording, a walk through it, figures.
 */
#ifndef SHFLVIZ_BENCH_WALK_H
#define SHFLVIZ_BENCH_WALK_H

#include "base/error.h"
#include "replay/replay.h"
#include "trace/trace.h"

#include <stddef.h>

double microseconds_now(void);

/* Prints the error and ends the program with status 2. */
_Noreturn void die(const struct error *err);

/* A recording of the named kernel with its defaults, made on the CPU warp; each thread's value is
 * its lane. The caller closes it. */
struct trace *record(const char *name);

/* One step of the walk, phase by phase; at the end of the warp the next view begins from the first
 * operation. */
void walk(struct replay *replay);

/* Sorts the times, in microseconds, and prints their median, 99th percentile and greatest. */
void print_times(const char *label, double *times, size_t count);

#endif
