/*
 * compact.h - encodes blocks of steps and of runs compactly, as docs/TRACE_FORMAT.md describes.
 *
 * Anything that follows from the rules of an operation or from the step before is left out;
 * everything else is kept exactly. Each block can be decoded alone.
 */
#ifndef SHFLVIZ_TRACE_COMPACT_H
#define SHFLVIZ_TRACE_COMPACT_H

#include "base/text.h"
#include "trace/compact/prediction.h"
#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends `count` complete records, at most TRACE_FILE_BLOCK_STEPS. False if they contain something
 * that this encoding cannot represent: values of absent lanes, or reserved bytes that are not 0. */
bool compact_encode_steps(struct text *to, const unsigned char *records, uint32_t count,
                          unsigned value_bytes);

/* The same, record by record: each must stay unchanged until the whole block is encoded. */
struct compact_encoder {
    struct text *to;
    unsigned value_bytes;
    const unsigned char *before; /* the last record; NULL before the first */
    bool before_brief;
    bool loaded; /* it is in steps[now ^ 1] */
    unsigned now;
    struct prediction_step steps[2];
    const unsigned char *last[64]; /* the record of a warp's last step, or NULL; if two warps share
                                      a slot the later one has it */
    bool last_brief[64];
};
void compact_encoder_begin(struct compact_encoder *encoder, struct text *to, unsigned value_bytes);
/* A brief record (prediction.h) is allowed only if value_bytes is 4. False as above. */
bool compact_encoder_add(struct compact_encoder *encoder, const unsigned char *record, bool brief);

/* Fills `count` records, the first of which is step `first`; false if the bytes are not such a
   block. */
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
