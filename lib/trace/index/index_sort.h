/*
 * index_sort.h - runs on their way into an index: packed into as few bits as they need, and sorted.
 */
#ifndef SHFLVIZ_TRACE_INDEX_SORT_H
#define SHFLVIZ_TRACE_INDEX_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_INDEX_ENTRY_STEPS 256 /* of an entry, at most */

/* A run as it is kept until all are sorted: it has at most 256 steps; longer ones become several.
 * Compared field by field, first to last, they are in the order of the index. */
struct trace_index_entry {
    uint64_t high;  /* launch << 32 | block >> 32 */
    uint64_t low;   /* block << 32 | warp */
    uint64_t steps; /* first << 8 | count - 1 */
};

static inline uint32_t trace_index_entry_launch(const struct trace_index_entry *entry) {
    return (uint32_t)(entry->high >> 32);
}

static inline uint64_t trace_index_entry_block(const struct trace_index_entry *entry) {
    return entry->high << 32 | entry->low >> 32;
}

static inline uint32_t trace_index_entry_warp(const struct trace_index_entry *entry) {
    return (uint32_t)entry->low;
}

static inline bool trace_index_entry_before(const struct trace_index_entry *a,
                                            const struct trace_index_entry *b) {
    if (a->high != b->high)
        return a->high < b->high;
    return a->low != b->low ? a->low < b->low : a->steps < b->steps;
}

/* How entries become words in the same order: the differences from the least launch, block, warp
 * and step, each in its number of bits, and 8 bits for the number of steps. */
struct trace_index_packing {
    uint64_t launch, block, warp, step;
    unsigned block_bits, warp_bits, step_bits;
    unsigned bits; /* bits of a word, including those of the launch; above 64 if they do not fit */
};

/* For at least one entry. */
struct trace_index_packing trace_index_packing_choose(const struct trace_index_entry *entries,
                                                      size_t count);

static inline bool trace_index_packing_fits(const struct trace_index_packing *packing) {
    return packing->bits <= 64;
}

/* The entry that a word of a fitting packing represents. */
struct trace_index_entry trace_index_unpack(const struct trace_index_packing *packing,
                                            uint64_t word);

/* Buffers for sorting. */
struct trace_index_sorter {
    uint64_t *words, *other;
    size_t room;
};

void trace_index_sorter_release(struct trace_index_sorter *sorter);

/* Packs entries and sorts them into sorter->words; faster if their steps ascend. No two may begin
 * with the same step. */
void trace_index_sort_packed(struct trace_index_sorter *sorter,
                             const struct trace_index_packing *packing,
                             const struct trace_index_entry *entries, size_t count,
                             bool steps_ascend);

/* Sorts fewer than 2^32 entries. */
void trace_index_sort(struct trace_index_sorter *sorter, struct trace_index_entry *entries,
                      size_t count);

#endif
