/*
 * watched_recording.h - the recording of a watched program, begun inside the program as its
 * settings say, on either device.
 */
#ifndef SHFLVIZ_DEVICE_OWN_WATCHED_RECORDING_H
#define SHFLVIZ_DEVICE_OWN_WATCHED_RECORDING_H

#include "cudacpu/process/settings_file.h"
#include "trace/trace.h"

#include <stdint.h>

/* Begins the recording, which also gets the program's output. Returns NULL if it fails, with a line
 * on standard error, or if no recording is wanted. */
struct trace_writer *watched_recording_begin(const struct settings_file *file);

/* Reports the program's progress to the waiting process. Takes almost no time. */
void watched_progress(uint64_t launches, uint64_t steps);

/* Ends it; `failure` says why the run failed, or is NULL. `writer` may be NULL. */
void watched_recording_end(struct trace_writer *writer, const char *failure);

#endif
