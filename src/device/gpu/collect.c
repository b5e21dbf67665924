#include "device/gpu/collect.h"

#include "base/crew.h"
#include "base/memory.h"
#include "device/gpu/cells.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void collector_init(struct collector *collector, struct trace_writer *writer,
                    struct shflviz_ring_host *host) {
    *collector = (struct collector){.writer = writer,
                                    .host = host,
                                    .value_bytes = trace_writer_value_bytes(writer),
                                    .sequence = trace_writer_next_sequence(writer)};
}

void collector_launch(struct collector *collector, const struct trace_launch *launch) {
    uint32_t index = trace_writer_launch(collector->writer, launch);
    if (collector->launches++ == 0)
        collector->first_launch = index;
}

/* A record may come before the text of its call, which another warp is still writing. That warp
 * waits for nobody, so its text comes soon, unless the kernel has died: hence the limit, once for
 * all. */
#define SITE_NAPS_MOST 10000 /* of 100 microseconds */

static bool await_site(struct collector *collector, const struct shflviz_ring_site *site) {
    const struct timespec nap = {.tv_nsec = 100000};
    while (!__atomic_load_n(&site->ready, __ATOMIC_ACQUIRE)) {
        if (collector->naps++ >= SITE_NAPS_MOST)
            return false;
        nanosleep(&nap, NULL);
    }
    return true;
}

/* The index in the recording of a site of the device. */
static uint32_t site_index(struct collector *collector, uint32_t number) {
    struct trace_site described = {.file = "", .function = "", .text = ""};
    if (number > SHFLVIZ_RING_NO_SITE)
        number = SHFLVIZ_RING_NO_SITE;
    if (collector->site[number])
        return collector->site[number] - 1;
    if (number != SHFLVIZ_RING_NO_SITE) {
        struct shflviz_ring_site *site = &collector->host->sites[number];
        if (!await_site(collector, site))
            return site_index(collector, SHFLVIZ_RING_NO_SITE);
        site->file[sizeof site->file - 1] = site->text[sizeof site->text - 1] = '\0';
        described.file = site->file;
        described.line = site->line;
        described.text = site->text;
    }
    uint32_t index = trace_writer_site(collector->writer, &described);
    collector->site[number] = index + 1;
    return index;
}

static unsigned char *next_room(struct collector *collector) {
    if (collector->rooms == 0 && !collector->full) {
        collector->room = trace_writer_reserve(collector->writer, &collector->rooms);
        collector->full = collector->room == NULL;
        if (collector->full)
            ring_store(&collector->host->closed, 1);
    }
    return collector->rooms ? collector->room : NULL;
}

/* Makes a record of the device one of the recording; its sequence is 0. */
static void make_record(const struct collector *collector, unsigned char *to, const uint64_t *cell,
                        uint32_t site) {
    struct shflviz_record_header *header = (void *)to;
    cells_record(cell, collector->value_bytes, to);
    header->launch = collector->first_launch + collector->launches - 1;
    header->site = site;
}

/* Writes a record where the writer wants it. */
static void take_record(struct collector *collector, const uint64_t *cell) {
    unsigned char *to = next_room(collector);
    if (!to)
        return;
    make_record(collector, to, cell, site_index(collector, cells_site(cell)));
    __atomic_store_n(&((struct shflviz_record_header *)(void *)to)->sequence, collector->sequence,
                     __ATOMIC_RELEASE);
    collector->sequence++;
    collector->recorded++;
    collector->room += SHFLVIZ_RECORD_SIZE(collector->value_bytes);
    collector->rooms--;
}

/* ---- many at once ---- */

struct gathering {
    const struct collector *collector;
    const uint64_t *cells;
    const uint32_t *first; /* of each record */
};

static const uint64_t *cell_of(const struct gathering *gathering, size_t record) {
    return gathering->cells + (size_t)gathering->first[record] * SHFLVIZ_CELL_WORDS;
}

/* The site's index in the recording + 1, or 0. */
static uint32_t known_site(const struct collector *collector, uint32_t number) {
    return collector->site[number < SHFLVIZ_RING_NO_SITE ? number : SHFLVIZ_RING_NO_SITE];
}

/* Whether the sites of all are known: what is known does not change meanwhile. */
static bool are_known(void *context, size_t first) {
    const struct gathering *gathering = context;
    for (size_t i = first; i < first + TRACE_GATHER_STEPS; i++)
        if (!known_site(gathering->collector, cells_site(cell_of(gathering, i))))
            return false;
    return true;
}

static void make_records(void *context, unsigned char *records, size_t first) {
    const struct gathering *gathering = context;
    const struct collector *collector = gathering->collector;
    const size_t bytes = SHFLVIZ_RECORD_SIZE(collector->value_bytes);
    for (size_t i = first; i < first + TRACE_GATHER_STEPS; i++, records += bytes) {
        const uint64_t *cell = cell_of(gathering, i);
        make_record(collector, records, cell, known_site(collector, cells_site(cell)) - 1);
    }
}

/* As many of the records as the writer takes at once. */
static size_t gather(struct collector *collector, const uint64_t *cells, const uint32_t *first,
                     size_t count) {
    struct gathering gathering = {collector, cells, first};
    const struct trace_gather all = {.count = count,
                                     .whole = collector->known ? NULL : are_known,
                                     .fill = make_records,
                                     .context = &gathering};
    const size_t taken = collector->rooms == 0 ? trace_writer_gather(collector->writer, &all) : 0;
    collector->sequence += taken;
    collector->recorded += taken;
    return taken;
}

/* ---- where records begin ---- */

#define INDEX_CELLS 1024 /* that a thread looks through */

struct indexing {
    const struct collector *collector;
    const uint64_t *cells;
    size_t count;
    uint32_t *first; /* of each piece, at the number of its first cell */
    uint32_t *found; /* in each piece */
    bool unknown;    /* some site is */
};

static void index_piece(void *context, uint64_t piece, unsigned member) {
    struct indexing *indexing = context;
    const struct collector *collector = indexing->collector;
    const size_t begin = (size_t)piece * INDEX_CELLS, left = indexing->count - begin;
    (void)member;
    uint32_t *first = indexing->first + begin + piece; /* which may write one more */
    const size_t found = cells_index(indexing->cells, begin,
                                     begin + (left < INDEX_CELLS ? left : INDEX_CELLS), first);
    bool known = true;
    for (size_t i = 0; i < found; i++)
        known &= known_site(collector, cells_site(indexing->cells +
                                                  (size_t)first[i] * SHFLVIZ_CELL_WORDS)) != 0;
    if (!known)
        __atomic_store_n(&indexing->unknown, true, __ATOMIC_RELAXED);
    indexing->found[piece] = (uint32_t)found;
}

static size_t index_cells(struct collector *collector, const uint64_t *cells, size_t count) {
    const size_t pieces = (count + INDEX_CELLS - 1) / INDEX_CELLS;
    if (collector->first_room < count) {
        free(collector->first);
        free(collector->found);
        collector->first = memory_zeroed(count + pieces, sizeof collector->first[0]);
        collector->found = memory_zeroed(pieces, sizeof collector->found[0]);
        collector->first_room = count;
    }
    uint32_t *first = collector->first;
    struct indexing indexing = {collector, cells, count, first, collector->found, false};
    if (pieces > 1)
        crew_run(trace_writer_crew(collector->writer), pieces, index_piece, &indexing);
    else if (pieces == 1)
        index_piece(&indexing, 0, 0);
    size_t records = 0;
    for (size_t piece = 0; piece < pieces; records += collector->found[piece++])
        memmove(first + records, first + piece * INDEX_CELLS + piece,
                collector->found[piece] * sizeof first[0]);
    collector->known = !indexing.unknown;
    return cells_within(cells, count, first, records);
}

void collector_take(struct collector *collector, const uint64_t *cells, size_t count) {
    if (collector->full)
        return;
    const size_t records = index_cells(collector, cells, count);
    const uint32_t *first = collector->first;
    for (size_t i = 0; i < records && !collector->full;) {
        i += gather(collector, cells, first + i, records - i);
        /* What cannot be gathered, up to where it may be tried again. */
        for (bool tried = false;
             i < records && !collector->full && !(tried && collector->rooms == 0);
             i++, tried = true)
            take_record(collector, cells + (size_t)first[i] * SHFLVIZ_CELL_WORDS);
    }
}

void collector_release(struct collector *collector) {
    free(collector->first);
    free(collector->found);
    collector->first = collector->found = NULL;
    collector->first_room = 0;
}
