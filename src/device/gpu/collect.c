/*
 * Takes as many records at a time as the writer accepts, because a GPU makes millions a second.
 */
#include "device/gpu/collect.h"

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

/* A record may arrive before the text of its call, which another warp is still writing. That warp
 * does not wait, so its text arrives soon unless the kernel has died; hence the limit, which
 * all records share. */
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

/* The index that a site of the device has in the recording. */
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

static unsigned char *next_slot(struct collector *collector) {
    if (collector->rooms == 0 && !collector->full) {
        collector->room = trace_writer_reserve(collector->writer, &collector->rooms);
        collector->full = collector->room == NULL;
        if (collector->full)
            ring_store(&collector->host->closed, 1);
    }
    return collector->rooms ? collector->room : NULL;
}

/* Sets a record's launch and site to those in the recording. */
static void place_record(const struct collector *collector, unsigned char *record, uint32_t site) {
    struct shflviz_record_header *header = (void *)record;
    header->launch = collector->first_launch + collector->launches - 1;
    header->site = site;
}

/* Turns a record of the device into one of the recording; its sequence is 0. */
static void make_record(const struct collector *collector, unsigned char *to, const uint64_t *cell,
                        uint32_t site) {
    cells_record(cell, collector->value_bytes, to);
    place_record(collector, to, site);
}

/* Writes a record to the writer's memory. */
static void take_record(struct collector *collector, const uint64_t *cell) {
    unsigned char *to = next_slot(collector);
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

#define INDEX_CELLS 1024 /* examined by one thread */

/* Cells, and where in them records begin. */
struct gathering {
    struct collector *collector;
    const uint64_t *cells;
    size_t count, pieces;
    bool unknown;          /* some site is unknown */
    size_t records, begin; /* of all records; of the first not yet taken */
};

static const uint64_t *cell_of(const struct gathering *gathering, size_t record) {
    return gathering->cells + (size_t)gathering->collector->first[record] * SHFLVIZ_CELL_WORDS;
}

/* The site's index in the recording + 1, or 0. */
static uint32_t known_site(const struct collector *collector, uint32_t number) {
    return collector->site[number < SHFLVIZ_RING_NO_SITE ? number : SHFLVIZ_RING_NO_SITE];
}

/* True if the sites of all these records are known: known ones do not change meanwhile. */
static bool sites_are_known(void *context, size_t first) {
    const struct gathering *gathering = context;
    for (size_t i = first; i < first + TRACE_GATHER_STEPS; i++)
        if (!known_site(gathering->collector, cells_site(cell_of(gathering, gathering->begin + i))))
            return false;
    return true;
}

static bool fill(void *context, unsigned char *record, size_t number) {
    const struct gathering *gathering = context;
    const struct collector *collector = gathering->collector;
    const uint64_t *cell = cell_of(gathering, gathering->begin + number);
    const uint32_t site = known_site(collector, cells_site(cell)) - 1;
    if (collector->value_bytes == 4 && cells_brief(cell, record)) {
        place_record(collector, record, site);
        return true;
    }
    make_record(collector, record, cell, site);
    return false;
}

/* Finds the starts of records in a piece of the cells. */
static void index_piece(void *context, size_t piece) {
    struct gathering *gathering = context;
    const struct collector *collector = gathering->collector;
    const size_t begin = piece * INDEX_CELLS, left = gathering->count - begin;
    uint32_t *first = collector->first + begin;
    const size_t found = cells_index(gathering->cells, begin,
                                     begin + (left < INDEX_CELLS ? left : INDEX_CELLS), first);
    bool known = true;
    for (size_t i = 0; i < found; i++)
        known &= known_site(collector, cells_site(gathering->cells +
                                                  (size_t)first[i] * SHFLVIZ_CELL_WORDS)) != 0;
    if (!known)
        __atomic_store_n(&gathering->unknown, true, __ATOMIC_RELAXED);
    collector->found[piece] = (uint32_t)found;
}

static void settle(void *context, struct trace_gather *gather) {
    struct gathering *gathering = context;
    uint32_t *first = gathering->collector->first;
    const uint32_t *found = gathering->collector->found;
    size_t records = 0;
    for (size_t piece = 0; piece < gathering->pieces; records += found[piece++])
        if (records < piece * INDEX_CELLS)
            memmove(first + records, first + piece * INDEX_CELLS, found[piece] * sizeof first[0]);
    gathering->records = cells_within(gathering->cells, gathering->count, first, records);
    gather->count = gathering->records;
    gather->whole = gathering->unknown ? sites_are_known : NULL;
}

static void make_room(struct collector *collector, size_t cells, size_t pieces) {
    if (collector->first_room >= cells)
        return;
    free(collector->first);
    free(collector->found);
    collector->first = memory_zeroed(cells, sizeof collector->first[0]);
    collector->found = memory_zeroed(pieces, sizeof collector->found[0]);
    collector->first_room = cells;
}

/* Passes on as many records, from gathering->begin on, as the writer takes in one go. */
static void gather(struct gathering *gathering, struct trace_gather *all) {
    struct collector *collector = gathering->collector;
    const size_t taken = trace_writer_gather(collector->writer, all);
    gathering->begin += taken;
    collector->sequence += taken;
    collector->recorded += taken;
}

void collector_take(struct collector *collector, const uint64_t *cells, size_t count) {
    struct gathering gathering = {.collector = collector,
                                  .cells = cells,
                                  .count = count,
                                  .pieces = (count + INDEX_CELLS - 1) / INDEX_CELLS};
    struct trace_gather all = {.count = count,
                               .fill = fill,
                               .context = &gathering,
                               .looks = gathering.pieces,
                               .look = index_piece,
                               .settle = settle};
    if (collector->full || count == 0)
        return;
    make_room(collector, count, gathering.pieces);
    if (collector->rooms == 0) {
        gather(&gathering, &all);
    } else { /* in the middle of a block, the writer cannot gather */
        for (size_t piece = 0; piece < gathering.pieces; piece++)
            index_piece(&gathering, piece);
        settle(&gathering, &all);
    }
    all.looks = 0;
    while (gathering.begin < gathering.records && !collector->full) {
        /* Writes the rest one by one, up to where gathering may be tried again. */
        do
            take_record(collector, cell_of(&gathering, gathering.begin++));
        while (gathering.begin < gathering.records && !collector->full && collector->rooms > 0);
        all.count = gathering.records - gathering.begin;
        if (collector->rooms == 0 && !collector->full)
            gather(&gathering, &all);
    }
}

void collector_release(struct collector *collector) {
    free(collector->first);
    free(collector->found);
    collector->first = collector->found = NULL;
    collector->first_room = 0;
}
