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

struct putting {
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
    struct putting *putting = context;
    (void)worker;
    if (piece == 0)
        putting->failed = in_turn_end(putting->turn);
    else
        trace_index_range_sort(&putting->ranges[piece - 1], &putting->merge,
                               putting->round + piece - 1);
}

/* Copies the runs of a block of this round; returns their number. Other processors have sorted
 * them and have them in their caches, so they are read only once, here. */
static uint32_t take_runs(const struct putting *putting, uint64_t begin,
                          struct trace_file_run runs[TRACE_FILE_BLOCK_RUNS]) {
    uint32_t count = 0;
    while (begin < putting->carried && count < TRACE_FILE_BLOCK_RUNS)
        runs[count++] = putting->carry[begin++];
    if (count == TRACE_FILE_BLOCK_RUNS)
        return count;
    begin -= putting->carried;
    for (uint64_t i = 0; i < putting->round_ranges; i++) {
        const struct trace_index_range *range = &putting->ranges[i];
        const uint64_t has = range->end - range->begin;
        for (; begin < has && count < TRACE_FILE_BLOCK_RUNS; begin++)
            runs[count++] = trace_index_range_run(range, range->begin + (size_t)begin);
        if (count == TRACE_FILE_BLOCK_RUNS)
            break;
        begin -= has;
    }
    return count;
}

static void compose(struct putting *putting, uint64_t piece, unsigned worker, unsigned kind,
                    uint32_t count) {
    const struct trace_file_block head = {
        .kind = (uint16_t)kind,
        .encoding = TRACE_FILE_COMPACT,
        .number = putting->first_block + piece,
        .first = putting->first_element + piece * TRACE_FILE_BLOCK_RUNS,
        .count = count,
    };
    const struct text *payload = &putting->payload[worker].text;
    struct text *block = in_turn_room(putting->turn, worker);
    blocks_compose(block, head, payload->data, payload->length);
    in_turn_put(putting->turn, piece, block);
}

static void code_runs(void *context, uint64_t piece, unsigned worker) {
    struct putting *putting = context;
    struct trace_file_run runs[TRACE_FILE_BLOCK_RUNS];
    const uint32_t count = take_runs(putting, piece * TRACE_FILE_BLOCK_RUNS, runs);
    const uint64_t first = putting->first_element + piece * TRACE_FILE_BLOCK_RUNS;
    uint64_t *first_runs = putting->first_runs.data;
    for (uint32_t i = 0; i < count; i++)
        if (runs[i].position == 0)
            first_runs[runs[i].number] = first + i;
    text_clear(&putting->payload[worker].text);
    compact_encode_runs(&putting->payload[worker].text, runs, count);
    compose(putting, piece, worker, TRACE_FILE_RUNS, count);
}

/* Sorts the next ranges. False if there is no room for their warps, or for the data being
 * written. */
static bool next_round(struct putting *putting) {
    struct trace_index_merge *merge = &putting->merge;
    const uint64_t left = merge->ranges - putting->round, warps = merge->warps;
    putting->round_ranges = left < putting->ranges_at_once ? left : putting->ranges_at_once;
    thread_pool_run(putting->pool, 1 + putting->round_ranges, write_or_sort, putting);
    merge->last = putting->carried ? &putting->carry[putting->carried - 1] : NULL;
    for (uint64_t i = 0; i < putting->round_ranges; i++)
        trace_index_range_join(&putting->ranges[i], merge);
    if (putting->failed || merge->warps >= UINT32_MAX)
        return false;
    if (merge->warps > warps &&
        !trace_spool_extend(&putting->first_runs, putting->writer->index.folder,
                            merge->warps - warps))
        return false;
    putting->run_total = putting->carried;
    for (uint64_t i = 0; i < putting->round_ranges; i++)
        putting->run_total += putting->ranges[i].end - putting->ranges[i].begin;
    putting->round += putting->round_ranges;
    return true;
}

/* Codes whole blocks of this round's runs, most of which are written meanwhile; the rest, at least
 * the last run, waits for the next round, in which it may continue. The last round codes
 * everything. */
static void code_round(struct putting *putting, struct listing *listing) {
    const bool last = putting->round == putting->merge.ranges;
    const uint64_t total = putting->run_total,
                   blocks = (last ? total + TRACE_FILE_BLOCK_RUNS - 1 : total - 1) /
                            TRACE_FILE_BLOCK_RUNS;
    struct trace_file_run rest[TRACE_FILE_BLOCK_RUNS];
    putting->first_block = listing->blocks;
    putting->first_element = listing->blocks * TRACE_FILE_BLOCK_RUNS;
    in_turn_begin(putting->turn, listing, blocks, LOT);
    thread_pool_run(putting->pool, blocks, code_runs, putting);
    putting->carried = last ? 0 : take_runs(putting, blocks * TRACE_FILE_BLOCK_RUNS, rest);
    memcpy(putting->carry, rest, putting->carried * sizeof(rest[0]));
}

/* ---- warps ---- */

static void code_warps(void *context, uint64_t piece, unsigned worker) {
    struct putting *putting = context;
    const uint64_t *all = putting->first_runs.data,
                   at = putting->first_element + piece * TRACE_FILE_BLOCK_RUNS,
                   left = putting->first_runs.count - at;
    const uint32_t count = left < TRACE_FILE_BLOCK_RUNS ? (uint32_t)left : TRACE_FILE_BLOCK_RUNS;
    text_clear(&putting->payload[worker].text);
    compact_encode_numbers(&putting->payload[worker].text, all + at, count);
    compose(putting, piece, worker, TRACE_FILE_WARPS, count);
}

static int put_warps(struct putting *putting, struct listing *listing) {
    const uint64_t all = putting->first_runs.count;
    int failed = 0;
    for (uint64_t at = 0; !failed && at < all; at += WARP_BLOCKS * TRACE_FILE_BLOCK_RUNS) {
        const uint64_t blocks = (all - at + TRACE_FILE_BLOCK_RUNS - 1) / TRACE_FILE_BLOCK_RUNS,
                       now = blocks < WARP_BLOCKS ? blocks : WARP_BLOCKS;
        putting->first_block = listing->blocks;
        putting->first_element = at;
        in_turn_begin(putting->turn, listing, now, LOT);
        thread_pool_run(putting->pool, now, code_warps, putting);
        failed = in_turn_end(putting->turn);
    }
    return failed ? failed : writer_put_group(putting->writer, listing);
}

/* ---- runs and warps ---- */

static void putting_init(struct putting *putting, struct trace_writer *writer,
                         struct thread_pool *pool) {
    *putting = (struct putting){.writer = writer, .pool = pool};
    putting->turn = in_turn_new(writer, pool ? thread_pool_workers(pool) : 1);
    putting->ranges_at_once = pool ? RANGES_EACH * thread_pool_workers(pool) : 1;
    putting->ranges = memory_zeroed(putting->ranges_at_once, sizeof(putting->ranges[0]));
    trace_spool_init(&putting->first_runs, sizeof(uint64_t));
    for (unsigned i = 0; i < TRACE_THREADS_MOST; i++)
        text_init(&putting->payload[i].text);
}

static void putting_release(struct putting *putting) {
    for (uint64_t i = 0; i < putting->ranges_at_once; i++)
        trace_index_range_release(&putting->ranges[i]);
    in_turn_release(putting->turn);
    for (unsigned i = 0; i < TRACE_THREADS_MOST; i++)
        text_release(&putting->payload[i].text);
    trace_index_merge_release(&putting->merge);
    trace_spool_release(&putting->first_runs);
    free(putting->ranges);
}

static bool put_all(struct putting *putting, struct trace_index_builder *const parts[],
                    unsigned count, struct listing *runs, struct listing *warps) {
    if (!trace_index_merge_init(&putting->merge, parts, count))
        return false;
    in_turn_begin(putting->turn, runs, 0, LOT);
    while (putting->round < putting->merge.ranges) {
        if (!next_round(putting))
            return false;
        code_round(putting, runs);
    }
    return in_turn_end(putting->turn) == 0 && writer_put_group(putting->writer, runs) == 0 &&
           put_warps(putting, warps) == 0;
}

void writer_put_index(struct trace_writer *writer, struct listing *runs, struct listing *warps,
                      struct trace_file_end *end) {
    struct trace_index_builder *parts[TRACE_INDEX_PARTS] = {&writer->index};
    struct putting putting;
    const unsigned count = gathering_parts(writer->gathering, parts);
    const uint64_t before = writer->end;
    uint64_t entries = 0;
    for (unsigned i = 0; i < count; i++)
        entries += trace_index_builder_entries(parts[i]);
    struct thread_pool *pool =
        entries > ENTRIES_ALONE ? thread_pool_new(writer->threads, TRACE_THREADS_MOST) : NULL;
    if (pool)
        thread_pool_run(pool, count, sort_part, parts);
    putting_init(&putting, writer, pool);
    if (put_all(&putting, parts, count, runs, warps)) {
        end->run_count = putting.merge.runs;
        end->warp_count = putting.merge.warps;
    } else {
        writer->end = before;
        text_clear(&runs->groups);
        text_clear(&warps->groups);
    }
    putting_release(&putting);
    thread_pool_release(pool);
}
