/*
 * Runs are packed into one word where the ranges of their fields allow that, and sorted by digits:
 * several times as fast as comparing structures.
 */
#include "trace/index/index_sort.h"

#include "base/memory.h"

#include <stdlib.h>

static int compare_entries(const void *left, const void *right) {
    return trace_index_entry_before(left, right) ? -1 : trace_index_entry_before(right, left);
}

void trace_index_sorter_release(struct trace_index_sorter *sorter) {
    free(sorter->words);
    free(sorter->other);
    *sorter = (struct trace_index_sorter){0};
}

static void sorter_reserve(struct trace_index_sorter *sorter, size_t count) {
    if (count <= sorter->room)
        return;
    sorter->room = count;
    sorter->words = memory_grow(sorter->words, count, sizeof(sorter->words[0]));
    sorter->other = memory_grow(sorter->other, count, sizeof(sorter->other[0]));
}

static bool is_sorted(const struct trace_index_entry *entries, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (trace_index_entry_before(&entries[i], &entries[i - 1]))
            return false;
    return true;
}

/* The range of a field's values, and the number of bits that distinguish them. */
struct span {
    uint64_t least, most;
    unsigned bits;
};

static void widen(struct span *span, uint64_t value) {
    span->least = value < span->least ? value : span->least;
    span->most = value > span->most ? value : span->most;
}

static void end_span(struct span *span) {
    const uint64_t width = span->most - span->least;
    span->bits = width ? 64 - (unsigned)__builtin_clzll(width) : 0;
}

#define COUNT_BITS 8

struct trace_index_packing trace_index_packing_choose(const struct trace_index_entry *entries,
                                                      size_t count) {
    struct span launch = {UINT64_MAX, 0, 0}, block = launch, warp = launch, steps = launch;
    for (size_t i = 0; i < count; i++) {
        widen(&launch, trace_index_entry_launch(&entries[i]));
        widen(&block, trace_index_entry_block(&entries[i]));
        widen(&warp, trace_index_entry_warp(&entries[i]));
        widen(&steps, entries[i].steps >> COUNT_BITS);
    }
    end_span(&launch);
    end_span(&block);
    end_span(&warp);
    end_span(&steps);
    return (struct trace_index_packing){.launch = launch.least,
                                        .block = block.least,
                                        .warp = warp.least,
                                        .step = steps.least,
                                        .block_bits = block.bits,
                                        .warp_bits = warp.bits,
                                        .step_bits = steps.bits,
                                        .bits = launch.bits + block.bits + warp.bits + steps.bits +
                                                COUNT_BITS};
}

static uint64_t pack(const struct trace_index_packing *packing,
                     const struct trace_index_entry *entry) {
    uint64_t word = trace_index_entry_launch(entry) - packing->launch;
    word = word << packing->block_bits | (trace_index_entry_block(entry) - packing->block);
    word = word << packing->warp_bits | (trace_index_entry_warp(entry) - packing->warp);
    word = word << packing->step_bits | ((entry->steps >> COUNT_BITS) - packing->step);
    return word << COUNT_BITS | (entry->steps & (TRACE_INDEX_ENTRY_STEPS - 1));
}

static uint64_t low_bits(uint64_t word, unsigned bits) {
    return word & ((UINT64_C(1) << bits) - 1);
}

struct trace_index_entry trace_index_unpack(const struct trace_index_packing *packing,
                                            uint64_t word) {
    const uint64_t count = low_bits(word, COUNT_BITS);
    word >>= COUNT_BITS;
    const uint64_t step = packing->step + low_bits(word, packing->step_bits);
    word >>= packing->step_bits;
    const uint64_t warp = packing->warp + low_bits(word, packing->warp_bits);
    word >>= packing->warp_bits;
    const uint64_t block = packing->block + low_bits(word, packing->block_bits);
    const uint64_t launch = packing->launch + (word >> packing->block_bits);
    return (struct trace_index_entry){launch << 32 | block >> 32, block << 32 | warp,
                                      step << COUNT_BITS | count};
}

#define DIGIT_BITS 11

/* Sorts by some bits; equal entries keep their order. */
static void sort_by_digit(const uint64_t *from, uint64_t *to, size_t count, unsigned shift,
                          unsigned bits) {
    uint32_t next[1u << DIGIT_BITS] = {0}, before = 0;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (size_t i = 0; i < count; i++)
        next[from[i] >> shift & mask]++;
    for (size_t digit = 0; digit <= mask; digit++) {
        uint32_t here = next[digit];
        next[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++)
        to[next[from[i] >> shift & mask]++] = from[i];
}

/* Sorts sorter->words by the bits from `from` to `end`: the lower bits are in order already, or
 * equal. */
static void sort_words(struct trace_index_sorter *sorter, size_t count, unsigned from,
                       unsigned end) {
    const unsigned passes = (end - from + DIGIT_BITS - 1) / DIGIT_BITS;
    for (unsigned pass = 0; pass < passes; pass++) {
        const unsigned digit = (end - from + passes - pass - 1) / (passes - pass);
        sort_by_digit(sorter->words, sorter->other, count, from, digit);
        uint64_t *sorted = sorter->other;
        sorter->other = sorter->words;
        sorter->words = sorted;
        from += digit;
    }
}

void trace_index_sort_packed(struct trace_index_sorter *sorter,
                             const struct trace_index_packing *packing,
                             const struct trace_index_entry *entries, size_t count,
                             bool steps_ascend) {
    const bool sorted = is_sorted(entries, count);
    sorter_reserve(sorter, count);
    for (size_t i = 0; i < count; i++)
        sorter->words[i] = pack(packing, &entries[i]);
    if (!sorted) /* no two entries begin with the same step */
        sort_words(sorter, count, COUNT_BITS + (steps_ascend ? packing->step_bits : 0),
                   packing->bits);
}

void trace_index_sort(struct trace_index_sorter *sorter, struct trace_index_entry *entries,
                      size_t count) {
    if (is_sorted(entries, count))
        return;
    const struct trace_index_packing packing = trace_index_packing_choose(entries, count);
    if (!trace_index_packing_fits(&packing)) {
        qsort(entries, count, sizeof(entries[0]), compare_entries);
        return;
    }
    trace_index_sort_packed(sorter, &packing, entries, count, false);
    for (size_t i = 0; i < count; i++)
        entries[i] = trace_index_unpack(&packing, sorter->words[i]);
}
