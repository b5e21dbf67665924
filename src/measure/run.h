/*
 * run.h - chooses the device that a benchmark measures, for the C part of this folder.
 */
#ifndef SHFLVIZ_MEASURE_RUN_H
#define SHFLVIZ_MEASURE_RUN_H

#include "measure/bench.h"

/*
 * Fills in `device` from options->device, and *repeats. Returns 0, or -1 with ERROR_MISSING if a
 * GPU was requested and none can be used.
 */
int bench_device_choose(const struct bench_options *options, struct bench_device *device,
                        unsigned *repeats, struct error *err);

/*
 * Calls measure_cpu(report) with a CPU warp in use that records nothing, or measure_gpu(report).
 * Both return a cudaError_t. Returns 0, or -1 with ERROR_MISSING (no memory) or ERROR_RUN.
 */
int bench_device_run(const struct bench_device *device, int (*measure_cpu)(void *report),
                     int (*measure_gpu)(void *report), void *report, struct error *err);

/* Appends an empty line and a line of headings, each as wide as text_append_column() makes it, with
 * a blank between two headings and two before the last, which has no width. */
void bench_headings(struct text *text, const char *const *headings, const int *columns,
                    unsigned count);
/* "on NVIDIA H200 (measured; driver ...)" or "on the CPU warp (emulated)", as a line. */
void bench_device_text(const struct bench_device *device, struct text *text);

#endif
