/*
 * An external merge sort: entries are collected in chunks, sorted, moved to a file and merged,
 * because the index of a large recording may not fit into memory. The merge is cut into ranges that
 * do not depend on each other.
 */
#include "trace/index/index.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of entries sorted together: as many as fit in a processor's own cache, including the
 * space to sort them. */
#define CHUNK UINT32_C(32768)
#define RANGE UINT64_C(16384)
/* One in this many entries is sampled to divide all of them into ranges. */
#define SAMPLE UINT64_C(512)

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

/* Finds a file with room: the one in use, else one beside the recording, else among temporary
 * files, else in memory. */
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

#define PILE_IN_MEMORY (8 * (uint64_t)CHUNK) /* words */

static void pile_release(struct trace_pile *pile) {
    if (pile->descriptor >= 0) {
        file_unmap(&pile->map);
        close(pile->descriptor);
    } else {
        free(pile->data);
    }
    *pile = (struct trace_pile){.descriptor = -1};
}

/* Opens a file in the next place that may have room: beside the recording, among temporary files,
 * in memory. -1 if it has none, -2 if there are no more places. */
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

/* Moves the content to a file in the next place that has room for it and `more` words. */
static bool move_pile(struct trace_pile *pile, const char *folder, const uint64_t *more,
                      uint64_t count) {
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

static bool pile_put(struct trace_pile *pile, const char *folder, const uint64_t *words,
                     uint64_t count) {
    const size_t each = sizeof(*words);
    if (pile->descriptor < 0 && pile->count + count <= PILE_IN_MEMORY) {
        if (pile->count + count > pile->room) {
            const uint64_t twice = 2 * pile->room;
            pile->room = pile->count + count > twice ? pile->count + count : twice;
            pile->data = memory_grow(pile->data, (size_t)pile->room, each);
        }
        memcpy(pile->data + pile->count, words, (size_t)count * each);
    } else if (pile->descriptor < 0 ||
               file_write(pile->descriptor, pile->count * each, words, (size_t)count * each) != 0) {
        return move_pile(pile, folder, words, count);
    }
    pile->count += count;
    return true;
}

/* Makes pile->data point to the whole content. */
static bool pile_read(struct trace_pile *pile) {
    if (pile->descriptor < 0)
        return true;
    if (!pile->map.base && file_map(&pile->map, pile->descriptor, 0,
                                    pile->count * sizeof(*pile->data), FILE_MAP_READ) != 0)
        return false;
    pile->data = (void *)pile->map.data;
    return true;
}

/* ---- building ---- */

void trace_index_builder_init(struct trace_index_builder *builder, const char *folder) {
    *builder = (struct trace_index_builder){.folder = folder ? memory_string(folder) : NULL,
                                            .pile = {.descriptor = -1}};
    trace_spool_init(&builder->runs, sizeof(struct trace_file_run));
    trace_spool_init(&builder->warps, sizeof(uint64_t));
}

/* Frees what is needed only until the result is there. */
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
    free(builder->chunks);
    builder->chunks = NULL;
    builder->chunk_count = builder->chunk_room = 0;
    pile_release(&builder->pile);
    trace_index_sorter_release(&builder->sorter);
}

void trace_index_builder_release(struct trace_index_builder *builder) {
    release_work(builder);
    trace_spool_release(&builder->runs);
    trace_spool_release(&builder->warps);
    free(builder->folder);
    builder->folder = NULL;
}

uint64_t trace_index_builder_entries(const struct trace_index_builder *builder) {
    return builder->sorted + builder->filled;
}

/* Words of an entry that does not fit in one. */
#define ENTRY_WORDS (sizeof(struct trace_index_entry) / sizeof(uint64_t))

static bool put_chunk(struct trace_index_builder *builder) {
    struct trace_index_chunk chunk = {
        .at = builder->pile.count,
        .count = builder->filled,
        .packing = trace_index_packing_choose(builder->chunk, builder->filled),
    };
    const uint64_t *words;
    uint64_t count = chunk.count;
    if (trace_index_packing_fits(&chunk.packing)) {
        trace_index_sort_packed(&builder->sorter, &chunk.packing, builder->chunk, builder->filled,
                                true);
        words = builder->sorter.words;
    } else {
        trace_index_sort(&builder->sorter, builder->chunk, builder->filled);
        words = &builder->chunk->high;
        count *= ENTRY_WORDS;
    }
    builder->chunks = memory_room(builder->chunks, builder->chunk_count, &builder->chunk_room,
                                  sizeof(builder->chunks[0]));
    builder->chunks[builder->chunk_count++] = chunk;
    builder->sorted += chunk.count;
    return pile_put(&builder->pile, builder->folder, words, count);
}

void trace_index_builder_sort(struct trace_index_builder *builder) {
    if (builder->filled == 0)
        return;
    if (!put_chunk(builder))
        builder->failed = true;
    builder->filled = 0;
}

bool trace_index_builder_has_room(const struct trace_index_builder *builder, uint64_t steps) {
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
    const uint64_t count = last ? (last->steps & (TRACE_INDEX_ENTRY_STEPS - 1)) + 1 : 0;
    if (builder->failed)
        return;
    if (last && last->low == low && last->high == high && (last->steps >> 8) + count == step &&
        count < TRACE_INDEX_ENTRY_STEPS) {
        last->steps++;
        return;
    }
    if (step >> 56) { /* from a damaged file: there are no such steps */
        builder->failed = true;
        return;
    }
    *new_entry(builder) = (struct trace_index_entry){high, low, step << 8};
}

/* ---- ranges ---- */

static struct trace_index_entry entry_at(const uint64_t *words,
                                         const struct trace_index_chunk *chunk, uint64_t i) {
    struct trace_index_entry entry;
    if (trace_index_packing_fits(&chunk->packing))
        return trace_index_unpack(&chunk->packing, words[i]);
    memcpy(&entry, words + i * ENTRY_WORDS, sizeof(entry));
    return entry;
}

static void list_stretches(struct trace_index_merge *merge,
                           struct trace_index_builder *const builders[], unsigned count) {
    size_t most = 1;
    for (unsigned i = 0; i < count; i++)
        most += builders[i]->chunk_count;
    merge->stretches = memory_alloc(most * sizeof(merge->stretches[0]));
    for (unsigned i = 0; i < count; i++)
        for (size_t at = 0; at < builders[i]->chunk_count; at++) {
            const struct trace_index_chunk *chunk = &builders[i]->chunks[at];
            const uint64_t *words = builders[i]->pile.data + chunk->at;
            merge->stretches[merge->stretch_count++] = (struct trace_index_stretch){
                words, chunk, entry_at(words, chunk, 0), entry_at(words, chunk, chunk->count - 1)};
        }
}

static void choose_cuts(struct trace_index_merge *merge, uint64_t entries) {
    size_t count = 0;
    struct trace_index_entry *samples =
        memory_alloc((size_t)(entries / SAMPLE + 1) * sizeof(*samples));
    struct trace_index_sorter sorter = {0};
    for (size_t i = 0; i < merge->stretch_count; i++) {
        const struct trace_index_stretch *stretch = &merge->stretches[i];
        for (uint64_t at = SAMPLE - 1; at < stretch->chunk->count; at += SAMPLE)
            samples[count++] = entry_at(stretch->words, stretch->chunk, at);
    }
    trace_index_sort(&sorter, samples, count);
    trace_index_sorter_release(&sorter);
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
        entries += builders[i]->sorted;
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

/* The first entry of the stretch that is not before the cut, or the number of entries. */
static uint64_t find_cut(const struct trace_index_stretch *stretch,
                         const struct trace_index_entry *cut) {
    uint64_t low = 0, high = stretch->chunk->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct trace_index_entry entry = entry_at(stretch->words, stretch->chunk, middle);
        if (trace_index_entry_before(&entry, cut))
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

/* Copies the entries of all stretches that are in the range; returns their number. */
static size_t take_entries(struct trace_index_range *range, const struct trace_index_merge *merge,
                           uint64_t number) {
    const struct trace_index_entry *from = number > 0 ? &merge->cuts[number - 1] : NULL,
                                   *to = number + 1 < merge->ranges ? &merge->cuts[number] : NULL;
    size_t count = 0;
    for (size_t i = 0; i < merge->stretch_count; i++) {
        const struct trace_index_stretch *stretch = &merge->stretches[i];
        if ((to && !trace_index_entry_before(&stretch->first, to)) ||
            (from && trace_index_entry_before(&stretch->last, from)))
            continue;
        const uint64_t begin = from ? find_cut(stretch, from) : 0,
                       end = to ? find_cut(stretch, to) : stretch->chunk->count;
        range_reserve(range, count + (size_t)(end - begin));
        for (uint64_t at = begin; at < end; at++)
            range->entries[count++] = entry_at(stretch->words, stretch->chunk, at);
    }
    return count;
}

static bool same_warp(const struct trace_file_run *a, const struct trace_file_run *b) {
    return a->launch == b->launch && a->block == b->block && a->warp == b->warp;
}

/* True if b continues where a ends, and a has room for it. */
static bool continues_run(const struct trace_file_run *a, const struct trace_file_run *b) {
    return same_warp(a, b) && a->first + a->count == b->first && a->count <= UINT32_MAX - b->count;
}

void trace_index_range_sort(struct trace_index_range *range, const struct trace_index_merge *merge,
                            uint64_t number) {
    const size_t count = take_entries(range, merge, number);
    /* A local copy, because other workers write their own beside *range. */
    struct trace_file_run *last = NULL, *next = range->runs;
    uint64_t warps = 0, last_steps = 0;
    trace_index_sort(&range->sorter, range->entries, count);
    for (size_t i = 0; i < count; i++) {
        const struct trace_index_entry *entry = &range->entries[i];
        const struct trace_file_run run = {
            .first = entry->steps >> 8,
            .block = trace_index_entry_block(entry),
            .launch = trace_index_entry_launch(entry),
            .warp = trace_index_entry_warp(entry),
            .count = (uint32_t)(entry->steps & (TRACE_INDEX_ENTRY_STEPS - 1)) + 1};
        if (!last || !same_warp(last, &run)) {
            warps++;
            last_steps = 0;
        }
        if (last && continues_run(last, &run)) {
            last->count += run.count;
        } else {
            last = next++;
            *last = run;
            last->number = (uint32_t)(warps - 1);
            last->position = last_steps;
        }
        last_steps += run.count;
    }
    range->begin = 0;
    range->end = count ? (size_t)(next - range->runs) : 0;
    range->warps = warps;
    range->last_steps = last_steps;
}

void trace_index_range_join(struct trace_index_range *range, struct trace_index_merge *merge) {
    const struct trace_file_run *first = range->runs;
    struct trace_file_run *last = merge->last;
    if (range->end == 0)
        return;
    const bool same = last && same_warp(last, first);
    range->first_warp = merge->warps - same;
    range->position = same ? merge->position : 0;
    if (same && continues_run(last, first)) {
        last->count += first->count;
        range->begin = 1;
    }
    merge->position = range->last_steps + (range->warps == 1 ? range->position : 0);
    range->warps -= same; /* those that begin here */
    merge->warps += range->warps;
    merge->runs += range->end - range->begin;
    if (range->begin < range->end)
        merge->last = &range->runs[range->end - 1];
}

struct trace_file_run trace_index_range_run(const struct trace_index_range *range, size_t at) {
    struct trace_file_run run = range->runs[at];
    run.position += run.number == 0 ? range->position : 0;
    run.number += (uint32_t)range->first_warp;
    return run;
}

void trace_index_range_release(struct trace_index_range *range) {
    free(range->runs);
    free(range->entries);
    trace_index_sorter_release(&range->sorter);
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
    uint64_t number = builder->runs.count;
    if (count == 0)
        return true;
    if (merge->warps >= UINT32_MAX)
        return false;
    uint64_t *firsts = trace_spool_extend(&builder->warps, builder->folder, range->warps);
    struct trace_file_run *to = trace_spool_extend(&builder->runs, builder->folder, count);
    if (!firsts || !to)
        return false;
    for (size_t at = range->begin; at < range->end; at++, number++) {
        *to = trace_index_range_run(range, at);
        if (to++->position == 0)
            *firsts++ = number;
    }
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
