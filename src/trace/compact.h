/*
 * compact.h - blocks of steps and of runs in few bytes. docs/TRACE_FORMAT.md says how.
 *
 * What follows from the rules of an operation or from the step before is left out; whatever differs
 * is kept exactly. A block decodes without any other.
 */
#ifndef SHFLVIZ_TRACE_COMPACT_H
#define SHFLVIZ_TRACE_COMPACT_H

#include "base/text.h"
#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends `count` whole records, at most TRACE_FILE_BLOCK_STEPS. False if they hold something that
 * this encoding has no place for: values of absent lanes, or reserved bytes that are not 0. */
bool compact_encode_steps(struct text *to, const unsigned char *records, uint32_t count,
                          unsigned value_bytes);

/* Fills `count` records, the first of which is step `first`; false if the bytes are no such block.
 */
bool compact_decode_steps(const unsigned char *bytes, size_t size, unsigned char *records,
                          uint32_t count, unsigned value_bytes, uint64_t first);

void compact_encode_runs(struct text *to, const struct trace_file_run *runs, uint32_t count);
bool compact_decode_runs(const unsigned char *bytes, size_t size, struct trace_file_run *runs,
                         uint32_t count);

/* Ascending numbers. */
void compact_encode_numbers(struct text *to, const uint64_t *numbers, uint32_t count);
bool compact_decode_numbers(const unsigned char *bytes, size_t size, uint64_t *numbers,
                            uint32_t count);

#endif
