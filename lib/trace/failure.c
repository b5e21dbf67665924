#include "trace/failure.h"

#include <string.h>

static const char *const names[TRACE_FAILURE_COUNT] = {
    [TRACE_FAILURE_DEADLOCK] = "deadlock",     [TRACE_FAILURE_LIVELOCK] = "livelock",
    [TRACE_FAILURE_LAUNCH] = "launch_refused", [TRACE_FAILURE_MEMORY] = "out_of_memory",
    [TRACE_FAILURE_TIME] = "timed_out",        [TRACE_FAILURE_CRASH] = "crashed",
    [TRACE_FAILURE_OTHER] = "run_failed",
};

const char *trace_failure_name(enum trace_failure failure) {
    return names[failure];
}

enum trace_failure trace_failure(const struct trace *trace) {
    const char *kind = trace_note(trace, TRACE_NOTE_FAILURE_KIND);
    if (!trace_note(trace, TRACE_NOTE_FAILURE))
        return TRACE_FAILURE_NONE;
    for (int failure = 1; kind && failure < TRACE_FAILURE_COUNT; failure++)
        if (strcmp(kind, names[failure]) == 0)
            return (enum trace_failure)failure;
    return TRACE_FAILURE_OTHER;
}
