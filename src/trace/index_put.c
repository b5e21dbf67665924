/* The index of a recording that is being closed, sorted and coded by several threads. */
#include "base/crew.h"
#include "base/memory.h"
#include "trace/blocks.h"
#include "trace/compact.h"
#include "trace/writer.h"

#include <stdlib.h>
#include <string.h>

/* Fewer entries are sorted sooner than threads are made. */
#define ENTRIES_ALONE 65536
#define WARP_BLOCKS   1024 /* that are coded before any is written */

struct span {
    const struct trace_file_run *runs;
    uint64_t count;
};

struct putting {
    struct trace_writer *writer;
    struct crew *crew; /* NULL: alone */
    struct trace_index_merge merge;
    struct trace_spool first_runs; /* uint64_t: of each warp */
    uint64_t *new_first_runs;      /* of the warps that begin in this round, */
    uint64_t first_warp;           /* from this one on */
    struct text payload[CREW_MOST];
    struct text *blocks; /* in the file's order */
    size_t block_room;
    /* Ranges that are sorted at the same time. */
    struct trace_index_range *ranges;
    uint64_t round, round_ranges, ranges_at_once;
    /* Runs of this round: what the last one left, and those of the ranges. */
    struct trace_file_run carry[TRACE_FILE_BLOCK_RUNS];
    uint64_t carried;
    struct span *spans;
    uint64_t run_total;
    /* Block numbers and elements of what is being coded. */
    uint64_t first_block, first_element;
};

static void run_all(struct putting *putting, uint64_t pieces,
                    void (*work)(void *context, uint64_t piece, unsigned member)) {
    if (putting->crew)
        crew_run(putting->crew, pieces, work, putting);
    for (uint64_t piece = 0; !putting->crew && piece < pieces; piece++)
        work(putting, piece, 0);
}

static void reserve_blocks(struct putting *putting, size_t count) {
    if (count <= putting->block_room)
        return;
    putting->blocks = memory_grow(putting->blocks, count, sizeof(putting->blocks[0]));
    for (; putting->block_room < count; putting->block_room++)
        text_init(&putting->blocks[putting->block_room]);
}

/* ---- runs ---- */

static void sort_range(void *context, uint64_t piece, unsigned member) {
    struct putting *putting = context;
    (void)member;
    trace_index_range_sort(&putting->ranges[piece], &putting->merge, putting->round + piece);
}

static void number_range(void *context, uint64_t piece, unsigned member) {
    struct putting *putting = context;
    struct trace_index_range *range = &putting->ranges[piece];
    (void)member;
    if (range->begin < range->end)
        trace_index_range_number(range, putting->new_first_runs +
                                            (range->next_warp - putting->first_warp));
}

/* Copies the runs of a block of this round; returns how many. */
static uint32_t take_runs(const struct putting *putting, uint64_t begin,
                          struct trace_file_run runs[TRACE_FILE_BLOCK_RUNS]) {
    uint32_t count = 0;
    for (const struct span *span = putting->spans;
         count < TRACE_FILE_BLOCK_RUNS && span <= putting->spans + putting->round_ranges; span++) {
        if (begin >= span->count) {
            begin -= span->count;
            continue;
        }
        const uint64_t room = TRACE_FILE_BLOCK_RUNS - count, left = span->count - begin;
        const uint32_t taken = (uint32_t)(left < room ? left : room);
        memcpy(runs + count, span->runs + begin, taken * sizeof(runs[0]));
        count += taken;
        begin = 0;
    }
    return count;
}

static void compose(struct putting *putting, uint64_t piece, unsigned member, unsigned kind,
                    uint32_t count) {
    const struct trace_file_block head = {
        .kind = (uint16_t)kind,
        .encoding = TRACE_FILE_COMPACT,
        .number = putting->first_block + piece,
        .first = putting->first_element + piece * TRACE_FILE_BLOCK_RUNS,
        .count = count,
    };
    const struct text *payload = &putting->payload[member];
    text_clear(&putting->blocks[piece]);
    blocks_compose(&putting->blocks[piece], head, payload->data, payload->length);
}

static void code_runs(void *context, uint64_t piece, unsigned member) {
    struct putting *putting = context;
    struct trace_file_run runs[TRACE_FILE_BLOCK_RUNS];
    const uint32_t count = take_runs(putting, piece * TRACE_FILE_BLOCK_RUNS, runs);
    text_clear(&putting->payload[member]);
    compact_encode_runs(&putting->payload[member], runs, count);
    compose(putting, piece, member, TRACE_FILE_RUNS, count);
}

/* Sorts and numbers the next ranges. False if there is no room for their warps. */
static bool next_round(struct putting *putting) {
    struct trace_index_merge *merge = &putting->merge;
    const uint64_t left = merge->ranges - putting->round, warps = merge->warps;
    putting->round_ranges = left < putting->ranges_at_once ? left : putting->ranges_at_once;
    run_all(putting, putting->round_ranges, sort_range);
    merge->last = putting->carried ? &putting->carry[putting->carried - 1] : NULL;
    for (uint64_t i = 0; i < putting->round_ranges; i++)
        trace_index_range_join(&putting->ranges[i], merge);
    if (merge->warps >= UINT32_MAX)
        return false;
    putting->new_first_runs = trace_spool_extend(
        &putting->first_runs, putting->writer->index.folder, merge->warps - warps);
    if (!putting->new_first_runs)
        return false;
    putting->first_warp = warps;
    run_all(putting, putting->round_ranges, number_range);
    putting->spans[0] = (struct span){putting->carry, putting->carried};
    putting->run_total = putting->carried;
    for (uint64_t i = 0; i < putting->round_ranges; i++) {
        const struct trace_index_range *range = &putting->ranges[i];
        putting->spans[i + 1] =
            (struct span){range->runs + range->begin, range->end - range->begin};
        putting->run_total += range->end - range->begin;
    }
    putting->round += putting->round_ranges;
    return true;
}

/* Writes whole blocks of the runs of this round; the rest, the last run at least, waits for the
 * next, with which it may go on. The last round writes everything. */
static int put_round(struct putting *putting, struct listing *listing) {
    const bool last = putting->round == putting->merge.ranges;
    const uint64_t total = putting->run_total,
                   blocks = (last ? total + TRACE_FILE_BLOCK_RUNS - 1 : total - 1) /
                            TRACE_FILE_BLOCK_RUNS;
    struct trace_file_run rest[TRACE_FILE_BLOCK_RUNS];
    putting->first_block = listing->blocks;
    putting->first_element = listing->blocks * TRACE_FILE_BLOCK_RUNS;
    reserve_blocks(putting, (size_t)blocks);
    run_all(putting, blocks, code_runs);
    putting->carried = last ? 0 : take_runs(putting, blocks * TRACE_FILE_BLOCK_RUNS, rest);
    memcpy(putting->carry, rest, putting->carried * sizeof(rest[0]));
    return writer_put_blocks(putting->writer, listing, putting->blocks, blocks);
}

/* ---- warps ---- */

static void code_warps(void *context, uint64_t piece, unsigned member) {
    struct putting *putting = context;
    const uint64_t *all = putting->first_runs.data,
                   at = putting->first_element + piece * TRACE_FILE_BLOCK_RUNS,
                   left = putting->first_runs.count - at;
    const uint32_t count = left < TRACE_FILE_BLOCK_RUNS ? (uint32_t)left : TRACE_FILE_BLOCK_RUNS;
    text_clear(&putting->payload[member]);
    compact_encode_numbers(&putting->payload[member], all + at, count);
    compose(putting, piece, member, TRACE_FILE_WARPS, count);
}

static int put_warps(struct putting *putting, struct listing *listing) {
    const uint64_t all = putting->first_runs.count;
    int failed = 0;
    for (uint64_t at = 0; !failed && at < all; at += WARP_BLOCKS * TRACE_FILE_BLOCK_RUNS) {
        const uint64_t blocks = (all - at + TRACE_FILE_BLOCK_RUNS - 1) / TRACE_FILE_BLOCK_RUNS,
                       now = blocks < WARP_BLOCKS ? blocks : WARP_BLOCKS;
        putting->first_block = listing->blocks;
        putting->first_element = at;
        reserve_blocks(putting, (size_t)now);
        run_all(putting, now, code_warps);
        failed = writer_put_blocks(putting->writer, listing, putting->blocks, now);
    }
    return failed ? failed : writer_put_group(putting->writer, listing);
}

/* ---- both ---- */

static void putting_init(struct putting *putting, struct trace_writer *writer, struct crew *crew) {
    *putting = (struct putting){.writer = writer, .crew = crew};
    putting->ranges_at_once = crew ? 2 * crew_members(crew) : 1;
    putting->ranges = memory_zeroed(putting->ranges_at_once, sizeof(putting->ranges[0]));
    putting->spans = memory_zeroed(putting->ranges_at_once + 1, sizeof(putting->spans[0]));
    trace_spool_init(&putting->first_runs, sizeof(uint64_t));
    for (unsigned i = 0; i < CREW_MOST; i++)
        text_init(&putting->payload[i]);
}

static void putting_release(struct putting *putting) {
    for (uint64_t i = 0; i < putting->ranges_at_once; i++)
        trace_index_range_release(&putting->ranges[i]);
    for (size_t i = 0; i < putting->block_room; i++)
        text_release(&putting->blocks[i]);
    for (unsigned i = 0; i < CREW_MOST; i++)
        text_release(&putting->payload[i]);
    trace_index_merge_release(&putting->merge);
    trace_spool_release(&putting->first_runs);
    free(putting->ranges);
    free(putting->spans);
    free(putting->blocks);
}

static bool put_all(struct putting *putting, struct trace_index_builder *const parts[],
                    unsigned count, struct listing *runs, struct listing *warps) {
    if (!trace_index_merge_init(&putting->merge, parts, count))
        return false;
    while (putting->round < putting->merge.ranges)
        if (!next_round(putting) || put_round(putting, runs) != 0)
            return false;
    return writer_put_group(putting->writer, runs) == 0 && put_warps(putting, warps) == 0;
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
    struct crew *crew = entries > ENTRIES_ALONE ? crew_new(writer->threads) : NULL;
    putting_init(&putting, writer, crew);
    if (put_all(&putting, parts, count, runs, warps)) {
        end->run_count = putting.merge.runs;
        end->warp_count = putting.merge.warps;
    } else {
        writer->end = before;
        text_clear(&runs->groups);
        text_clear(&warps->groups);
    }
    putting_release(&putting);
    crew_release(crew);
}
