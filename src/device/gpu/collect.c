#include "device/gpu/collect.h"

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

static void clear_absent(unsigned char *record, unsigned value_bytes, uint32_t present) {
    for (uint32_t lane = 0; lane < SHFLVIZ_RECORD_LANES; lane++) {
        if (present >> lane & 1)
            continue;
        memset(record + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane, 0, 4);
        memset(record + SHFLVIZ_RECORD_OFFSET_WIDTH + 2 * lane, 0, 2);
        memset(record + SHFLVIZ_RECORD_OFFSET_IN + value_bytes * lane, 0, value_bytes);
        memset(record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes) + value_bytes * lane, 0,
               value_bytes);
    }
}

/* Makes a record of the device, `from`, one of the recording, `to`, which may be the same. */
static void correct_record(const struct collector *collector, unsigned char *to,
                           const unsigned char *from, uint32_t site) {
    const size_t bytes = SHFLVIZ_RECORD_SIZE(collector->value_bytes);
    struct shflviz_record_header header = *(const struct shflviz_record_header *)(const void *)from;
    header.sequence = 0;
    header.exited = 0; /* these the device leaves as they are */
    header.reserved[0] = header.reserved[1] = 0;
    header.launch += collector->first_launch;
    header.site = site;
    memcpy(to, &header, sizeof header);
    if (to != from)
        memcpy(to + sizeof header, from + sizeof header, bytes - sizeof header);
    if (!(header.flags & SHFLVIZ_RECORD_WIDTHS_DIFFER))
        memset(to + SHFLVIZ_RECORD_OFFSET_WIDTH, 0,
               SHFLVIZ_RECORD_OFFSET_ARG - SHFLVIZ_RECORD_OFFSET_WIDTH);
    if (header.present != 0xffffffff)
        clear_absent(to, collector->value_bytes, header.present);
}

/* Copies a record to where the writer wants it. */
static void take_record(struct collector *collector, const unsigned char *from) {
    unsigned char *to = next_room(collector);
    struct shflviz_record_header header;
    if (!to)
        return;
    memcpy(&header, from, sizeof header);
    correct_record(collector, to, from, site_index(collector, header.site));
    __atomic_store_n(&((struct shflviz_record_header *)(void *)to)->sequence, collector->sequence,
                     __ATOMIC_RELEASE);
    collector->sequence++;
    collector->recorded++;
    collector->room += SHFLVIZ_RECORD_SIZE(collector->value_bytes);
    collector->rooms--;
}

/* ---- many at once ---- */

struct gathering {
    struct collector *collector;
    uint64_t ticket; /* of the first */
};

/* Whether all are whole, and their sites known: what is known does not change meanwhile. */
static bool are_whole(void *context, const unsigned char *records, size_t first) {
    const struct gathering *gathering = context;
    const struct collector *collector = gathering->collector;
    const size_t bytes = SHFLVIZ_RECORD_SIZE(collector->value_bytes);
    for (size_t i = 0; i < TRACE_GATHER_STEPS; i++, records += bytes) {
        const struct shflviz_record_header *header = (const void *)records;
        const uint32_t site =
            header->site < SHFLVIZ_RING_NO_SITE ? header->site : SHFLVIZ_RING_NO_SITE;
        if (header->sequence != gathering->ticket + first + i + 1 || !collector->site[site])
            return false;
    }
    return true;
}

static void correct_records(void *context, unsigned char *records, size_t first) {
    const struct gathering *gathering = context;
    const struct collector *collector = gathering->collector;
    const size_t bytes = SHFLVIZ_RECORD_SIZE(collector->value_bytes);
    (void)first;
    for (size_t i = 0; i < TRACE_GATHER_STEPS; i++, records += bytes) {
        const struct shflviz_record_header *header = (const void *)records;
        const uint32_t site =
            header->site < SHFLVIZ_RING_NO_SITE ? header->site : SHFLVIZ_RING_NO_SITE;
        correct_record(collector, records, records, collector->site[site] - 1);
    }
}

/* As many of the records as the writer takes at once. */
static size_t gather(struct collector *collector, unsigned char *records, uint64_t first,
                     size_t count) {
    struct gathering gathering = {collector, first};
    const struct trace_gather all = {.records = records,
                                     .count = count,
                                     .whole = are_whole,
                                     .prepare = correct_records,
                                     .context = &gathering};
    const size_t taken = collector->rooms == 0 ? trace_writer_gather(collector->writer, &all) : 0;
    collector->sequence += taken;
    collector->recorded += taken;
    return taken;
}

void collector_take(struct collector *collector, void *records, uint64_t first, size_t count) {
    const size_t bytes = SHFLVIZ_RECORD_SIZE(collector->value_bytes);
    unsigned char *record = records;
    for (size_t i = 0; i < count && !collector->full;) {
        const size_t gathered = gather(collector, record + i * bytes, first + i, count - i);
        i += gathered;
        /* What cannot be gathered, up to where it may be tried again. */
        for (bool tried = false; i < count && !collector->full && !(tried && collector->rooms == 0);
             i++, tried = true)
            if (ring_load((const uint64_t *)(const void *)(record + i * bytes)) == first + i + 1)
                take_record(collector, record + i * bytes);
    }
}
