/*
 * index.h - which steps belong to which warp.
 *
 * A recording holds steps in the order they happened, warps mixed. The index is the list of runs
 * (steps of one warp that follow each other) sorted by launch, block, warp and first step, and for
 * each warp the number of its first run. Every question is a binary search, in memory or in the
 * mapped file alike.
 *
 * A builder takes the steps one by one. Few runs stay in memory; many (2^16) move to a file without
 * a name, so that a recording of any length is indexed in little memory.
 */
#ifndef SHFLVIZ_TRACE_INDEX_H
#define SHFLVIZ_TRACE_INDEX_H

#include "trace/blocks.h"
#include "trace/file.h"
#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- asking ---- */
/* The arrays may come from a file that nobody vouches for: nothing that they hold is used as an
 * offset, so that a wrong index gives wrong answers and no more. The caller checks the answers.
 */

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
    bool damaged; /* an answer was missing because a block is damaged */
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

/* The run that holds the step, or UINT64_MAX. Its `number` tells the warp. */
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

struct trace_index_builder {
    char *folder; /* for the unnamed files; NULL: the folder for temporary files */
    struct trace_spool runs, scratch, warps;
    struct trace_spool stretches; /* where each ascending stretch of runs begins */
    struct {
        uint64_t pair;      /* of stretches */
        uint64_t a, b, out; /* taken from its first and its second, and written */
        bool begun;         /* in this pair */
    } merge;
    uint64_t numbered; /* runs whose warp is known */
    bool failed;       /* no room for the index: steps added now are ignored */
};

/* The string is copied. */
void trace_index_builder_init(struct trace_index_builder *builder, const char *folder);
void trace_index_builder_release(struct trace_index_builder *builder);

/* Steps are added in ascending order; steps may be left out. */
void trace_index_builder_add(struct trace_index_builder *builder, uint64_t step, uint32_t launch,
                             uint64_t block, uint32_t warp);
/* The same for `count` steps in a row; `number` and `position` are not looked at. */
void trace_index_builder_add_run(struct trace_index_builder *builder,
                                 const struct trace_file_run *run);

/*
 * Sorts some of what was added; nothing may be added after the first call. Does about `moves`
 * runs' worth of work. True while there is more to do.
 */
bool trace_index_builder_work(struct trace_index_builder *builder, uint64_t moves);

/* Does the remaining work and points *index at the result; it lives as long as the builder. False
 * if there was no room for the index. */
bool trace_index_builder_finish(struct trace_index_builder *builder, struct trace_index *index);

/* ---- putting several together ---- */

#define TRACE_INDEX_PARTS 65 /* builders, at most */

/* Sorts all that was added, and does no more; for trace_index_merge_init(). False if there was no
 * room. Builders may be sorted by several threads at once. */
bool trace_index_builder_sort(struct trace_index_builder *builder);

/* The runs of sorted builders, in one order; whatever builders the steps were divided among, the
 * same. */
struct trace_index_merge {
    struct trace_index_part {
        const struct trace_file_run *at, *end;
    } part[TRACE_INDEX_PARTS]; /* a heap: the first has the next run */
    unsigned parts;            /* that have runs left */
    uint64_t runs;             /* given */
    struct trace_file_run last;
    struct trace_spool warps; /* uint64_t: the first run of each warp */
    const char *folder;
    bool failed; /* there was no room for the warps */
};

/* At most TRACE_INDEX_PARTS builders, which must live longer. */
void trace_index_merge_init(struct trace_index_merge *merge,
                            struct trace_index_builder *const builders[], unsigned count);
/* False if there are no more, or it failed. */
bool trace_index_merge_next(struct trace_index_merge *merge, struct trace_file_run *run);
void trace_index_merge_release(struct trace_index_merge *merge);

#endif
