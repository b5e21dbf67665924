/*
 * format.h - the bytes of a recording: a header, then blocks. Shared by the code that writes a
 * recording and the code that reads it; docs/TRACE_FORMAT.md describes them for everyone else.
 *
 *     0            header         struct trace_file_header
 *     128          blocks         each a struct trace_file_block, then its payload, then zeros
 *                                 up to a multiple of 64; nothing between them
 *
 * Blocks of steps, and blocks of metadata that these steps need before them, are appended as the
 * run goes on; then the index, when the recording is closed, and last the block that says where
 * everything is. A GROUP lists where 512 blocks of one kind are, so that each is found without
 * reading the others.
 *
 * All integers are little-endian; hosts of the other order are refused at compile time.
 */
#ifndef SHFLVIZ_TRACE_FORMAT_H
#define SHFLVIZ_TRACE_FORMAT_H

#include "trace/record.h"

#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "recordings are little-endian");

/* Begins with a byte that is not text and contains both kinds of line end, so that a file damaged
 * by a text conversion is noticed immediately, as with PNG. */
#define TRACE_FILE_MAGIC       "\x89SHFL\r\n\x1a"
#define TRACE_FILE_MAGIC_BYTES 8
#define TRACE_FILE_VERSION     2u
#define TRACE_FILE_BYTE_ORDER  0x01020304u

#define TRACE_FILE_HEADER_BYTES 128u
#define TRACE_FILE_ALIGN        64u /* of every block */

#define TRACE_FILE_BLOCK_STEPS 256u /* steps in every block of steps but the last */
#define TRACE_FILE_BLOCK_RUNS  512u /* the same for runs, and for warps */
#define TRACE_FILE_GROUP       512u /* blocks in every group but the last */

/* Larger blocks of metadata are neither written nor accepted. */
#define TRACE_FILE_METADATA_MAX (64u << 20)

#define TRACE_FILE_CLOSED 0x1u /* the run ended and everything below is final */

struct trace_file_header {
    char magic[TRACE_FILE_MAGIC_BYTES];
    uint32_t version;
    uint32_t byte_order;
    uint32_t value_bytes;  /* 4 or 8 */
    uint32_t record_bytes; /* SHFLVIZ_RECORD_SIZE(value_bytes) */
    uint32_t block_steps;  /* TRACE_FILE_BLOCK_STEPS */
    uint32_t flags;        /* TRACE_FILE_CLOSED */
    uint64_t end_offset;   /* of the block END; 0 until the recording is closed */
    uint32_t reserved[5];  /* 0 */
    uint32_t check;        /* CRC-32C of the bytes before it */
    /* Tells a reader about a recording that was not closed; 0 in one that was. No check covers it,
     * because it changes while the run goes on. */
    uint64_t last_group;    /* the last GROUP of blocks of steps, or 0 */
    uint64_t last_metadata; /* the last block of metadata, or 0 */
    uint64_t dropped;       /* steps that happened and were not recorded */
    uint64_t unused[5];
};

enum trace_file_kind {
    TRACE_FILE_METADATA = 1, /* entries, see below */
    TRACE_FILE_STEPS = 2,
    TRACE_FILE_RUNS = 3,      /* of the index, sorted by launch, block, warp, first */
    TRACE_FILE_WARPS = 4,     /* uint64_t each: the first run of a warp */
    TRACE_FILE_GROUP_OF = 16, /* added to one of these: uint64_t each, the offsets of its blocks */
    TRACE_FILE_END = 32,      /* struct trace_file_end, then uint64_t each: all groups */
    TRACE_FILE_OPEN = 33,     /* records that are being filled; no check */
};

enum trace_file_encoding {
    TRACE_FILE_RAW = 0,     /* the elements one after the other */
    TRACE_FILE_COMPACT = 1, /* compact.h */
};

#define TRACE_FILE_BLOCK_MARK 0x4b4c4253u /* "SBLK" */

struct trace_file_block {
    uint32_t mark;
    uint16_t kind;
    uint16_t encoding;
    uint64_t number;   /* index of the block among those of its kind */
    uint64_t first;    /* number of its first element */
    uint64_t previous; /* GROUP and METADATA: offset of the one before, or 0 */
    uint32_t count;    /* of elements; in OPEN as many as fit */
    uint32_t bytes;    /* of the payload */
    uint32_t entries;  /* OPEN: bytes of metadata after the records */
    uint32_t reserved[4];
    uint32_t check; /* CRC-32C of the bytes before it, the payload, and the zeros after that */
};

/* Groups of blocks of steps, of runs and of warps follow it in this order. */
struct trace_file_end {
    uint64_t step_count;
    uint64_t dropped;   /* steps that happened and were not recorded */
    uint64_t run_count; /* 0 in a recording that has steps: there is no index */
    uint64_t warp_count;
    uint64_t last_metadata; /* as in the header */
};

/* Metadata: an entry is this, `bytes` of payload, and zeros up to a multiple of 8. Readers skip
 * tags that they do not know. A string is a uint32_t length and as many bytes, without a NUL. */
struct trace_file_entry {
    uint32_t tag;
    uint32_t bytes;
};

enum trace_file_tag {
    TRACE_FILE_LAUNCH = 1, /* u32 grid[3], u32 block[3], u64 shared, string kernel */
    TRACE_FILE_SITE = 2,   /* u32 line, string file, string function, string text */
    TRACE_FILE_SOURCE = 3, /* string file, string text */
    TRACE_FILE_NOTE = 4,   /* string key, string value */
    TRACE_FILE_OUTPUT = 5, /* u64 step, u32 launches, u32 stream, string text */
    TRACE_FILE_MARK = 6,   /* u64 step, u32 in, u32 out */
    /* string file, string name, u32 variables, u32 lines; for each variable u32 type, u32 bytes,
     * string name; for each line u32 line and variables / 64 + 1 times u64: what is in scope,
     * and as many again: what it reads */
    TRACE_FILE_FUNCTION = 7,
    TRACE_FILE_LINES = 8,   /* u64 block, u32 launch, u32 warp, u32 lines, coded (lines/code.h) */
    TRACE_FILE_ORIGINS = 9, /* as lines/origins.h writes them; a node may be of an earlier entry */
    /* u64 step, u32 lanes, u32 operands, string instruction; for each operand u32 letter, u32
     * registers, u32 bytes, and that many bytes for each lane of each register */
    TRACE_FILE_REGISTERS = 10,
};

/* Consecutive steps of one warp in the recording. */
struct trace_file_run {
    uint64_t first; /* step */
    uint64_t block; /* linear */
    uint32_t launch;
    uint32_t warp;
    uint32_t count;    /* of steps; at least 1 */
    uint32_t number;   /* index of the warp among all warps, for warps[] */
    uint64_t position; /* index of the first step among all steps of its warp */
};

_Static_assert(sizeof(struct shflviz_record_header) == 64, "64 bytes before the lanes");
_Static_assert(sizeof(struct trace_file_header) == 128, "no padding in the header");
_Static_assert(sizeof(struct trace_file_block) == 64, "no padding before a block");
_Static_assert(sizeof(struct trace_file_run) == 40, "no padding in a run");

static inline uint64_t trace_file_align(uint64_t offset) {
    return (offset + TRACE_FILE_ALIGN - 1) & ~(uint64_t)(TRACE_FILE_ALIGN - 1);
}

#endif
