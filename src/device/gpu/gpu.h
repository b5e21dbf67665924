/*
 * gpu.h - the NVIDIA GPU as a device, in addition to its struct device_ops.
 *
 * If shflviz is built without a CUDA Toolkit, gpu_absent.c replaces all this and reports the
 * lack of support. Built with one, the program runs on machines without a driver, too: CUDA's
 * runtime is linked in and looks for the driver when it is first used. That happens in child
 * processes only (channel.h says why): one for the query, and one for each run or, with `kept`, for
 * many runs. A process that has already used CUDA itself must not call these functions.
 */
#ifndef SHFLVIZ_DEVICE_GPU_H
#define SHFLVIZ_DEVICE_GPU_H

#include "base/error.h"
#include "device/device_ops.h"

#include <stdbool.h>
#include <stdint.h>

/* True if there seems to be a driver, judging by its files: quick, but not certain. */
bool gpu_driver_exists(void);

/* Stops the process shared by runs whose options have `kept`; NULL is fine. */
void gpu_worker_stop(struct gpu_worker *worker);

struct shflviz_program;
/* Runs a program that nvcc built and that is in no table, such as a test's, and records it into
 * `writer` like device_run(). */
int gpu_run_entry(const struct shflviz_program *entry, const struct program_parameters *parameters,
                  const struct device_options *options, struct trace_writer *writer,
                  uint64_t *output, struct error *err);

#endif
