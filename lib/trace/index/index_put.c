/* The index of a recording that is being closed, sorted and coded by several threads. */
#include "base/memory.h"
#include "base/thread_pool.h"
#include "trace/compact/compact.h"
#include "trace/in_turn.h"
#include "trace/read/file_blocks.h"
#include "trace/writer.h"

#include <stdlib.h>
#include <string.h>

/* Fewer entries are sorted faster than threads are created. */
#define ENTRIES_ALONE 65536
#define WARP_BLOCKS   1024 /* coded before a buffer is reused */
#define LOT           32   /* blocks written together, except the last of a round */
/* Ranges of a round for each worker, a megabyte each: with fewer, workers wait for the last of a
 * round a fifth of the time. */
#define RANGES_EACH 8

/* Sorts one of the builders, which are sorted at the same time. */
static void sort_part(void *context, uint64_t piece, unsigned worker) {
    struct trace_index_builder *const *parts = context;
    (void)worker;
    trace_index_builder_sort(parts[piece]);
}

/* Kept apart, so that no two workers write into one cache line. */
struct own_payload {
    struct text text;
    char apart[128];
};

struct index_writer {
    struct trace_writer *writer;
    struct thread_pool *pool; /* NULL if alone */
    struct trace_index_merge merge;
    struct trace_spool first_runs; /* uint64_t: of each warp */
    struct own_payload payload[TRACE_THREADS_MOST];
    struct in_turn *turn;
    int failed; /* the first errno value of a write */
    /* Ranges that are sorted at the same time. */
    struct trace_index_range *ranges;
    uint64_t round, round_ranges, ranges_at_once;
    /* Runs of this round: what the last one left, and those of the ranges. */
    struct trace_file_run carry[TRACE_FILE_BLOCK_RUNS];
    uint64_t carried;
    uint64_t run_total;
    /* Block numbers and elements of what is being coded. */
    uint64_t first_block, first_element;
};

/* ---- runs ---- */

/* While ranges are sorted, one worker writes the remaining blocks of the round before. */
static void write_or_sort(void *context, uint64_t piece, unsigned worker) {
    struct index_writer *index_writer = context;
    (void)worker;
    if (piece == 0)
        index_writer->failed = in_turn_end(index_writer->turn);
    else
        trace_index_range_sort(&index_writer->ranges[piece - 1], &index_writer->merge,
                               index_writer->round + piece - 1);
}

/* Copies the runs of a block of this round; returns their number. Other processors have sorted
 * them and have them in their caches, so they are read only once, here. */
static uint32_t take_runs(const struct index_writer *index_writer, uint64_t begin,
                          struct trace_file_run runs[TRACE_FILE_BLOCK_RUNS]) {
    uint32_t count = 0;
    while (begin < index_writer->carried && count < TRACE_FILE_BLOCK_RUNS)
        runs[count++] = index_writer->carry[begin++];
    if (count == TRACE_FILE_BLOCK_RUNS)
        return count;
    begin -= index_writer->carried;
    for (uint64_t i = 0; i < index_writer->round_ranges; i++) {
        const struct trace_index_range *range = &index_writer->ranges[i];
        const uint64_t has = range->end - range->begin;
        for (; begin < has && count < TRACE_FILE_BLOCK_RUNS; begin++)
            runs[count++] = trace_index_range_run(range, range->begin + (size_t)begin);
        if (count == TRACE_FILE_BLOCK_RUNS)
            break;
        begin -= has;
    }
    return count;
}

static void compose(struct index_writer *index_writer, uint64_t piece, unsigned worker,
                    unsigned kind, uint32_t count) {
    const struct trace_file_block head = {
        .kind = (uint16_t)kind,
        .encoding = TRACE_FILE_COMPACT,
        .number = index_writer->first_block + piece,
        .first = index_writer->first_element + piece * TRACE_FILE_BLOCK_RUNS,
        .count = count,
    };
    const struct text *payload = &index_writer->payload[worker].text;
    struct text *block = in_turn_buffer(index_writer->turn, worker);
    blocks_compose(block, head, payload->data, payload->length);
    in_turn_put(index_writer->turn, piece, block);
}

static void code_runs(void *context, uint64_t piece, unsigned worker) {
    struct index_writer *index_writer = context;
    struct trace_file_run runs[TRACE_FILE_BLOCK_RUNS];
    const uint32_t count = take_runs(index_writer, piece * TRACE_FILE_BLOCK_RUNS, runs);
    const uint64_t first = index_writer->first_element + piece * TRACE_FILE_BLOCK_RUNS;
    uint64_t *first_runs = index_writer->first_runs.data;
    for (uint32_t i = 0; i < count; i++)
        if (runs[i].position == 0)
            first_runs[runs[i].number] = first + i;
    text_clear(&index_writer->payload[worker].text);
    compact_encode_runs(&index_writer->payload[worker].text, runs, count);
    compose(index_writer, piece, worker, TRACE_FILE_RUNS, count);
}

/* Sorts the next ranges. False if there is no room for their warps, or for the data being
 * written. */
static bool next_round(struct index_writer *index_writer) {
    struct trace_index_merge *merge = &index_writer->merge;
    const uint64_t left = merge->ranges - index_writer->round, warps = merge->warps;
    index_writer->round_ranges =
        left < index_writer->ranges_at_once ? left : index_writer->ranges_at_once;
    thread_pool_run(index_writer->pool, 1 + index_writer->round_ranges, write_or_sort,
                    index_writer);
    merge->last = index_writer->carried ? &index_writer->carry[index_writer->carried - 1] : NULL;
    for (uint64_t i = 0; i < index_writer->round_ranges; i++)
        trace_index_range_join(&index_writer->ranges[i], merge);
    if (index_writer->failed || merge->warps >= UINT32_MAX)
        return false;
    if (merge->warps > warps &&
        !trace_spool_extend(&index_writer->first_runs, index_writer->writer->index.folder,
                            merge->warps - warps))
        return false;
    index_writer->run_total = index_writer->carried;
    for (uint64_t i = 0; i < index_writer->round_ranges; i++)
        index_writer->run_total += index_writer->ranges[i].end - index_writer->ranges[i].begin;
    index_writer->round += index_writer->round_ranges;
    return true;
}

/* Codes whole blocks of this round's runs, most of which are written meanwhile; the rest, at least
 * the last run, waits for the next round, in which it may continue. The last round codes
 * everything. */
static void code_round(struct index_writer *index_writer, struct listing *listing) {
    const bool last = index_writer->round == index_writer->merge.ranges;
    const uint64_t total = index_writer->run_total,
                   blocks = (last ? total + TRACE_FILE_BLOCK_RUNS - 1 : total - 1) /
                            TRACE_FILE_BLOCK_RUNS;
    struct trace_file_run rest[TRACE_FILE_BLOCK_RUNS];
    index_writer->first_block = listing->blocks;
    index_writer->first_element = listing->blocks * TRACE_FILE_BLOCK_RUNS;
    in_turn_begin(index_writer->turn, listing, blocks, LOT);
    thread_pool_run(index_writer->pool, blocks, code_runs, index_writer);
    index_writer->carried =
        last ? 0 : take_runs(index_writer, blocks * TRACE_FILE_BLOCK_RUNS, rest);
    memcpy(index_writer->carry, rest, index_writer->carried * sizeof(rest[0]));
}

/* ---- warps ---- */

static void code_warps(void *context, uint64_t piece, unsigned worker) {
    struct index_writer *index_writer = context;
    const uint64_t *all = index_writer->first_runs.data,
                   at = index_writer->first_element + piece * TRACE_FILE_BLOCK_RUNS,
                   left = index_writer->first_runs.count - at;
    const uint32_t count = left < TRACE_FILE_BLOCK_RUNS ? (uint32_t)left : TRACE_FILE_BLOCK_RUNS;
    text_clear(&index_writer->payload[worker].text);
    compact_encode_numbers(&index_writer->payload[worker].text, all + at, count);
    compose(index_writer, piece, worker, TRACE_FILE_WARPS, count);
}

static int put_warps(struct index_writer *index_writer, struct listing *listing) {
    const uint64_t all = index_writer->first_runs.count;
    int failed = 0;
    for (uint64_t at = 0; !failed && at < all; at += WARP_BLOCKS * TRACE_FILE_BLOCK_RUNS) {
        const uint64_t blocks = (all - at + TRACE_FILE_BLOCK_RUNS - 1) / TRACE_FILE_BLOCK_RUNS,
                       now = blocks < WARP_BLOCKS ? blocks : WARP_BLOCKS;
        index_writer->first_block = listing->blocks;
        index_writer->first_element = at;
        in_turn_begin(index_writer->turn, listing, now, LOT);
        thread_pool_run(index_writer->pool, now, code_warps, index_writer);
        failed = in_turn_end(index_writer->turn);
    }
    return failed ? failed : writer_put_group(index_writer->writer, listing);
}

/* ---- runs and warps ---- */

static void index_writer_init(struct index_writer *index_writer, struct trace_writer *writer,
                              struct thread_pool *pool) {
    *index_writer = (struct index_writer){.writer = writer, .pool = pool};
    index_writer->turn = in_turn_new(writer, pool ? thread_pool_workers(pool) : 1);
    index_writer->ranges_at_once = pool ? RANGES_EACH * thread_pool_workers(pool) : 1;
    index_writer->ranges =
        memory_zeroed(index_writer->ranges_at_once, sizeof(index_writer->ranges[0]));
    trace_spool_init(&index_writer->first_runs, sizeof(uint64_t));
    for (unsigned i = 0; i < TRACE_THREADS_MOST; i++)
        text_init(&index_writer->payload[i].text);
}

static void index_writer_release(struct index_writer *index_writer) {
    for (uint64_t i = 0; i < index_writer->ranges_at_once; i++)
        trace_index_range_release(&index_writer->ranges[i]);
    in_turn_release(index_writer->turn);
    for (unsigned i = 0; i < TRACE_THREADS_MOST; i++)
        text_release(&index_writer->payload[i].text);
    trace_index_merge_release(&index_writer->merge);
    trace_spool_release(&index_writer->first_runs);
    free(index_writer->ranges);
}

static bool put_all(struct index_writer *index_writer, struct trace_index_builder *const parts[],
                    unsigned count, struct listing *runs, struct listing *warps) {
    if (!trace_index_merge_init(&index_writer->merge, parts, count))
        return false;
    in_turn_begin(index_writer->turn, runs, 0, LOT);
    while (index_writer->round < index_writer->merge.ranges) {
        if (!next_round(index_writer))
            return false;
        code_round(index_writer, runs);
    }
    return in_turn_end(index_writer->turn) == 0 &&
           writer_put_group(index_writer->writer, runs) == 0 && put_warps(index_writer, warps) == 0;
}

void writer_put_index(struct trace_writer *writer, struct listing *runs, struct listing *warps,
                      struct trace_file_end *end) {
    struct trace_index_builder *parts[TRACE_INDEX_PARTS] = {&writer->index};
    struct index_writer index_writer;
    const unsigned count = gathering_parts(writer->gathering, parts);
    const uint64_t before = writer->end;
    uint64_t entries = 0;
    for (unsigned i = 0; i < count; i++)
        entries += trace_index_builder_entries(parts[i]);
    struct thread_pool *pool =
        entries > ENTRIES_ALONE ? thread_pool_new(writer->threads, TRACE_THREADS_MOST) : NULL;
    if (pool)
        thread_pool_run(pool, count, sort_part, parts);
    index_writer_init(&index_writer, writer, pool);
    if (put_all(&index_writer, parts, count, runs, warps)) {
        end->run_count = index_writer.merge.runs;
        end->warp_count = index_writer.merge.warps;
    } else {
        writer->end = before;
        text_clear(&runs->groups);
        text_clear(&warps->groups);
    }
    index_writer_release(&index_writer);
    thread_pool_release(pool);
}
