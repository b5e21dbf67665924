/*
 * recording.h - the recordings that come with the program (recordings/): kernels on hardware that
 * the user may not have.
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

/* Opens one, like trace_open() for a file. */
int recording_open(const struct recording *recording, struct trace **trace, struct error *err);

/* Prints a line for each: its name, the run and the device. */
int recordings_list(FILE *out, struct error *err);

/* Opens a file of this name, else a recording that comes with the program; "-" is standard input,
 * read to its end. Fails like trace_open() on the file. */
int recording_or_file_open(const char *name, struct trace **trace, struct error *err);

#endif
