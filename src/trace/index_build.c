#include "trace/index.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Entries that are sorted together: as many as a processor's own cache holds, sorting included. */
#define CHUNK UINT32_C(32768)
#define RANGE UINT64_C(16384)
/* One of so many entries is looked at to divide all of them into ranges. */
#define SAMPLE UINT64_C(512)

#define ENTRY_STEPS 256 /* of an entry, at most */

static uint32_t entry_launch(const struct trace_index_entry *entry) {
    return (uint32_t)(entry->high >> 32);
}

static uint64_t entry_block(const struct trace_index_entry *entry) {
    return entry->high << 32 | entry->low >> 32;
}

static uint32_t entry_warp(const struct trace_index_entry *entry) {
    return (uint32_t)entry->low;
}

static bool entry_before(const struct trace_index_entry *a, const struct trace_index_entry *b) {
    if (a->high != b->high)
        return a->high < b->high;
    return a->low != b->low ? a->low < b->low : a->steps < b->steps;
}

static int compare_entries(const void *left, const void *right) {
    return entry_before(left, right) ? -1 : entry_before(right, left);
}

/* ---- spools ---- */

#define SPOOL_IN_MEMORY UINT64_C(65536) /* elements */

void trace_spool_init(struct trace_spool *spool, size_t element) {
    *spool = (struct trace_spool){.element = element, .descriptor = -1};
}

void trace_spool_release(struct trace_spool *spool) {
    if (spool->descriptor >= 0) {
        file_unmap(&spool->map);
        close(spool->descriptor);
    } else {
        free(spool->data);
    }
    trace_spool_init(spool, spool->element);
}

/* Moves the spool to the file, its own or another, and makes it `capacity` elements long. On
 * failure a file that is not its own is closed. */
static bool spool_use_file(struct trace_spool *spool, int descriptor, uint64_t capacity) {
    struct file_map map = FILE_MAP_INIT;
    bool own = descriptor == spool->descriptor;
    uint64_t bytes;
    if (descriptor < 0)
        return false;
    if (__builtin_mul_overflow(capacity, spool->element, &bytes) ||
        file_allocate(descriptor, 0, bytes) != 0 ||
        file_map(&map, descriptor, 0, bytes, FILE_MAP_WRITE) != 0) {
        if (!own)
            close(descriptor);
        return false;
    }
    if (!own && spool->data && spool->count > 0)
        memcpy(map.data, spool->data, (size_t)spool->count * spool->element);
    if (spool->descriptor < 0)
        free(spool->data);
    else if (!own)
        close(spool->descriptor);
    file_unmap(&spool->map);
    spool->map = map;
    spool->data = map.data;
    spool->descriptor = descriptor;
    spool->capacity = capacity;
    return true;
}

/* A file where there is room: as before, beside the recording, among temporary files, in memory. */
static bool spool_grow_file(struct trace_spool *spool, const char *folder, uint64_t capacity) {
    return (spool->descriptor >= 0 && spool_use_file(spool, spool->descriptor, capacity)) ||
           (folder && spool_use_file(spool, file_on_disk(folder), capacity)) ||
           spool_use_file(spool, file_on_disk(NULL), capacity) ||
           spool_use_file(spool, file_in_memory(), capacity);
}

/* Room for `capacity` elements, keeping those that are there. */
static bool spool_reserve(struct trace_spool *spool, const char *folder, uint64_t capacity) {
    if (capacity <= spool->capacity)
        return true;
    if (capacity > SPOOL_IN_MEMORY)
        return spool_grow_file(spool, folder, capacity);
    spool->data = memory_grow(spool->data, (size_t)capacity, spool->element);
    spool->capacity = capacity;
    return true;
}

/* Room for `count` more elements; NULL if there is none. */
void *trace_spool_extend(struct trace_spool *spool, const char *folder, uint64_t count) {
    const uint64_t needed = spool->count + count, twice = spool->capacity * 2;
    if (needed > spool->capacity && !spool_reserve(spool, folder, needed > twice ? needed : twice))
        return NULL;
    spool->count = needed;
    return (unsigned char *)spool->data + (needed - count) * spool->element;
}

/* ---- piles ---- */

#define PILE_IN_MEMORY (4 * (uint64_t)CHUNK) /* entries */

static void pile_release(struct trace_pile *pile) {
    if (pile->descriptor >= 0) {
        file_unmap(&pile->map);
        close(pile->descriptor);
    } else {
        free(pile->data);
    }
    *pile = (struct trace_pile){.descriptor = -1};
}

/* A file in the next place that may have room: beside the recording, among temporary files, in
 * memory; -1 if it has none, -2 if there are no more. */
static int next_place(struct trace_pile *pile, const char *folder) {
    switch (pile->place++) {
    case 0:
        return folder ? file_on_disk(folder) : -1;
    case 1:
        return file_on_disk(NULL);
    case 2:
        return file_in_memory();
    default:
        return -2;
    }
}

/* Moves what is there to a file in the next place that has room for it and `more` entries. */
static bool move_pile(struct trace_pile *pile, const char *folder,
                      const struct trace_index_entry *more, uint64_t count) {
    const size_t each = sizeof(*more);
    struct file_map map = FILE_MAP_INIT;
    const void *old = pile->data;
    if (pile->descriptor >= 0) {
        if (file_map(&map, pile->descriptor, 0, pile->count * each, FILE_MAP_READ) != 0)
            return false;
        old = map.data;
    }
    for (int file; (file = next_place(pile, folder)) != -2;) {
        if (file < 0)
            continue;
        if (file_write(file, 0, old, (size_t)pile->count * each) != 0 ||
            file_write(file, pile->count * each, more, (size_t)count * each) != 0) {
            close(file);
            continue;
        }
        file_unmap(&map);
        if (pile->descriptor >= 0)
            close(pile->descriptor);
        else
            free(pile->data);
        pile->data = NULL;
        pile->descriptor = file;
        pile->count += count;
        return true;
    }
    file_unmap(&map);
    return false;
}

static bool pile_put(struct trace_pile *pile, const char *folder,
                     const struct trace_index_entry *entries, uint64_t count) {
    const size_t each = sizeof(*entries);
    if (pile->descriptor < 0 && pile->count + count <= PILE_IN_MEMORY) {
        if (pile->count + count > pile->room) {
            const uint64_t twice = 2 * pile->room;
            pile->room = pile->count + count > twice ? pile->count + count : twice;
            pile->data = memory_grow(pile->data, (size_t)pile->room, each);
        }
        memcpy(pile->data + pile->count, entries, (size_t)count * each);
    } else if (pile->descriptor < 0 || file_write(pile->descriptor, pile->count * each, entries,
                                                  (size_t)count * each) != 0) {
        return move_pile(pile, folder, entries, count);
    }
    pile->count += count;
    return true;
}

/* Points pile->data at all of it. */
static bool pile_read(struct trace_pile *pile) {
    if (pile->descriptor < 0)
        return true;
    if (!pile->map.base && file_map(&pile->map, pile->descriptor, 0,
                                    pile->count * sizeof(*pile->data), FILE_MAP_READ) != 0)
        return false;
    pile->data = (void *)pile->map.data;
    return true;
}

/* ---- sorting few ---- */

struct trace_index_item {
    uint64_t key;
    uint32_t at; /* the entry */
};

static void sorter_release(struct trace_index_sorter *sorter) {
    free(sorter->items);
    free(sorter->other);
    free(sorter->entries);
    *sorter = (struct trace_index_sorter){0};
}

static void sorter_reserve(struct trace_index_sorter *sorter, size_t count) {
    if (count <= sorter->room)
        return;
    sorter->room = count;
    sorter->items = memory_grow(sorter->items, count, sizeof(sorter->items[0]));
    sorter->other = memory_grow(sorter->other, count, sizeof(sorter->other[0]));
    sorter->entries = memory_grow(sorter->entries, count, sizeof(sorter->entries[0]));
}

static bool is_sorted(const struct trace_index_entry *entries, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (entry_before(&entries[i], &entries[i - 1]))
            return false;
    return true;
}

/* The values of a field that occur, and how many bits tell them apart. */
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

/* A key of few bits for each entry, in the same order; returns how many, or more than 64. Without
 * the steps if those are in their order already, which sorting by digits leaves as it is. */
static unsigned make_keys(struct trace_index_item *items, const struct trace_index_entry *entries,
                          size_t count, bool steps_ascend) {
    struct span launch = {UINT64_MAX, 0, 0}, block = launch, warp = launch, steps = launch;
    for (size_t i = 0; i < count; i++) {
        widen(&launch, entry_launch(&entries[i]));
        widen(&block, entry_block(&entries[i]));
        widen(&warp, entry_warp(&entries[i]));
        widen(&steps, steps_ascend ? 0 : entries[i].steps >> 8);
    }
    end_span(&launch);
    end_span(&block);
    end_span(&warp);
    end_span(&steps);
    const unsigned bits = launch.bits + block.bits + warp.bits + steps.bits;
    if (bits > 64 || block.bits == 64 || steps.bits == 64)
        return 65;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = entry_launch(&entries[i]) - launch.least;
        key = key << block.bits | (entry_block(&entries[i]) - block.least);
        key = key << warp.bits | (entry_warp(&entries[i]) - warp.least);
        if (steps.bits)
            key = key << steps.bits | ((entries[i].steps >> 8) - steps.least);
        items[i] = (struct trace_index_item){key, (uint32_t)i};
    }
    return bits;
}

#define DIGIT_BITS 11

/* Sorts by some bits of the keys; what is equal there stays in its order. */
static void sort_by_digit(const struct trace_index_item *from, struct trace_index_item *to,
                          size_t count, unsigned shift, unsigned bits) {
    uint32_t next[1u << DIGIT_BITS] = {0}, before = 0;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (size_t i = 0; i < count; i++)
        next[from[i].key >> shift & mask]++;
    for (size_t digit = 0; digit <= mask; digit++) {
        uint32_t here = next[digit];
        next[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < count; i++)
        to[next[from[i].key >> shift & mask]++] = from[i];
}

/* Below 2^32 entries. */
static void sort_entries(struct trace_index_sorter *sorter, struct trace_index_entry *entries,
                         size_t count, bool steps_ascend) {
    if (is_sorted(entries, count))
        return;
    sorter_reserve(sorter, count);
    const unsigned bits = make_keys(sorter->items, entries, count, steps_ascend);
    if (bits > 64) {
        qsort(entries, count, sizeof(entries[0]), compare_entries);
        return;
    }
    const unsigned passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
    for (unsigned pass = 0, shift = 0; pass < passes; pass++) {
        const unsigned digit = (bits - shift + passes - pass - 1) / (passes - pass);
        sort_by_digit(sorter->items, sorter->other, count, shift, digit);
        struct trace_index_item *sorted = sorter->other;
        sorter->other = sorter->items;
        sorter->items = sorted;
        shift += digit;
    }
    memcpy(sorter->entries, entries, count * sizeof(entries[0]));
    for (size_t i = 0; i < count; i++)
        entries[i] = sorter->entries[sorter->items[i].at];
}

/* ---- building ---- */

void trace_index_builder_init(struct trace_index_builder *builder, const char *folder) {
    *builder = (struct trace_index_builder){.folder = folder ? memory_string(folder) : NULL,
                                            .pile = {.descriptor = -1}};
    trace_spool_init(&builder->runs, sizeof(struct trace_file_run));
    trace_spool_init(&builder->warps, sizeof(uint64_t));
}

/* What is needed until the result is there. */
static void release_work(struct trace_index_builder *builder) {
    if (builder->merge)
        trace_index_merge_release(builder->merge);
    if (builder->range)
        trace_index_range_release(builder->range);
    free(builder->merge);
    free(builder->range);
    free(builder->chunk);
    builder->merge = NULL;
    builder->range = NULL;
    builder->chunk = NULL;
    builder->filled = builder->room = 0;
    free(builder->chunk_ends);
    builder->chunk_ends = NULL;
    builder->chunks = builder->chunk_ends_room = 0;
    pile_release(&builder->pile);
    sorter_release(&builder->sorter);
}

void trace_index_builder_release(struct trace_index_builder *builder) {
    release_work(builder);
    trace_spool_release(&builder->runs);
    trace_spool_release(&builder->warps);
    free(builder->folder);
    builder->folder = NULL;
}

uint64_t trace_index_builder_entries(const struct trace_index_builder *builder) {
    return builder->pile.count + builder->filled;
}

void trace_index_builder_sort(struct trace_index_builder *builder) {
    if (builder->filled == 0)
        return;
    sort_entries(&builder->sorter, builder->chunk, builder->filled, true);
    if (!pile_put(&builder->pile, builder->folder, builder->chunk, builder->filled))
        builder->failed = true;
    builder->filled = 0;
    if (builder->chunks == builder->chunk_ends_room) {
        builder->chunk_ends_room = 2 * builder->chunks + 16;
        builder->chunk_ends = memory_grow(builder->chunk_ends, builder->chunk_ends_room,
                                          sizeof(builder->chunk_ends[0]));
    }
    builder->chunk_ends[builder->chunks++] = builder->pile.count;
}

bool trace_index_builder_takes(const struct trace_index_builder *builder, uint64_t steps) {
    return steps <= CHUNK - builder->filled;
}

static struct trace_index_entry *new_entry(struct trace_index_builder *builder) {
    if (builder->filled == builder->room) {
        if (builder->room == CHUNK) {
            trace_index_builder_sort(builder);
        } else {
            builder->room = builder->room ? 2 * builder->room : 64;
            builder->chunk = memory_grow(builder->chunk, builder->room, sizeof(*builder->chunk));
        }
    }
    return &builder->chunk[builder->filled++];
}

void trace_index_builder_add(struct trace_index_builder *builder, uint64_t step, uint32_t launch,
                             uint64_t block, uint32_t warp) {
    const uint64_t high = (uint64_t)launch << 32 | block >> 32, low = block << 32 | warp;
    struct trace_index_entry *last = builder->filled ? &builder->chunk[builder->filled - 1] : NULL;
    const uint64_t count = last ? (last->steps & (ENTRY_STEPS - 1)) + 1 : 0;
    if (builder->failed)
        return;
    if (last && last->low == low && last->high == high && (last->steps >> 8) + count == step &&
        count < ENTRY_STEPS) {
        last->steps++;
        return;
    }
    if (step >> 56) { /* of a damaged file: there are no such steps */
        builder->failed = true;
        return;
    }
    *new_entry(builder) = (struct trace_index_entry){high, low, step << 8};
}

/* ---- ranges ---- */

static void list_stretches(struct trace_index_merge *merge,
                           struct trace_index_builder *const builders[], unsigned count) {
    size_t most = 1;
    for (unsigned i = 0; i < count; i++)
        most += builders[i]->chunks;
    merge->stretches = memory_alloc(most * sizeof(merge->stretches[0]));
    for (unsigned i = 0; i < count; i++) {
        const struct trace_index_entry *begin = builders[i]->pile.data;
        for (size_t chunk = 0; chunk < builders[i]->chunks; chunk++) {
            const struct trace_index_entry *end =
                builders[i]->pile.data + builders[i]->chunk_ends[chunk];
            merge->stretches[merge->stretch_count++] = (struct trace_index_stretch){begin, end};
            begin = end;
        }
    }
}

static void choose_cuts(struct trace_index_merge *merge, uint64_t entries) {
    size_t count = 0;
    struct trace_index_entry *samples =
        memory_alloc((size_t)(entries / SAMPLE + 1) * sizeof(*samples));
    struct trace_index_sorter sorter = {0};
    for (size_t i = 0; i < merge->stretch_count; i++)
        for (const struct trace_index_entry *at = merge->stretches[i].begin + SAMPLE - 1;
             at < merge->stretches[i].end; at += SAMPLE)
            samples[count++] = *at;
    sort_entries(&sorter, samples, count, false);
    sorter_release(&sorter);
    merge->cuts = samples;
    merge->ranges = 1;
    for (size_t at = RANGE / SAMPLE; at < count; at += RANGE / SAMPLE)
        samples[merge->ranges++ - 1] = samples[at];
}

bool trace_index_merge_init(struct trace_index_merge *merge,
                            struct trace_index_builder *const builders[], unsigned count) {
    uint64_t entries = 0;
    *merge = (struct trace_index_merge){0};
    for (unsigned i = 0; i < count; i++) {
        trace_index_builder_sort(builders[i]);
        if (builders[i]->failed || !pile_read(&builders[i]->pile))
            return false;
        entries += builders[i]->pile.count;
    }
    if (entries == 0)
        return true;
    list_stretches(merge, builders, count);
    choose_cuts(merge, entries);
    return true;
}

void trace_index_merge_release(struct trace_index_merge *merge) {
    free(merge->stretches);
    free(merge->cuts);
    *merge = (struct trace_index_merge){0};
}

/* The first entry of the stretch that is not before the cut. */
static const struct trace_index_entry *find_cut(const struct trace_index_stretch *stretch,
                                                const struct trace_index_entry *cut) {
    const struct trace_index_entry *low = stretch->begin, *high = stretch->end;
    while (low < high) {
        const struct trace_index_entry *middle = low + (high - low) / 2;
        if (entry_before(middle, cut))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void range_reserve(struct trace_index_range *range, size_t count) {
    if (count <= range->room)
        return;
    range->room = count > 2 * range->room ? count : 2 * range->room;
    range->runs = memory_grow(range->runs, range->room, sizeof(range->runs[0]));
    range->entries = memory_grow(range->entries, range->room, sizeof(range->entries[0]));
}

/* Copies the entries of all stretches that are in the range; returns how many. */
static size_t take_entries(struct trace_index_range *range, const struct trace_index_merge *merge,
                           uint64_t number) {
    const struct trace_index_entry *from = number > 0 ? &merge->cuts[number - 1] : NULL,
                                   *to = number + 1 < merge->ranges ? &merge->cuts[number] : NULL;
    size_t count = 0;
    for (size_t i = 0; i < merge->stretch_count; i++) {
        const struct trace_index_stretch *stretch = &merge->stretches[i];
        if ((to && !entry_before(stretch->begin, to)) ||
            (from && entry_before(stretch->end - 1, from)))
            continue;
        const struct trace_index_entry *begin = from ? find_cut(stretch, from) : stretch->begin,
                                       *end = to ? find_cut(stretch, to) : stretch->end;
        if (begin == end)
            continue;
        range_reserve(range, count + (size_t)(end - begin));
        memcpy(range->entries + count, begin, (size_t)(end - begin) * sizeof(*begin));
        count += (size_t)(end - begin);
    }
    return count;
}

static bool same_warp(const struct trace_file_run *a, const struct trace_file_run *b) {
    return a->launch == b->launch && a->block == b->block && a->warp == b->warp;
}

/* Whether b goes on where a ends, and there is room in a for it. */
static bool goes_on(const struct trace_file_run *a, const struct trace_file_run *b) {
    return same_warp(a, b) && a->first + a->count == b->first && a->count <= UINT32_MAX - b->count;
}

void trace_index_range_sort(struct trace_index_range *range, const struct trace_index_merge *merge,
                            uint64_t number) {
    const size_t count = take_entries(range, merge, number);
    sort_entries(&range->sorter, range->entries, count, false);
    range->begin = range->end = 0;
    range->warps = range->last_steps = 0;
    for (const struct trace_index_entry *entry = range->entries; entry < range->entries + count;
         entry++) {
        const struct trace_file_run run = {.first = entry->steps >> 8,
                                           .block = entry_block(entry),
                                           .launch = entry_launch(entry),
                                           .warp = entry_warp(entry),
                                           .count =
                                               (uint32_t)(entry->steps & (ENTRY_STEPS - 1)) + 1};
        struct trace_file_run *last = range->end > 0 ? &range->runs[range->end - 1] : NULL;
        if (!last || !same_warp(last, &run)) {
            range->warps++;
            range->last_steps = 0;
        }
        range->last_steps += run.count;
        if (last && goes_on(last, &run))
            last->count += run.count;
        else
            range->runs[range->end++] = run;
    }
}

void trace_index_range_join(struct trace_index_range *range, struct trace_index_merge *merge) {
    struct trace_file_run *first = range->runs, *last = merge->last;
    if (range->end == 0)
        return;
    const bool same = last && same_warp(last, first);
    if (same && goes_on(last, first)) {
        last->count += first->count;
        merge->position += first->count;
        range->last_steps -= range->warps == 1 ? first->count : 0;
        range->begin = 1;
        if (range->end == 1) {
            range->warps = 0;
            return;
        }
    }
    range->goes_on = same && same_warp(first, &range->runs[range->begin]);
    range->warps -= same; /* those that begin here */
    range->first_run = merge->runs;
    range->next_warp = merge->warps;
    range->position = range->goes_on ? merge->position : 0;
    if (range->warps > 0)
        merge->position = 0;
    merge->position += range->last_steps;
    merge->warps += range->warps;
    merge->runs += range->end - range->begin;
    merge->last = &range->runs[range->end - 1];
}

void trace_index_range_number(struct trace_index_range *range, uint64_t *first_runs) {
    uint64_t number = range->next_warp, position = range->position;
    for (size_t i = range->begin; i < range->end; i++) {
        struct trace_file_run *run = &range->runs[i];
        const bool same = i == range->begin ? range->goes_on : same_warp(run - 1, run);
        if (!same) {
            *first_runs++ = range->first_run + (i - range->begin);
            number++;
            position = 0;
        }
        run->number = (uint32_t)(number - 1);
        run->position = position;
        position += run->count;
    }
}

void trace_index_range_release(struct trace_index_range *range) {
    free(range->runs);
    free(range->entries);
    sorter_release(&range->sorter);
    *range = (struct trace_index_range){0};
}

/* ---- in one thread ---- */

/* Appends the next range to the result. */
static bool append_range(struct trace_index_builder *builder) {
    struct trace_index_merge *merge = builder->merge;
    struct trace_index_range *range = builder->range;
    struct trace_file_run *runs = builder->runs.data;
    trace_index_range_sort(range, merge, range->next);
    merge->last = builder->runs.count ? &runs[builder->runs.count - 1] : NULL;
    trace_index_range_join(range, merge);
    const size_t count = range->end - range->begin;
    if (count == 0)
        return true;
    if (merge->warps >= UINT32_MAX)
        return false;
    uint64_t *firsts = trace_spool_extend(&builder->warps, builder->folder, range->warps);
    struct trace_file_run *to = trace_spool_extend(&builder->runs, builder->folder, count);
    if (!firsts || !to)
        return false;
    trace_index_range_number(range, firsts);
    memcpy(to, range->runs + range->begin, count * sizeof(*to));
    return true;
}

bool trace_index_builder_work(struct trace_index_builder *builder) {
    if (!builder->merge) {
        builder->merge = memory_zeroed(1, sizeof(*builder->merge));
        builder->range = memory_zeroed(1, sizeof(*builder->range));
        builder->failed |= !trace_index_merge_init(builder->merge, &builder, 1);
    } else if (builder->range->next < builder->merge->ranges) {
        builder->failed |= !append_range(builder);
        builder->range->next++;
    }
    return !builder->failed && builder->range->next < builder->merge->ranges;
}

bool trace_index_builder_finish(struct trace_index_builder *builder, struct trace_index *index) {
    *index = (struct trace_index){0};
    while (trace_index_builder_work(builder))
        ;
    if (builder->failed)
        return false;
    release_work(builder);
    file_map_advise(&builder->runs.map, FILE_MAP_FORGET);
    file_map_advise(&builder->warps.map, FILE_MAP_FORGET);
    *index = (struct trace_index){builder->runs.data, builder->runs.count, builder->warps.data,
                                  builder->warps.count, NULL};
    return true;
}
