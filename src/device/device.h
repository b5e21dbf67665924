/*
 * device.h - somewhere a kernel can run and be watched.
 *
 * Two devices: the CPU warp (device/cpu), which is always there, and an NVIDIA GPU (device/gpu).
 * Both run the programs of kernels/ and write what the warps did into a trace. A missing GPU is a
 * normal case, told in words.
 */
#ifndef SHFLVIZ_DEVICE_DEVICE_H
#define SHFLVIZ_DEVICE_DEVICE_H

#include "base/error.h"
#include "device/filter.h"
#include "trace/trace.h"
#include "warp/type.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- programs: the kernels of kernels/ with what is needed to run them -------------------------
 */

/* Which of the common options mean something to a program. The others are refused by name. */
#define PROGRAM_TAKES_WIDTH    0x01u
#define PROGRAM_TAKES_MEMBERS  0x02u
#define PROGRAM_TAKES_ARGUMENT 0x04u /* --src, --delta or --mask */
#define PROGRAM_TAKES_THREADS  0x08u
#define PROGRAM_TAKES_BLOCKS   0x10u
#define PROGRAM_TAKES_TYPE     0x20u
#define PROGRAM_TAKES_INPUT    0x40u
#define PROGRAM_TAKES_COUNT    0x80u /* how many values, apart from the number of threads */
/* And two things to know about it. */
#define PROGRAM_ALL_CALL     0x100u /* lanes outside the member mask call all the same */
#define PROGRAM_IS_UNDEFINED 0x200u /* shows what no rule covers, or what never ends */

/* What a program is run with. Arrays belong to the caller and live through the run. */
struct program_parameters {
    enum warp_type type;
    uint32_t members; /* member mask; lanes outside it do not call */
    int32_t width;
    const int32_t *argument; /* srcLane, delta or laneMask: one per lane of a warp, 32 entries */
    uint32_t threads;        /* in a block: 1..1024 */
    uint32_t blocks;         /* at least 1 */
    const uint64_t *input;   /* bits by type; as many entries as program_input_count() says */
    uint64_t count; /* values to work on, where a program takes it; 0: one per thread of the grid */
};

struct program {
    const char *name;                   /* "xor", "reduce-xor-sum": as the command line calls it */
    const char *summary;                /* one line */
    const char *file;                   /* "kernels/shuffle_xor.cu" */
    const char *source;                 /* the text of that file */
    unsigned takes;                     /* PROGRAM_TAKES_... */
    uint32_t types;                     /* bit per enum warp_type that the program is built for */
    struct program_parameters defaults; /* where an option is not given; argument and input NULL */
    const char *input;                  /* --in when it is not given, "lane" for most */
};

/* How many entries parameters->input has: `count`, or one per thread of the grid. */
static inline uint64_t program_input_count(const struct program_parameters *parameters) {
    return parameters->count ? parameters->count
                             : (uint64_t)parameters->threads * parameters->blocks;
}

/* All programs, in the order they should be listed. The four shuffles come first, as "idx", "up",
 * "down" and "xor". */
const struct program *const *device_programs(size_t *count);
const struct program *device_program_find(const char *name); /* NULL if there is none */

/* ---- running -----------------------------------------------------------------------------------
 */

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

/* 0xbadbadbadbadbad0 cut to the type's size is seen to be odd in every type. */
#define DEVICE_POISON_DEFAULT UINT64_C(0xbadbadbadbadbad0)

/* DEVICE_GPU where there is one that can be used, else DEVICE_CPU. Costs nothing to speak of where
 * there is no driver, and the driver's start where there is. */
enum device_kind device_choose(void);

/* Whether the device can be used here; if not, err says what is missing (ERROR_MISSING). */
bool device_available(enum device_kind kind, struct error *err);

/* The name to show, "CPU warp" or what the driver calls the GPU. Valid for the program's life. */
const char *device_name(enum device_kind kind);

/* More about it, "compute capability 9.0, driver ..."; "" where there is no more to say. */
void device_details(enum device_kind kind, char *text, size_t size);

/*
 * Runs a program on a device and records into `writer`: launches, sites, the program's source,
 * notes (name, device, recorded, schedule, poison) and steps. Does not close the writer.
 *
 * Returns 0, or -1 with ERROR_MISSING (no such device), ERROR_RUN (the kernel did not finish: a
 * deadlock, with which lanes wait, where, and for whom) or ERROR_USAGE (parameters that the device
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
