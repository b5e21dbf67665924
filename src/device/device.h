/*
 * device.h - a device that runs a kernel and records it.
 *
 * There are two devices: the CPU warp (cpu.h), which is always available, and an NVIDIA GPU (gpu/).
 * Both run the programs of kernels/ and write the warps' operations into a trace. A missing GPU is
 * a normal case, reported as an error.
 */
#ifndef SHFLVIZ_DEVICE_DEVICE_H
#define SHFLVIZ_DEVICE_DEVICE_H

#include "device/device_ops.h"

/* All programs, in the order in which they are listed. The four shuffles come first,
 * as "idx", "up", "down" and "xor". */
const struct program *const *device_programs(size_t *count);
const struct program *device_program_find(const char *name); /* NULL if there is none */

/* ---- running ---- */

/* DEVICE_GPU if there is a usable one, else DEVICE_CPU. Takes almost no time without a driver; with
 * one, as long as the driver takes to start. */
enum device_kind device_choose(void);

/* True if the device can be used here; if not, err names what is missing (ERROR_MISSING). */
bool device_available(enum device_kind kind, struct error *err);

/* The name to show, "CPU warp" or the driver's name for the GPU. Valid for the program's life. */
const char *device_name(enum device_kind kind);

/* Details of the device, "compute capability 9.0, driver ..."; "" if there are none. */
void device_details(enum device_kind kind, char *text, size_t size);

/*
 * Runs a program on a device and records into `writer`: launches, sites, the program's source,
 * notes (name, device, recorded, schedule, poison) and steps. Does not close the writer. `output`,
 * if not NULL, gets the kernel's results: one for each thread, as bits of its type.
 *
 * Returns 0, or -1 with ERROR_MISSING (no such device), ERROR_RUN (the kernel did not finish; the
 * recording shows which lanes wait, where and for which) or ERROR_USAGE (parameters that the device
 * refuses, such as 2000 threads). Steps recorded before that stay in the writer.
 */
int device_run(const struct program *program, const struct program_parameters *parameters,
               const struct device_options *options, struct trace_writer *writer, uint64_t *output,
               struct error *err);

/* Leaves it zeroed. */
void device_cache_release(struct device_cache *kept);

#endif
