/*
 * run_settings.h - the settings of a run: how a program runs, and how much of it is recorded.
 *
 * There is one struct for all stages: options are read into it, devices take it, and a program in a
 * process of its own reads it from a file (cudacpu/process/settings_file.h). It therefore holds
 * values only, no pointers.
 */
#ifndef SHFLVIZ_SIMT_RUN_SETTINGS_H
#define SHFLVIZ_SIMT_RUN_SETTINGS_H

#include "shflviz/filter.h"

#include <stdbool.h>
#include <stdint.h>

/* 0 anywhere: no limit. */
struct confine_limits {
    uint32_t seconds;   /* from start to end, by the wall clock */
    uint32_t processes; /* and threads that exist at once */
    uint64_t memory;    /* bytes of address space */
    uint64_t file_size; /* bytes of any file that it writes */
    uint64_t output;    /* bytes that it prints and that are kept or forwarded */
};

/* Memory whose accesses are recorded; both may be. */
#define RUN_ACCESSES_SHARED 1u
#define RUN_ACCESSES_GLOBAL 2u

struct run_settings {
    struct shflviz_filter watch; /* the operations to record; all 0 for every one */
    uint64_t step_limit;         /* the most steps to record; 0 for no limit. A GPU stops at it,
                                  * too */

    /* of the CPU warp */
    uint64_t stop_after; /* a program in its own process ends after recording this many steps; 0:
                            it runs to its end */
    uint64_t schedule;   /* seed of the order in which lanes run; 0 is lane order */
    uint64_t poison;     /* bits that a lane gets where no rule defines its value */
    uint32_t variant;    /* 0: just that; 1 or 2: another value for each lane and step, positive or
                            negative, to see what depends on it (trace/marks.h) */
    uint32_t jobs;       /* threads of the host that may run blocks; 0 is 1 */
    uint32_t accesses;   /* accesses to memory that are recorded: RUN_ACCESSES_... */
    bool lines;          /* record source lines and local variables, in a program that was built to
                            report them */
    bool origins;        /* likewise the origins of its values (trace/lines/origins.h) */
    bool leaks;          /* report memory that the host never frees, or never uses */
    bool zero_memory;    /* fresh memory is zero; else garbage, to find programs that rely on it */
    bool unfollowed;     /* results computed from undefined values are not marked (trace/marks.h) */

    /* of a GPU */
    uint32_t gpu_timeout; /* seconds until a run that does not end is stopped; 0 for no limit */
    uint64_t gpu_memory;  /* bytes for records in transit; 0 for the device's default */

    /* for a program in a process of its own */
    struct confine_limits limits;
    bool confined; /* sandboxed, with a clean environment, in its own folder */
    bool replaces; /* its recording gets its name when the run has succeeded, and an old one stays
                      until then; else the name is temporary */
    bool durable;  /* closing waits until the recording has reached the disk */
};

/* 0xbadbadbadbadbad0, cut to the type's size, is conspicuous in every type. */
#define RUN_POISON_DEFAULT UINT64_C(0xbadbadbadbadbad0)
#define RUN_SETTINGS_INIT                                                                          \
    { .poison = RUN_POISON_DEFAULT, .gpu_timeout = 60 }

#endif
