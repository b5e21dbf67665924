/*
 * writer.h - a recording that is being made, shared by the files that make it: writer.c does most
 * of the work, gather.c takes many records at once, index_put.c writes the index.
 */
#ifndef SHFLVIZ_TRACE_WRITER_H
#define SHFLVIZ_TRACE_WRITER_H

#include "base/text.h"
#include "trace/file.h"
#include "trace/format.h"
#include "trace/index/index.h"
#include "trace/recording_file.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The records that the device is filling: the block OPEN at the end of the file. */
struct window {
    struct file_map map; /* a stretch of the file, or */
    uint64_t map_offset, map_end;
    unsigned char *buffer;         /* memory, for a recording that need not outlive the process */
    uint64_t dirty_end;            /* from here on the bytes of the file are 0 */
    struct trace_file_block *head; /* NULL if there is no block OPEN */
    unsigned char *records;
    uint64_t first; /* step of the first record */
    uint64_t end;   /* one beyond the step of the last */
};

/* Blocks of one kind that were written, to be listed in groups. */
struct listing {
    unsigned kind;
    uint64_t blocks;
    uint64_t offsets[TRACE_FILE_GROUP]; /* of those in no group yet */
    struct text groups;                 /* offsets of the groups */
    uint64_t last_group;
};

#define TRACE_THREADS_MOST 64 /* workers that code a recording */
/* The most builders of one index: one for each worker, and the writer's. */
#define TRACE_INDEX_PARTS (TRACE_THREADS_MOST + 1)

struct gathering;

struct trace_writer {
    struct recording_file file; /* its path is NULL if the recording is in memory */
    int descriptor;
    bool durable;
    bool run_failed;     /* a note says that the run failed */
    struct file_map map; /* of the header, while the recording is made */
    struct trace_file_header *header;
    unsigned value_bytes;
    size_t record_bytes;
    uint64_t step_limit;
    uint64_t end; /* position of the next block */
    struct window window;
    size_t window_bytes; /* of the next stretch of the file */
    uint64_t committed;  /* the number of steps known to be complete */
    struct listing steps;
    struct text pending; /* metadata that are in no block yet */
    struct text
        late; /* lines, and output, which leave the room in the block OPEN to launches and sites */
    uint64_t output_bytes, output_cut;
    uint64_t lines_bytes, lines_cut;
    uint64_t registers_bytes, registers_cut;
    uint64_t origins_bytes; /* counted against TRACE_ORIGINS_MOST; higher if some were left out */
    uint32_t function_count;
    uint64_t metadata_bytes, metadata_blocks, last_metadata;
    struct text scratch;         /* the entry being encoded */
    struct text payload, block;  /* being written */
    unsigned threads;            /* number of threads that gather; 0 for all processors */
    struct gathering *gathering; /* gather.c's; NULL before it is needed */
    uint32_t launch_count;
    struct text *sites; /* encoded, to find equal ones */
    uint32_t site_count;
    size_t site_room;
    struct text source_names; /* names of the sources added so far, each with its NUL */
    struct trace_index_builder index;
    struct error failure; /* ERROR_NONE while all is well */
};

/* Keeps the first error. */
void writer_fail(struct trace_writer *writer, int errno_value);

/* Registers the records that the device has written since the last time. */
void writer_commit(struct trace_writer *writer);

/* Writes the records being filled as a block of steps, preceded by metadata that are in no block
 * yet. Returns 0 or an errno value. */
int writer_seal(struct trace_writer *writer);

/* Writes blocks of one kind, each complete in a text, at the end of the file and lists them.
 * Returns 0, or an errno value with writer->end after the last complete one that was listed. */
int writer_put_blocks(struct trace_writer *writer, struct listing *listing,
                      const struct text *const blocks[], uint64_t count);

/* Writes the list of blocks that are in no group yet. Returns 0 or an errno value. */
int writer_put_group(struct trace_writer *writer, struct listing *listing);

/* Writes the index (index_put.c) and sets its counts. Without room for it the recording is still
 * complete: readers make their own. */
void writer_put_index(struct trace_writer *writer, struct listing *runs, struct listing *warps,
                      struct trace_file_end *end);

/* Stores gather.c's builders of the index after parts[0]; returns how many parts there are, at
 * most TRACE_INDEX_PARTS. `gathering` may be NULL. */
unsigned gathering_parts(struct gathering *gathering, struct trace_index_builder *parts[]);

/* Frees gather.c's state. */
void gathering_release(struct gathering *gathering); /* NULL is fine */

#endif
