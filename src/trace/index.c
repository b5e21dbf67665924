#include "trace/index.h"

#include "base/memory.h"
#include "trace/compact.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- asking ---- */

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

/* How the run compares with the wanted one; one that cannot be read is greater than any. */
static int compare_at(const struct trace_index *index, uint64_t number,
                      const struct trace_file_run *wanted) {
    struct trace_file_run run;
    return trace_index_get(index, number, &run) ? run_compare(&run, wanted) : 1;
}

/* Where the run would be if launches, or the blocks of the only launch, had equally many runs each,
 * as they mostly have. */
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

/* A range that holds the border between the runs that are <= wanted (those below *low are) and the
 * others (those from *high on are). Looks further and further from a guess: a file that is not in
 * memory is read in one or two places, where halving would read it in a dozen. */
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

/* ---- spools ---- */

#define SPOOL_IN_MEMORY UINT64_C(65536) /* elements */

static void spool_init(struct trace_spool *spool, size_t element) {
    *spool = (struct trace_spool){.element = element, .descriptor = -1};
}

static void spool_release(struct trace_spool *spool) {
    if (spool->descriptor >= 0) {
        file_unmap(&spool->map);
        close(spool->descriptor);
    } else {
        free(spool->data);
    }
    spool_init(spool, spool->element);
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

/* Room for one more element; NULL if there is none. */
static void *spool_append(struct trace_spool *spool, const char *folder) {
    if (spool->count == spool->capacity &&
        !spool_reserve(spool, folder, spool->capacity ? spool->capacity * 2 : 16))
        return NULL;
    return (unsigned char *)spool->data + spool->count++ * spool->element;
}

/* ---- building ---- */

void trace_index_builder_init(struct trace_index_builder *builder, const char *folder) {
    builder->folder = folder ? memory_string(folder) : NULL;
    builder->failed = false;
    spool_init(&builder->runs, sizeof(struct trace_file_run));
    spool_init(&builder->scratch, sizeof(struct trace_file_run));
    spool_init(&builder->warps, sizeof(uint64_t));
    spool_init(&builder->stretches, sizeof(uint64_t));
    memset(&builder->merge, 0, sizeof(builder->merge));
    builder->numbered = 0;
}

void trace_index_builder_release(struct trace_index_builder *builder) {
    spool_release(&builder->runs);
    spool_release(&builder->scratch);
    spool_release(&builder->warps);
    spool_release(&builder->stretches);
    free(builder->folder);
    builder->folder = NULL;
}

void trace_index_builder_add(struct trace_index_builder *builder, uint64_t step, uint32_t launch,
                             uint64_t block, uint32_t warp) {
    const struct trace_file_run run = {
        .first = step, .block = block, .launch = launch, .warp = warp, .count = 1};
    trace_index_builder_add_run(builder, &run);
}

void trace_index_builder_add_run(struct trace_index_builder *builder,
                                 const struct trace_file_run *next) {
    if (builder->failed)
        return;
    struct trace_file_run *runs = builder->runs.data;
    struct trace_file_run *last = builder->runs.count ? &runs[builder->runs.count - 1] : NULL;
    if (last && run_same_warp(last, next) && last->first + last->count == next->first &&
        last->count <= UINT32_MAX - next->count) {
        last->count += next->count;
        return;
    }
    uint64_t number = builder->runs.count;
    bool ascends = last && run_compare(last, next) < 0;
    struct trace_file_run *run = spool_append(&builder->runs, builder->folder);
    uint64_t *stretch = ascends ? &number : spool_append(&builder->stretches, builder->folder);
    if (!run || !stretch) {
        builder->failed = true;
        return;
    }
    *run = *next;
    *stretch = number;
}

/* ---- sorting ---- */
/* A natural merge sort: each pass merges the stretches of `runs` in pairs into `scratch`. Blocks
 * mostly run one after the other, so few passes are needed, and each walks straight through both
 * arrays, which suits arrays in files. It can be interrupted at any run, so that nobody who looks
 * at a recording has to wait for it.
 */

static uint64_t stretch_begin(const struct trace_index_builder *builder, uint64_t stretch) {
    const uint64_t *stretches = builder->stretches.data;
    return stretch < builder->stretches.count ? stretches[stretch] : builder->runs.count;
}

/* The next pass goes backwards over what this one has written. */
static void end_pass(struct trace_index_builder *builder) {
    struct trace_spool sorted = builder->scratch;
    sorted.count = builder->runs.count;
    builder->scratch = builder->runs;
    builder->runs = sorted;
    builder->stretches.count = (builder->stretches.count + 1) / 2;
    memset(&builder->merge, 0, sizeof(builder->merge));
}

/* Merges at most `moves` runs of the current pair; returns how many. */
static uint64_t merge_pair(struct trace_index_builder *builder, uint64_t moves) {
    const struct trace_file_run *from = builder->runs.data;
    struct trace_file_run *to = builder->scratch.data;
    uint64_t first = builder->merge.pair * 2, done = 0;
    uint64_t a_end = stretch_begin(builder, first + 1), b_end = stretch_begin(builder, first + 2);
    uint64_t a = builder->merge.a, b = builder->merge.b, out = builder->merge.out;
    if (!builder->merge.begun) {
        a = out = stretch_begin(builder, first);
        b = a_end;
    }
    for (; done < moves && (a < a_end || b < b_end); done++) {
        bool take_a = b == b_end || (a < a_end && run_compare(&from[a], &from[b]) < 0);
        to[out++] = take_a ? from[a++] : from[b++];
    }
    builder->merge.a = a;
    builder->merge.b = b;
    builder->merge.out = out;
    builder->merge.begun = a < a_end || b < b_end;
    return done;
}

/* Merges at most `moves` runs; returns how many. */
static uint64_t sort_some(struct trace_index_builder *builder, uint64_t moves) {
    uint64_t done = 0;
    if (builder->stretches.count > 1 &&
        !spool_reserve(&builder->scratch, builder->folder, builder->runs.count))
        builder->failed = true;
    while (!builder->failed && done < moves && builder->stretches.count > 1) {
        uint64_t *stretches = builder->stretches.data, pair = builder->merge.pair;
        done += merge_pair(builder, moves - done);
        if (builder->merge.begun)
            break;
        stretches[pair] = stretches[pair * 2]; /* which no later pair needs */
        builder->merge.pair++;
        if (builder->merge.pair * 2 >= builder->stretches.count)
            end_pass(builder);
    }
    return done;
}

/* Numbers the steps within each warp and lists the warps; returns how many runs it looked at. */
static uint64_t number_some(struct trace_index_builder *builder, uint64_t moves) {
    struct trace_file_run *runs = builder->runs.data;
    uint64_t begin = builder->numbered, i = begin;
    for (; i < builder->runs.count && i - begin < moves; i++) {
        if (i > 0 && run_same_warp(&runs[i - 1], &runs[i])) {
            runs[i].position = runs[i - 1].position + runs[i - 1].count;
            runs[i].number = runs[i - 1].number;
            continue;
        }
        uint64_t number = builder->warps.count;
        uint64_t *warp =
            number < UINT32_MAX ? spool_append(&builder->warps, builder->folder) : NULL;
        if (!warp) {
            builder->failed = true;
            break;
        }
        *warp = i;
        runs[i].position = 0;
        runs[i].number = (uint32_t)number;
    }
    builder->numbered = i;
    return i - begin;
}

bool trace_index_builder_work(struct trace_index_builder *builder, uint64_t moves) {
    uint64_t done = sort_some(builder, moves);
    if (!builder->failed && builder->stretches.count <= 1 && done < moves)
        number_some(builder, moves - done);
    return !builder->failed && builder->numbered < builder->runs.count;
}

bool trace_index_builder_finish(struct trace_index_builder *builder, struct trace_index *index) {
    *index = (struct trace_index){0};
    while (trace_index_builder_work(builder, UINT64_MAX))
        ;
    if (builder->failed)
        return false;
    spool_release(&builder->scratch);
    spool_release(&builder->stretches);
    file_map_advise(&builder->runs.map, FILE_MAP_FORGET);
    file_map_advise(&builder->warps.map, FILE_MAP_FORGET);
    *index = (struct trace_index){builder->runs.data, builder->runs.count, builder->warps.data,
                                  builder->warps.count, NULL};
    return true;
}

/* ---- putting several together ---- */

bool trace_index_builder_sort(struct trace_index_builder *builder) {
    while (!builder->failed && builder->stretches.count > 1)
        sort_some(builder, UINT64_MAX);
    return !builder->failed;
}

/* Lets the first part sink to its place. */
static void sift(struct trace_index_merge *merge) {
    struct trace_index_part *part = merge->part;
    for (unsigned i = 0, child = 1; child < merge->parts; i = child, child = 2 * i + 1) {
        if (child + 1 < merge->parts && run_compare(part[child + 1].at, part[child].at) < 0)
            child++;
        if (run_compare(part[i].at, part[child].at) <= 0)
            return;
        struct trace_index_part moved = part[i];
        part[i] = part[child];
        part[child] = moved;
    }
}

static int compare_parts(const void *a, const void *b) {
    return run_compare(((const struct trace_index_part *)a)->at,
                       ((const struct trace_index_part *)b)->at);
}

void trace_index_merge_init(struct trace_index_merge *merge,
                            struct trace_index_builder *const builders[], unsigned count) {
    *merge = (struct trace_index_merge){.folder = builders[0]->folder};
    spool_init(&merge->warps, sizeof(uint64_t));
    for (unsigned i = 0; i < count; i++) {
        const struct trace_spool *runs = &builders[i]->runs;
        const struct trace_file_run *first = runs->data;
        merge->failed |= builders[i]->failed;
        if (runs->count > 0)
            merge->part[merge->parts++] = (struct trace_index_part){first, first + runs->count};
    }
    qsort(merge->part, merge->parts, sizeof(merge->part[0]), compare_parts); /* so it is a heap */
}

void trace_index_merge_release(struct trace_index_merge *merge) {
    spool_release(&merge->warps);
}

/* The next of all parts, which is there. */
static struct trace_file_run take_run(struct trace_index_merge *merge) {
    struct trace_index_part *first = &merge->part[0];
    const struct trace_file_run run = *first->at++;
    if (first->at == first->end)
        *first = merge->part[--merge->parts];
    sift(merge);
    return run;
}

bool trace_index_merge_next(struct trace_index_merge *merge, struct trace_file_run *run) {
    if (merge->failed || merge->parts == 0)
        return false;
    struct trace_file_run next = take_run(merge);
    const struct trace_file_run *last = &merge->last;
    /* A run that was divided between builders is one. */
    while (merge->parts > 0 && run_same_warp(merge->part[0].at, &next) &&
           merge->part[0].at->first == next.first + next.count &&
           next.count <= UINT32_MAX - merge->part[0].at->count)
        next.count += take_run(merge).count;
    if (merge->runs > 0 && run_same_warp(last, &next)) {
        next.number = last->number;
        next.position = last->position + last->count;
    } else {
        uint64_t *first =
            merge->warps.count < UINT32_MAX ? spool_append(&merge->warps, merge->folder) : NULL;
        if (!first) {
            merge->failed = true;
            return false;
        }
        *first = merge->runs;
        next.number = (uint32_t)(merge->warps.count - 1);
        next.position = 0;
    }
    merge->last = *run = next;
    merge->runs++;
    return true;
}
