/*
 * simt.h - the CPU warp: a small CUDA device that runs a kernel's threads as fibers and records
 * what its warps do.
 *
 * Kernels see it through the headers of lib/recorder and lib/cudacpu; the program through
 * device/device.h. This header is for the device's own files, its tests and its benchmark.
 *
 * Blocks run one after another, in order, until one waits for another; from then on they alternate.
 * The warps of a block take turns; the lanes of a warp run in an order that the schedule chooses
 * (schedule.c). docs/decisions/0006-cpu-warp-fibers.md says why.
 */
#ifndef SHFLVIZ_SIMT_SIMT_H
#define SHFLVIZ_SIMT_SIMT_H

#include "base/error.h"
#include "base/text.h"
#include "shflviz/run_settings.h"
#include "simt/lane.h"
#include "simt/runtime.h"
#include "trace/failure.h"
#include "trace/lines/lines.h"
#include "trace/lines/origins.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_BLOCK_THREADS 1024
#define CPU_BLOCK_WARPS   (CPU_BLOCK_THREADS / CPU_WARP_LANES)
/* The contents of shared memory and fresh device memory before a kernel writes it. */
#define CPU_GARBAGE_BYTE 0xcd

/* The destination of a recording. The functions correspond to those of trace/trace.h. */
struct cpu_sink {
    void *context;
    unsigned value_bytes; /* 4 or 8 */
    uint32_t (*launch)(void *context, const struct trace_launch *launch);
    uint32_t (*site)(void *context, const struct trace_site *site);
    void *(*reserve)(void *context, size_t *count);
    /* Called when all records of the last reserve() are complete; may be NULL. */
    void (*filled)(void *context);
    void (*drop)(void *context, uint64_t steps);
    void (*note)(void *context, const char *key,
                 const char *value); /* NULL if notes are not kept */
    /* Lines and their functions (trace/lines/lines.h); NULL if they are not kept. */
    uint32_t (*function)(void *context, const struct trace_function *function);
    void (*lines)(void *context, const struct trace_line_chunk *chunk);
    void (*origins)(void *context, const void *bytes, size_t size); /* lines/origins.h; or NULL */
    /* Registers of a step (trace/trace.h); NULL if they are not kept. */
    void (*registers)(void *context, const struct trace_registers *registers);
    uint64_t first_sequence;
};

/* Bytes after an allocation that is observed. */
#define CPU_OBSERVED_MARGIN 4096

/* Callbacks for events that order or end accesses to memory, for cudacpu/observe/memory_check.c.
 * All may read cpu_now. */
struct cpu_observer {
    /* `written`: the bytes may be set without a report, as in memory that the host shares. */
    void (*allocated)(void *memory, size_t size, bool written);
    void (*made)(void *memory, size_t size);   /* by malloc() or new in a kernel */
    void (*shared)(void *memory, size_t size); /* a `__shared__` variable begins */
    void (*freed)(void *memory);               /* before it is freed */
    void (*launch)(void);       /* a kernel begins, and everything before it is done */
    void (*ended)(void);        /* it has ended; may be NULL */
    void (*block)(void);        /* a block begins, its shared memory reset */
    void (*barrier)(void);      /* __syncthreads() opens; at_barrier still holds the lanes that
                                 * waited */
    void (*grid_barrier)(void); /* all blocks have met */
    /* This many blocks wait for others, as many as a GPU of this size holds; the last has just
     * begun to wait, and some have not begun. May be NULL. */
    void (*crowded)(uint64_t held);
    void (*joined)(const struct cpu_warp *warp, uint32_t lanes); /* __syncwarp() */
    void (*fence)(void);                                         /* __threadfence() of a lane */
    void (*narrowed)(const struct shflviz_site *site, int bytes, int is_float);
    /* The running lane reaches a named barrier or, if `goes_on`, continues after waiting. */
    void (*named)(const struct cpu_named_barrier *barrier, const struct shflviz_site *site,
                  bool goes_on);
    /* Lanes have met at a warp operation, whose mask names `members`. */
    void (*operation)(const struct cpu_warp *warp, uint32_t lanes, uint32_t members,
                      const struct shflviz_site *site);
    /* Events of the host, each of which may be NULL: a call of a CUDA function that returns to `pc`
     * fails; the program asks for the last error, and there is one; all memory that is left is
     * about to be freed. */
    void (*failed)(int error, const void *pc);
    void (*looked)(void);
    void (*ending)(void);
};

/* Callbacks for moves of values outside instrumented code: cudacpu/observe/origins.c. All may read
 * cpu_now. */
struct cpu_origins {
    void (*launch)(void);                      /* a kernel begins: memory is its input */
    void (*ended)(void);                       /* it has ended */
    void (*fresh)(void *memory, size_t size);  /* shared memory of a block that begins */
    void (*forget)(void *memory, size_t size); /* its contents are unknown from now on */
    void (*copied)(void *to, const void *from, size_t size);
    /* The origin of a variable's memory. */
    uint32_t (*of)(const void *memory, size_t size);
    /* Called when a line has changed an origin. `value` names a variable of the function. */
    void (*value)(const struct trace_origin_value *value, uint32_t function);
    /* Lanes have met: `out` of the warp is written. `step`: UINT64_MAX if it is not recorded. */
    void (*operation)(struct cpu_warp *warp, const struct shflviz_site *site,
                      const struct warp_operation *operation, uint64_t step);
};

struct fiber_pool; /* stacks of lanes */

struct cpu_options {
    struct run_settings settings;
    bool *undefined; /* set when a lane gets an undefined value; may be NULL */
    struct fiber_pool *
        *stacks; /* borrowed, and returned for the next device; NULL if the device makes its own */
    bool guards_memory; /* accesses of the host to device memory, and of kernels to host memory,
                           fail as they do on a GPU */
    const struct cpu_sink *sink;         /* NULL if nothing is recorded; outlives the device */
    const struct cpu_observer *observer; /* NULL if nothing observes */
    const struct cpu_origins *origins;   /* NULL if origins are not wanted */
    /* "FILE:LINE" of an address in the program's code, for reports of a hang; NULL if not known. */
    void (*place)(const void *pc, char *text, size_t size);
    /* Receives what kernels print, at every synchronisation; NULL for standard output. */
    void (*print)(void *context, const char *text, size_t length);
    void *print_context;
};

struct cpu_device *cpu_device_create(const struct cpu_options *options);
void cpu_device_destroy(struct cpu_device *device); /* NULL is fine */

/* Makes `device` the one on which the runtime functions (cudaMalloc and so on) act, until the next
 * call. Returns the previous one. */
struct cpu_device *cpu_device_use(struct cpu_device *device);

/* The reason why the last kernel did not finish, with `kind` ERROR_RUN or ERROR_USAGE; ERROR_NONE
   if all did. */
const struct error *cpu_device_error(const struct cpu_device *device);

/* The number of steps that found no room in the sink. */
uint64_t cpu_device_dropped(const struct cpu_device *device);

/* Frees stacks that a device has returned (cpu_options.stacks); NULL is fine. */
void fiber_pool_destroy(struct fiber_pool *pool);

/* ---- recordings ---- */

/* A sink that writes steps to a recording. The writer must outlive the sink. */
struct cpu_sink cpu_sink_writer(struct trace_writer *writer);
/* Notes the kind of failure in the recording, if there is one. */
void note_failure(const struct cpu_sink *sink, enum trace_failure failure);

#endif
