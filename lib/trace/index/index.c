/*
 * Searches in the finished index. A first guess from the position usually hits, because launches
 * and blocks tend to have the same number of runs; only a miss needs the binary search.
 */
#include "trace/index/index.h"

#include "base/memory.h"
#include "trace/compact/compact.h"

#include <stdlib.h>
#include <string.h>

/* ---- queries ---- */

static int compare_u64(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* The order of runs: launch, block, warp, first. */
static int run_compare(const struct trace_file_run *a, const struct trace_file_run *b) {
    if (a->launch != b->launch)
        return compare_u64(a->launch, b->launch);
    if (a->block != b->block)
        return compare_u64(a->block, b->block);
    if (a->warp != b->warp)
        return compare_u64(a->warp, b->warp);
    return compare_u64(a->first, b->first);
}

static bool run_same_warp(const struct trace_file_run *a, const struct trace_file_run *b) {
    return a->launch == b->launch && a->block == b->block && a->warp == b->warp;
}

void trace_index_file_release(struct trace_index_file *file) {
    for (int i = 0; i < TRACE_INDEX_SLOTS; i++) {
        free(file->run_slots[i].runs);
        free(file->warp_slots[i].warps);
    }
    blocks_release(&file->runs);
    blocks_release(&file->warps);
    *file = (struct trace_index_file){0};
}

/* The decoded block that holds run `number`, or NULL. */
static const struct trace_file_run *decoded_runs(const struct trace_index *index, uint64_t number) {
    struct trace_index_file *file = index->file;
    uint64_t block = number / TRACE_FILE_BLOCK_RUNS,
             left = index->run_count - block * TRACE_FILE_BLOCK_RUNS;
    uint32_t count = left < TRACE_FILE_BLOCK_RUNS ? (uint32_t)left : TRACE_FILE_BLOCK_RUNS;
    unsigned slot = block % TRACE_INDEX_SLOTS;
    struct trace_file_run *runs = file->run_slots[slot].runs;
    struct blocks_found found;
    if (runs && file->run_slots[slot].block == block)
        return runs;
    if (!runs)
        runs = memory_zeroed(TRACE_FILE_BLOCK_RUNS, sizeof(*runs));
    file->run_slots[slot].runs = runs;
    file->run_slots[slot].block = block;
    if (blocks_find(&file->runs, block, &found) && found.head.count == count &&
        found.head.encoding == TRACE_FILE_COMPACT &&
        compact_decode_runs(found.payload, found.head.bytes, runs, count))
        return runs;
    file->run_slots[slot].block = UINT64_MAX;
    file->damaged = true;
    return NULL;
}

bool trace_index_get(const struct trace_index *index, uint64_t number, struct trace_file_run *run) {
    const struct trace_file_run *runs = index->runs;
    if (index->file) {
        runs = decoded_runs(index, number);
        number %= TRACE_FILE_BLOCK_RUNS;
    }
    if (!runs)
        return false;
    *run = runs[number];
    return true;
}

static bool get_warp(const struct trace_index *index, uint64_t number, uint64_t *first) {
    struct trace_index_file *file = index->file;
    uint64_t block = number / TRACE_FILE_BLOCK_RUNS,
             left = index->warp_count - block * TRACE_FILE_BLOCK_RUNS;
    uint32_t count = left < TRACE_FILE_BLOCK_RUNS ? (uint32_t)left : TRACE_FILE_BLOCK_RUNS;
    unsigned slot = block % TRACE_INDEX_SLOTS;
    struct blocks_found found;
    if (!file) {
        *first = index->warps[number];
        return true;
    }
    uint64_t *warps = file->warp_slots[slot].warps;
    if (!warps)
        warps = file->warp_slots[slot].warps = memory_zeroed(TRACE_FILE_BLOCK_RUNS, sizeof(*warps));
    else if (file->warp_slots[slot].block == block)
        return *first = warps[number % TRACE_FILE_BLOCK_RUNS], true;
    file->warp_slots[slot].block = block;
    if (!blocks_find(&file->warps, block, &found) || found.head.count != count ||
        found.head.encoding != TRACE_FILE_COMPACT ||
        !compact_decode_numbers(found.payload, found.head.bytes, warps, count)) {
        file->warp_slots[slot].block = UINT64_MAX;
        file->damaged = true;
        return false;
    }
    *first = warps[number % TRACE_FILE_BLOCK_RUNS];
    return true;
}

/* Compares the run with the wanted one; a run that cannot be read is greater than any other. */
static int compare_at(const struct trace_index *index, uint64_t number,
                      const struct trace_file_run *wanted) {
    struct trace_file_run run;
    return trace_index_get(index, number, &run) ? run_compare(&run, wanted) : 1;
}

/* The position the run would have if all launches, or all blocks of the only launch, had the
 * same number of runs, as they usually do. */
static uint64_t guess_run(const struct trace_index *index, const struct trace_file_run *wanted) {
    struct trace_file_run first, last;
    if (!trace_index_get(index, 0, &first) || !trace_index_get(index, index->run_count - 1, &last))
        return 0;
    bool by_block = first.launch == last.launch;
    uint64_t from = by_block ? first.block : first.launch;
    uint64_t to = by_block ? last.block : last.launch;
    uint64_t at = by_block ? wanted->block : wanted->launch;
    if (at <= from || from >= to)
        return 0;
    if (at > to)
        return index->run_count - 1;
    double part = (double)(at - from) / ((double)(to - from) + 1);
    uint64_t guess = (uint64_t)(part * (double)index->run_count);
    return guess < index->run_count ? guess : index->run_count - 1;
}

/* Finds a range that contains the boundary between the runs that are <= wanted (all below *low) and
 * the greater ones (all from *high on). Searches at growing distances from a guess, so that a file
 * that is not in memory is read in one or two places; halving would read it in a dozen. */
static void bracket_run(const struct trace_index *index, const struct trace_file_run *wanted,
                        uint64_t *low, uint64_t *high) {
    uint64_t at = guess_run(index, wanted), step = 1;
    *low = 0;
    *high = index->run_count;
    if (compare_at(index, at, wanted) <= 0) {
        *low = at + 1;
        for (; step < *high - at && compare_at(index, at + step, wanted) <= 0; step *= 2)
            *low = at + step + 1;
        if (step < *high - at)
            *high = at + step;
    } else {
        *high = at;
        for (; step <= at && compare_at(index, at - step, wanted) > 0; step *= 2)
            *high = at - step;
        if (step <= at)
            *low = at - step + 1;
    }
}

uint64_t trace_index_run(const struct trace_index *index, uint32_t launch, uint64_t block,
                         uint32_t warp, uint64_t step) {
    const struct trace_file_run wanted = {
        .first = step, .block = block, .launch = launch, .warp = warp};
    struct trace_file_run run;
    uint64_t low, high; /* runs below low are <= wanted */
    if (index->run_count == 0)
        return UINT64_MAX;
    bracket_run(index, &wanted, &low, &high);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (compare_at(index, middle, &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || !trace_index_get(index, low - 1, &run))
        return UINT64_MAX;
    if (!run_same_warp(&run, &wanted) || step - run.first >= run.count)
        return UINT64_MAX;
    return low - 1;
}

bool trace_index_runs(const struct trace_index *index, uint64_t warp, uint64_t *first,
                      uint64_t *end) {
    *end = index->run_count;
    return get_warp(index, warp, first) &&
           (warp + 1 == index->warp_count || get_warp(index, warp + 1, end)) && *first < *end &&
           *end <= index->run_count;
}

uint64_t trace_index_step(const struct trace_index *index, uint64_t warp, uint64_t position) {
    struct trace_file_run run;
    uint64_t low, high, step;
    if (!trace_index_runs(index, warp, &low, &high))
        return UINT64_MAX;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (!trace_index_get(index, middle, &run))
            return UINT64_MAX;
        if (run.position <= position)
            low = middle;
        else
            high = middle;
    }
    if (!trace_index_get(index, low, &run) || position < run.position ||
        position - run.position >= run.count)
        return UINT64_MAX;
    return __builtin_add_overflow(run.first, position - run.position, &step) ? UINT64_MAX : step;
}
