/*
 * device.h - somewhere a kernel can run and be watched.
 *
 * Two devices: the CPU warp (device/cpu), which is always there, and an NVIDIA GPU (device/gpu).
 * Both run the programs of kernels/ and write what the warps did into a trace. A missing GPU is a
 * normal case, reported as an error.
 */
#ifndef SHFLVIZ_DEVICE_DEVICE_H
#define SHFLVIZ_DEVICE_DEVICE_H

#include "base/error.h"
#include "shflviz/filter.h"
#include "shflviz/program.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All programs, in the order they should be listed. The four shuffles come first, as "idx", "up",
 * "down" and "xor". */
const struct program *const *device_programs(size_t *count);
const struct program *device_program_find(const char *name); /* NULL if there is none */

/* ---- running ---- */

/* DEVICE_AUTO leaves it to device_choose(). */
enum device_kind { DEVICE_AUTO, DEVICE_CPU, DEVICE_GPU };

struct device_options {
    enum device_kind kind;
    uint64_t schedule; /* CPU warp: seed of the order in which lanes run; 0 is lane order */
    uint64_t poison;   /* CPU warp: bits that a lane gets where its source is undefined */
    struct shflviz_filter watch; /* which operations are recorded; all 0: every one */
    uint64_t step_limit;         /* as that of the recording; 0: no limit. A GPU stops at it, too */
    uint64_t
        memory; /* GPU: bytes of its memory for records on their way; 0: DEVICE_MEMORY_DEFAULT */
    uint32_t timeout; /* GPU: seconds until a run that does not end is ended; 0: no limit */
};

#define DEVICE_MEMORY_DEFAULT  (UINT64_C(64) << 20)
#define DEVICE_MEMORY_LEAST    (UINT64_C(1) << 20)
#define DEVICE_TIMEOUT_DEFAULT 60

/* 0xbadbadbadbadbad0, cut to the type's size, is conspicuous in every type. */
#define DEVICE_POISON_DEFAULT UINT64_C(0xbadbadbadbadbad0)

/* DEVICE_GPU where there is one that can be used, else DEVICE_CPU. Costs next to nothing without a
 * driver, and the driver's start with one. */
enum device_kind device_choose(void);

/* Whether the device can be used here; if not, err says what is missing (ERROR_MISSING). */
bool device_available(enum device_kind kind, struct error *err);

/* The name to show, "CPU warp" or what the driver calls the GPU. Valid for the program's life. */
const char *device_name(enum device_kind kind);

/* More about it, "compute capability 9.0, driver ..."; "" if there is no more to say. */
void device_details(enum device_kind kind, char *text, size_t size);

/*
 * Runs a program on a device and records into `writer`: launches, sites, the program's source,
 * notes (name, device, recorded, schedule, poison) and steps. Does not close the writer.
 *
 * Returns 0, or -1 with ERROR_MISSING (no such device), ERROR_RUN (the kernel did not finish; the
 * recording shows which lanes wait, where and for which) or ERROR_USAGE (parameters that the device
 * refuses, such as 2000 threads). What was recorded before stays in the writer.
 */
int device_run(const struct program *program, const struct program_parameters *parameters,
               const struct device_options *options, struct trace_writer *writer,
               struct error *err);

/* The same; `output`, if not NULL, takes what the kernel returned: bits by type, one for each
 * thread of the grid. */
int device_run_output(const struct program *program, const struct program_parameters *parameters,
                      const struct device_options *options, struct trace_writer *writer,
                      uint64_t *output, struct error *err);

#endif
