/*
 * format.h - the bytes around the records: header, metadata, index. Shared by the code that writes
 * a recording and the code that reads it; docs/TRACE_FORMAT.md tells the same to everyone else.
 *
 *     0            header         one struct trace_file_header, padded to 4096 bytes
 *     4096         front          metadata entries, as they become known while the run goes on
 *     32768        records        one after the other, record.h; nothing between them
 *     then, in a recording that was closed, each at a multiple of 64:
 *     tail         metadata       the entries that did not fit into the front
 *     runs         index          struct trace_file_run, sorted by launch, block, warp, first
 *     warps        index          uint64_t per warp: its first run
 *
 * All integers are little-endian; hosts of the other order are refused at compile time.
 */
#ifndef SHFLVIZ_TRACE_FORMAT_H
#define SHFLVIZ_TRACE_FORMAT_H

#include "trace/record.h"

#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "recordings are little-endian");

/* Begins with a byte that is no text and holds both line ends, so that a file which passed through
 * a text conversion is noticed at once, as PNG does it. */
#define TRACE_FILE_MAGIC       "\x89SHFL\r\n\x1a"
#define TRACE_FILE_MAGIC_BYTES 8
#define TRACE_FILE_VERSION     1u
#define TRACE_FILE_BYTE_ORDER  0x01020304u

#define TRACE_FILE_HEADER_BYTES 4096u
#define TRACE_FILE_FRONT        4096u  /* where the front metadata begin */
#define TRACE_FILE_RECORDS      32768u /* where this version's writer puts the records */
#define TRACE_FILE_ALIGN        64u    /* of every region */

/* Metadata of more bytes than this, front and tail together, are neither written nor believed. */
#define TRACE_FILE_METADATA_MAX (64u << 20)

#define TRACE_FILE_CLOSED 0x1u /* the run ended and everything below is final */

struct trace_file_header {
    char magic[TRACE_FILE_MAGIC_BYTES];
    uint32_t version;
    uint32_t byte_order;
    uint32_t header_bytes;
    uint32_t value_bytes;  /* 4 or 8 */
    uint32_t record_bytes; /* SHFLVIZ_RECORD_SIZE(value_bytes) */
    uint32_t flags;        /* TRACE_FILE_CLOSED */
    uint64_t records_offset;
    uint64_t step_count; /* final once closed; before that at least so many are whole */
    uint64_t dropped;    /* steps that happened and were not recorded */
    uint64_t front_offset;
    uint64_t front_bytes; /* set after an entry is complete */
    /* What follows is 0 until the recording is closed. */
    uint64_t tail_offset;
    uint64_t tail_bytes;
    uint64_t runs_offset;
    uint64_t run_count; /* 0 in a recording that has steps: there is no index */
    uint64_t warps_offset;
    uint64_t warp_count;
    uint64_t file_bytes;
    uint64_t check; /* FNV-1a, 64 bits, of the bytes before it, the front and the tail */
};

/* Metadata: an entry is this, `bytes` of payload, and zeros up to a multiple of 8. Readers pass
 * over tags they do not know. A string is a uint32_t length and as many bytes, without a NUL. */
struct trace_file_entry {
    uint32_t tag;
    uint32_t bytes;
};

enum trace_file_tag {
    TRACE_FILE_LAUNCH = 1, /* u32 grid[3], u32 block[3], u64 shared, string kernel */
    TRACE_FILE_SITE = 2,   /* u32 line, string file, string function, string text */
    TRACE_FILE_SOURCE = 3, /* string file, string text */
    TRACE_FILE_NOTE = 4,   /* string key, string value */
};

/* Steps of one warp that follow each other in the recording. */
struct trace_file_run {
    uint64_t first; /* step */
    uint64_t block; /* linear */
    uint32_t launch;
    uint32_t warp;
    uint32_t count;    /* of steps; at least 1 */
    uint32_t number;   /* of the warp: its place among all warps, the index into warps[] */
    uint64_t position; /* of the first step among all steps of its warp */
};

_Static_assert(sizeof(struct shflviz_record_header) == 64, "64 bytes before the lanes");
_Static_assert(sizeof(struct trace_file_header) == 136, "no padding in the header");
_Static_assert(sizeof(struct trace_file_run) == 40, "no padding in a run");

#define TRACE_FILE_CHECK_INIT UINT64_C(0xcbf29ce484222325)

/* FNV-1a over more bytes, continuing from `check`. */
static inline uint64_t trace_file_check(uint64_t check, const void *bytes, uint64_t count) {
    const unsigned char *byte = bytes;
    for (uint64_t i = 0; i < count; i++)
        check = (check ^ byte[i]) * UINT64_C(0x100000001b3);
    return check;
}

static inline uint64_t trace_file_align(uint64_t offset) {
    return (offset + TRACE_FILE_ALIGN - 1) & ~(uint64_t)(TRACE_FILE_ALIGN - 1);
}

#endif
