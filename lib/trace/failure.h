/*
 * failure.h - how a run that did not finish ended.
 *
 * The recorder of a run notes the kind of its failure by name (TRACE_NOTE_FAILURE_KIND), beside the
 * device's message (TRACE_NOTE_FAILURE). The names are also those of `check`'s rules.
 */
#ifndef SHFLVIZ_TRACE_FAILURE_H
#define SHFLVIZ_TRACE_FAILURE_H

#include "trace/trace.h"

enum trace_failure {
    TRACE_FAILURE_NONE,     /* the run finished, or was killed without a note */
    TRACE_FAILURE_DEADLOCK, /* lanes wait for each other forever */
    TRACE_FAILURE_LIVELOCK, /* lanes spin on memory that no lane changes any more */
    TRACE_FAILURE_LAUNCH,   /* the device refused the launch */
    TRACE_FAILURE_MEMORY,   /* the device or the machine ran out of memory */
    TRACE_FAILURE_TIME,     /* the run exceeded its time limit */
    TRACE_FAILURE_CRASH,    /* the kernel, or the process that ran it, crashed */
    TRACE_FAILURE_OTHER,    /* the recording does not say, or names a kind from a later version */
    TRACE_FAILURE_COUNT
};

/* "deadlock", "launch_refused"; NULL for TRACE_FAILURE_NONE. */
const char *trace_failure_name(enum trace_failure failure);

/* The failure that the recording reports. A recording without a kind is TRACE_FAILURE_OTHER if it
 * has a failure at all: explain/findings/failure.h looks at its steps, too. */
enum trace_failure trace_failure(const struct trace *trace);

#endif
