/*
 * recording.h - recordings that come with the program (recordings/): what kernels did on hardware
 * that is not here.
 */
#ifndef SHFLVIZ_LAUNCH_RECORDING_H
#define SHFLVIZ_LAUNCH_RECORDING_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"

#include <stddef.h>
#include <stdio.h>

struct recording {
    const char *name; /* "h200/down-35" */
    const char *bytes;
    size_t size;
};

/* All of them, in the order of recordings/names; a NULL name after the last. */
extern const struct recording shflviz_recordings[];

const struct recording *recording_find(const char *name); /* NULL if there is none */

/* Opens one, as trace_open() opens a file. */
int recording_open(const struct recording *recording, struct trace **trace, struct error *err);

/* Prints a line for each: its name, and what was run on which device. */
int recordings_list(FILE *out, struct error *err);

/* A file of this name, else a recording that comes with the program; "-" is standard input, read to
 * its end. Fails as trace_open() does on the file. */
int recording_or_file_open(const char *name, struct trace **trace, struct error *err);

#endif
