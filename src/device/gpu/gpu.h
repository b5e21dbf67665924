/*
 * gpu.h - the NVIDIA GPU as a device.
 *
 * Where shflviz is built without a CUDA Toolkit, gpu_absent.c stands for all of this and says so.
 * Built with one, the program runs on machines without a driver too: CUDA's runtime is linked in
 * and looks for the driver when it is first used. That happens in child processes only (link.h says
 * why), one for each question and one for each run. A process that used CUDA itself before must not
 * call these functions.
 */
#ifndef SHFLVIZ_DEVICE_GPU_H
#define SHFLVIZ_DEVICE_GPU_H

#include "base/error.h"
#include "device/device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether there is a GPU that can run the programs; if not, err says what is missing, in CUDA's own
 * words (ERROR_MISSING). Asked once; the answer holds for the program's life. */
bool gpu_available(struct error *err);

/* Whether a driver may be here, by what it leaves in the file system: quick, and no promise. */
bool gpu_driver_is_there(void);

/* What the driver calls it, "NVIDIA H200"; "NVIDIA GPU" if there is none. */
const char *gpu_name(void);

/* "compute capability 9.0, driver ..., CUDA runtime 13.0", or "". */
void gpu_details(char *text, size_t size);

/*
 * Runs a program on the GPU and records it into `writer`, notes included. `output`, if not NULL,
 * takes what the kernel returned: bits by type, one for each thread. Returns as device_run() does.
 */
int gpu_run_program(const struct program *program, const struct program_parameters *parameters,
                    const struct device_options *options, struct trace_writer *writer,
                    uint64_t *output, struct error *err);

struct shflviz_program;
/* The same for a program that nvcc built and that is in no table, as a test's. */
int gpu_run_entry(const struct shflviz_program *entry, const struct program_parameters *parameters,
                  const struct device_options *options, struct trace_writer *writer,
                  uint64_t *output, struct error *err);

#endif
