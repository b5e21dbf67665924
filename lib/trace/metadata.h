/*
 * metadata.h - launches, sites, sources, notes and output: as bytes in the file and as the reader's
 * tables.
 */
#ifndef SHFLVIZ_TRACE_METADATA_H
#define SHFLVIZ_TRACE_METADATA_H

#include "base/text.h"
#include "trace/format.h"
#include "trace/lines/lines.h"
#include "trace/trace.h"

#include <stddef.h>
#include <stdint.h>

/* ---- encoding: each appends one whole entry, a multiple of 8 bytes, to a text ---- */

void metadata_encode_launch(struct text *bytes, const struct trace_launch *launch);
void metadata_encode_site(struct text *bytes, const struct trace_site *site);
void metadata_encode_output(struct text *bytes, const struct trace_output *output, size_t length);
void metadata_encode_mark(struct text *bytes, uint64_t step, uint32_t in, uint32_t out);
void metadata_encode_function(struct text *bytes, const struct trace_function *function);
void metadata_encode_lines(struct text *bytes, const struct trace_line_chunk *chunk);
void metadata_encode_registers(struct text *bytes, const struct trace_registers *registers);
void metadata_encode_origins(struct text *bytes, const void *origins, size_t size);
/* A source or a note. */
void metadata_encode_pair(struct text *bytes, enum trace_file_tag tag, const char *first,
                          const char *second);

/* ---- decoding ---- */

struct metadata_pair {
    const char *first, *second;
};

/* Lanes whose values were computed from undefined ones (marks.h). */
struct metadata_mark {
    uint64_t step;
    uint32_t in, out;
};

/* A part of the file. */
struct metadata_bytes {
    const unsigned char *bytes;
    size_t size;
};

/* Tables of a recording's metadata, in the order of the file. Strings are copies that are safe to
 * show: invalid UTF-8 and every control character become '?'; sources, notes that are lists
 * (TRACE_NOTE_WAITING) and output keep their line ends and tabs, elsewhere these become spaces. */
struct metadata {
    struct trace_launch *launches;
    struct trace_site *sites;
    struct trace_output *outputs;
    struct metadata_pair *sources, *notes;
    struct metadata_mark *marks; /* with ascending steps */
    struct trace_function *functions;
    struct trace_line_chunk *chunks;   /* their bytes belong to the file */
    struct metadata_bytes *origins;    /* lines/origins.h */
    struct trace_registers *registers; /* by step; values belong to the file */
    uint32_t variable_count;           /* of all functions */
    size_t launch_count, launch_room;
    size_t site_count, site_room;
    size_t output_count, output_room;
    size_t source_count, source_room;
    size_t note_count, note_room;
    size_t mark_count, mark_room;
    size_t function_count, function_room;
    size_t chunk_count, chunk_room;
    size_t origin_count, origin_room;
    size_t registers_count, registers_room;
    char *strings; /* the strings; never longer in total than the entries they come from */
    size_t strings_used;
};

/* `bytes` is the largest number that will be decoded. */
void metadata_init(struct metadata *metadata, size_t bytes);
void metadata_release(struct metadata *metadata);

/* Adds the entries of one region, which must outlive the metadata. Returns NULL, or a short
 * description of the error, for _(). */
const char *metadata_decode(struct metadata *metadata, const unsigned char *bytes, size_t count);

/* Sorts lines by launch, block and warp, and registers by step. */
void metadata_sort(struct metadata *metadata);
int metadata_compare_chunks(const struct trace_line_chunk *a, const struct trace_line_chunk *b);

/* Appends a mark; one whose step is not after the last is left out. */
void metadata_mark(struct metadata *metadata, const struct metadata_mark *mark);
/* The mark of a step, or NULL. */
const struct metadata_mark *metadata_find_mark(const struct metadata *metadata, uint64_t step);

/* The number of blocks in a grid that the decoder accepts. */
uint64_t metadata_grid_blocks(const struct trace_launch *launch);

#endif
