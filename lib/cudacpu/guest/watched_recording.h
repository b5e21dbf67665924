/*
 * watched_recording.h - the recording of a watched program, begun inside it as its settings say,
 * whatever device it runs on.
 */
#ifndef SHFLVIZ_DEVICE_OWN_WATCHED_RECORDING_H
#define SHFLVIZ_DEVICE_OWN_WATCHED_RECORDING_H

#include "cudacpu/process/settings_file.h"
#include "trace/trace.h"

#include <stdint.h>

/* Begins the recording and what the program prints goes into it. NULL, with a line to standard
 * error, if that cannot be; NULL where none is asked for. */
struct trace_writer *watched_recording_begin(const struct settings_file *file);

/* For whoever waits: how far the program is. Costs next to nothing. */
void watched_progress(uint64_t launches, uint64_t steps);

/* Ends it; `failure` is why the run failed, or NULL. NULL is fine. */
void watched_recording_end(struct trace_writer *writer, const char *failure);

#endif
