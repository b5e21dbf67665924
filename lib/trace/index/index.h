/*
 * index.h - finds the steps of a warp, and the warp of a step.
 *
 * A recording holds steps in the order in which they happened, with those of different warps
 * interleaved. The index is the list of
 * runs (steps of one warp that follow each other) sorted by launch, block, warp and first step, and
 * for each warp the number of its first run. Every query is a binary search, in memory and in the
 * mapped file alike.
 *
 * A builder takes the steps one by one and keeps them as sorted chunks of 8 bytes per run, or of 24
 * where those of a chunk are too far apart. Few stay in memory; many move to a file without a name,
 * so that a recording of any length is indexed in little memory. At the end the chunks are put in
 * one order, range by range.
 */
#ifndef SHFLVIZ_TRACE_INDEX_H
#define SHFLVIZ_TRACE_INDEX_H

#include "trace/file.h"
#include "trace/format.h"
#include "trace/index/index_sort.h"
#include "trace/read/file_blocks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- asking ---- */
/* The arrays may come from an untrusted file: none of their values is used as an offset, so that a
 * wrong index gives wrong answers and does no other harm. The caller checks the answers. */

/* Runs and warps in blocks of a file, and those of them that are decoded. */
#define TRACE_INDEX_SLOTS 16
struct trace_index_file {
    struct blocks runs, warps;
    struct {
        uint64_t block;
        struct trace_file_run *runs; /* NULL before it is first needed */
    } run_slots[TRACE_INDEX_SLOTS];
    struct {
        uint64_t block;
        uint64_t *warps;
    } warp_slots[TRACE_INDEX_SLOTS];
    bool damaged; /* an answer is missing because a block is damaged */
};

void trace_index_file_release(struct trace_index_file *file);

struct trace_index {
    const struct trace_file_run *runs;
    uint64_t run_count;
    const uint64_t *warps; /* first run of each warp, ascending */
    uint64_t warp_count;
    struct trace_index_file *file; /* both are in it; NULL if they are in memory */
};

/* Copies a run below run_count. */
bool trace_index_get(const struct trace_index *index, uint64_t number, struct trace_file_run *run);

/* The run that holds the step, or UINT64_MAX. Its `number` identifies the warp. */
uint64_t trace_index_run(const struct trace_index *index, uint32_t launch, uint64_t block,
                         uint32_t warp, uint64_t step);

/* The runs [*first, *end) of a warp below warp_count; false if the index is damaged there. */
bool trace_index_runs(const struct trace_index *index, uint64_t warp, uint64_t *first,
                      uint64_t *end);

/* The step at `position` of a warp below warp_count, or UINT64_MAX. */
uint64_t trace_index_step(const struct trace_index *index, uint64_t warp, uint64_t position);

/* ---- building ---- */

/* A growing array that moves from memory to an unnamed file when it gets long. */
struct trace_spool {
    void *data;
    size_t element;
    uint64_t count, capacity;
    int descriptor; /* -1 while in memory */
    struct file_map map;
};

/* The same for words that are only appended, and are read when all of them are there: they are
 * written rather than mapped. */
struct trace_pile {
    uint64_t *data; /* set while in memory, or once it is read */
    uint64_t count, room;
    int descriptor; /* -1 while in memory */
    int place;      /* index of the place in use, among those that may have room */
    struct file_map map;
};

/* Entries that were sorted together. */
struct trace_index_chunk {
    uint64_t at;    /* in the pile */
    uint64_t count; /* of entries: of words, or of three words each if they do not fit in one */
    struct trace_index_packing packing;
};

struct trace_index_merge;
struct trace_index_range;

struct trace_index_builder {
    char *folder;                    /* for the unnamed files; NULL for the folder of temporary
                                      * files */
    struct trace_index_entry *chunk; /* the last entries, in the order of their steps */
    uint32_t filled, room;
    struct trace_pile pile; /* those before: sorted chunks, one after the other */
    struct trace_index_chunk *chunks;
    size_t chunk_count, chunk_room;
    uint64_t sorted; /* entries in them */
    struct trace_index_sorter sorter;
    /* The state of trace_index_builder_work(): */
    struct trace_index_merge *merge;
    struct trace_index_range *range;
    struct trace_spool runs, warps; /* the result */
    bool failed; /* no room for the index: from then on added steps are ignored */
};

/* The string is copied. */
void trace_index_builder_init(struct trace_index_builder *builder, const char *folder);
void trace_index_builder_release(struct trace_index_builder *builder);

/* Steps are added in ascending order; steps may be left out. */
void trace_index_builder_add(struct trace_index_builder *builder, uint64_t step, uint32_t launch,
                             uint64_t block, uint32_t warp);
/* True if this many more steps can be added before the builder stops to sort. */
bool trace_index_builder_has_room(const struct trace_index_builder *builder, uint64_t steps);
/* Sorts the steps added so far, which the builder otherwise does by itself now and then. A caller
 * with several builders then waits for all of them at the same time. */
void trace_index_builder_sort(struct trace_index_builder *builder);
/* The number of entries; at most that of the steps added. */
uint64_t trace_index_builder_entries(const struct trace_index_builder *builder);

/* Sorts part of what was added, some ten thousand steps' worth; nothing may be added after the
 * first call. True while there is more to do. */
bool trace_index_builder_work(struct trace_index_builder *builder);

/* Does the remaining work and points *index at the result; it lives as long as the builder. False
 * if there was no room for the index. */
bool trace_index_builder_finish(struct trace_index_builder *builder, struct trace_index *index);

/* ---- merging several, in several threads ---- */

/* The entries of several builders, divided into ranges that follow each other in the order of the
 * index and can be sorted at the same time. */
struct trace_index_merge {
    struct trace_index_stretch {
        const uint64_t *words;                 /* of a chunk; at least one entry */
        const struct trace_index_chunk *chunk; /* owned by a builder */
        struct trace_index_entry first, last;
    } * stretches;
    size_t stretch_count;
    struct trace_index_entry *cuts; /* the first entry of each range but the first */
    uint64_t ranges;                /* 0 if there are no entries */
    /* Results of the ranges joined so far: */
    struct trace_file_run *last; /* run; NULL before the first */
    uint64_t runs, warps;
    uint64_t position; /* steps of the last run's warp */
};

/* The runs of one range. */
struct trace_index_range {
    struct trace_file_run *runs; /* [begin, end) of the index; numbers and positions count from the
                                    range's own beginning */
    size_t begin, end, room;
    uint64_t warps;      /* warps that begin here or, until it is joined, that are here */
    uint64_t last_steps; /* of the last warp here */
    uint64_t first_warp; /* the index of the range's warp 0, */
    uint64_t position;   /* and that warp's steps before the range */
    uint64_t next;       /* number of the range after the finished ones */
    struct trace_index_entry *entries;
    struct trace_index_sorter sorter;
    char apart[128]; /* keeps neighbours of an array in different cache lines */
};

/* The builders must outlive the merge, and get no more steps. False if one had no room. Release
 * frees only the merge's own memory. */
bool trace_index_merge_init(struct trace_index_merge *merge,
                            struct trace_index_builder *const builders[], unsigned count);
void trace_index_merge_release(struct trace_index_merge *merge);

/* Sorts range `number`. Ranges may be sorted at the same time. `range` is zeroed or was used
 * before. */
void trace_index_range_sort(struct trace_index_range *range, const struct trace_index_merge *merge,
                            uint64_t number);
/* Adds the next range, in order. A run that continues from the range before is added to
 * merge->last, which must still be there. */
void trace_index_range_join(struct trace_index_range *range, struct trace_index_merge *merge);
/* A run of a joined range, from `begin` to `end` - 1, as it is in the index. The first of a warp
 * has position 0. */
struct trace_file_run trace_index_range_run(const struct trace_index_range *range, size_t at);
void trace_index_range_release(struct trace_index_range *range);

/* Room for `count` more elements at the end; NULL if there is none. */
void *trace_spool_extend(struct trace_spool *spool, const char *folder, uint64_t count);
void trace_spool_init(struct trace_spool *spool, size_t element);
void trace_spool_release(struct trace_spool *spool);

#endif
