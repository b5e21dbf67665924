/*
 * reader.h - an open recording, shared by the files that read it: reader.c and version1.c open it,
 * steps.c decodes its steps, warps.c finds its warps.
 */
#ifndef SHFLVIZ_TRACE_READER_H
#define SHFLVIZ_TRACE_READER_H

#include "trace/file.h"
#include "trace/index/index.h"
#include "trace/lines/lines.h"
#include "trace/metadata.h"
#include "trace/read/file_blocks.h"
#include "trace/trace.h"

/* Decoded blocks: a view of one warp's history reads many of them again and again. */
#define READER_SLOTS 64

struct step_cache {
    unsigned char *records; /* contents of one block; NULL before it is first needed */
    uint64_t block;
    bool whole;
};

/* The index and its origin. A recording without an index in its file gets two: first one of its
 * first steps, later one of all its steps. */
struct navigation {
    struct trace_index index;
    struct trace_index_file file; /* what index reads, if it comes from the file */
    bool asked, whole, no_room;
    struct trace_index_builder first, builder;
    uint64_t listed;  /* steps that went into builder, or are damaged */
    uint64_t damaged; /* of these */
};

/* The lines of the most recently requested warps. */
#define READER_LINES 4
struct lines_cache {
    struct {
        struct trace_line_warp warp;
        struct trace_lines *lines; /* NULL if it has none, or they are damaged */
        bool is_taken;
    } slot[READER_LINES];
    unsigned next;
};

struct trace {
    struct file_map map;
    struct blocks_file file;
    unsigned value_bytes;
    size_t record_bytes;
    bool closed;
    uint64_t step_count, dropped;
    struct metadata metadata;
    /* Version 1: all records, one after the other. NULL in later versions. */
    const unsigned char *records;
    struct blocks blocks; /* of steps */
    unsigned char *open;  /* records after the last block, in a recording that was not closed */
    struct step_cache *cache;
    unsigned slots; /* of the cache */
    /* A separate struct, because it is made when first needed, even for a const trace. */
    struct navigation *navigation;
    struct lines_cache *lines;     /* likewise */
    struct trace_origins *origins; /* NULL until it is requested */
};

int reader_error_damaged(struct error *err, const char *name, const char *what);

/* Reads the header of a version 1 file and what it refers to. Returns NULL, or what is wrong. */
const char *version1_read(struct trace *trace);

/* The number of complete steps at the beginning of the `room` records at `records`. */
uint64_t reader_count_whole(const unsigned char *records, size_t record_bytes, uint64_t first,
                            uint64_t room);

/* The record of an existing step, or NULL if its block is damaged. It is valid until other steps
 * are read. */
const unsigned char *reader_record(const struct trace *trace, uint64_t step);

/* True if there is such a launch, with this block and this warp. */
bool reader_warp_exists(const struct trace *trace, uint32_t launch, uint64_t block, uint32_t warp);

#endif
