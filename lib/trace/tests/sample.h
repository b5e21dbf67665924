/*
 * sample.h - small recordings for the tests of this folder, and a folder to put them in.
 */
#ifndef SHFLVIZ_TESTS_TRACE_SAMPLE_H
#define SHFLVIZ_TESTS_TRACE_SAMPLE_H

#include "trace/format.h"
#include "trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The position of a step. */
struct sample_where {
    uint32_t launch;
    uint64_t block;
    uint32_t warp;
};

/* A folder for this test program alone; sample_folder_remove() removes it with its content. Setup
 * and teardown functions of cmocka. */
int sample_folder_make(void **state);
int sample_folder_remove(void **state);

/* The path of a file in that folder. Valid until the eighth call after this one. */
const char *sample_path(const char *name);

/* The path of the file in which a recording `name` is made: sample_path() of NAME.partial. */
const char *sample_partial(const char *name);

/*
 * Opens a writer at path (NULL: in memory) and adds one launch of 4 blocks of 3 full warps, one
 * site, one source and one note.
 */
struct trace_writer *sample_writer(const char *path, unsigned value_bytes);

/*
 * Writes one whole xor 3 of type int at width 32 into a record: lane l passes 100 * step + l and
 * gets what lane l ^ 3 passed.
 */
void sample_record(void *record, unsigned value_bytes, uint64_t step, struct sample_where where);

/* Appends `count` such steps through reserve; step n happens in warp n % 3 of block 0. */
void sample_steps(struct trace_writer *writer, unsigned value_bytes, uint64_t count);

/* The same, with each step at its `where`. */
void sample_steps_at(struct trace_writer *writer, unsigned value_bytes,
                     const struct sample_where *where, uint64_t count);

/* Asserts that step n of the trace is the sample step n. */
void sample_check_step(const struct trace *trace, uint64_t n);

/* A complete closed recording in a file. */
void sample_file(const char *path, unsigned value_bytes, uint64_t steps);

/* Reads and replaces a whole file. The caller frees the bytes. */
unsigned char *sample_read(const char *path, size_t *size);
void sample_replace(const char *path, const void *bytes, size_t size);

#endif
