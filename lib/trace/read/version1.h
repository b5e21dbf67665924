/*
 * version1.h - recordings of version 1 of the format, which can be read but are no longer written:
 *
 *     0            header         one struct trace_file_header1, padded to 4096 bytes
 *     4096         front          metadata entries, as they became known while the run went on
 *     32768        records        one after the other, record.h; no gaps
 *     then, in a recording that was closed, each at a multiple of 64:
 *     tail         metadata       the entries that did not fit into the front
 *     runs         index          struct trace_file_run, sorted by launch, block, warp, first
 *     warps        index          uint64_t per warp: its first run
 *
 * The header, front and tail have a check; the records and the index have none.
 */
#ifndef SHFLVIZ_TRACE_VERSION1_H
#define SHFLVIZ_TRACE_VERSION1_H

#include "trace/format.h"

#define TRACE_FILE1_HEADER_BYTES 4096u

struct trace_file_header1 {
    char magic[TRACE_FILE_MAGIC_BYTES];
    uint32_t version;
    uint32_t byte_order;
    uint32_t header_bytes;
    uint32_t value_bytes;  /* 4 or 8 */
    uint32_t record_bytes; /* SHFLVIZ_RECORD_SIZE(value_bytes) */
    uint32_t flags;        /* TRACE_FILE_CLOSED */
    uint64_t records_offset;
    uint64_t step_count; /* final once closed; before that, a lower bound */
    uint64_t dropped;    /* steps that happened and were not recorded */
    uint64_t front_offset;
    uint64_t front_bytes; /* set after an entry is complete */
    /* The rest is 0 until the recording is closed. */
    uint64_t tail_offset;
    uint64_t tail_bytes;
    uint64_t runs_offset;
    uint64_t run_count; /* 0 in a recording that has steps: there is no index */
    uint64_t warps_offset;
    uint64_t warp_count;
    uint64_t file_bytes;
    uint64_t check; /* FNV-1a, 64 bits, of the bytes before it, the front and the tail */
};

_Static_assert(sizeof(struct trace_file_header1) == 136, "no padding in the header");

#define TRACE_FILE1_CHECK_INIT UINT64_C(0xcbf29ce484222325)

/* FNV-1a over more bytes, continuing from `check`. */
static inline uint64_t trace_file1_check(uint64_t check, const void *bytes, uint64_t count) {
    const unsigned char *byte = bytes;
    for (uint64_t i = 0; i < count; i++)
        check = (check ^ byte[i]) * UINT64_C(0x100000001b3);
    return check;
}

#endif
