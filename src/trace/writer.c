#include "trace/trace.h"

#include "base/memory.h"
#include "base/text.h"
#include "trace/file.h"
#include "trace/format.h"
#include "trace/index.h"
#include "trace/metadata.h"
#include "trace/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A short recording pays for a small window, a long one seldom asks the system for room. */
#define WINDOW_BYTES_FIRST (64u << 10)
#define WINDOW_BYTES_FILE  (4u << 20)
/* In memory nothing has to outlive this process: a window is a buffer that stays in the processor's
 * cache and is copied when it is full. That is twice as fast as mapping new pages all the time. */
#define WINDOW_BYTES_MEMORY (256u << 10)

/* Sources and notes go to the front only while this much of it stays free for launches and sites,
 * without which the steps of a killed run could not be told apart. */
#define FRONT_KEPT_FREE 12288u

/* A stretch of the recording for the device to fill. */
struct window {
    unsigned char *records;
    struct file_map map;   /* they are here, in the file; or */
    unsigned char *buffer; /* here, of buffer_bytes, to be copied to the file */
    size_t buffer_bytes;
    uint64_t first; /* step of the first record */
    uint64_t end;   /* one beyond the step of the last */
};

struct trace_writer {
    struct place place; /* its path is NULL if the recording is in memory */
    int descriptor;
    bool durable;
    bool run_failed;       /* a note says so */
    struct file_map front; /* header and front metadata, mapped while the recording is made */
    struct trace_file_header *header;
    size_t record_bytes;
    uint64_t step_limit;
    struct window window;
    size_t window_bytes;   /* of the next window */
    uint64_t committed;    /* steps known to be whole: those before this one */
    struct text tail;      /* metadata that did not fit into the front */
    struct text scratch;   /* the entry being encoded */
    bool launches_in_tail; /* once one launch is in the tail all later ones are: order is index */
    bool sites_in_tail;
    uint32_t launch_count;
    struct text *sites; /* encoded, to find equal ones */
    uint32_t site_count, site_room;
    struct text source_names; /* of the sources that are in, each with its NUL */
    struct trace_index_builder index;
    struct error failure; /* ERROR_NONE while all is well */
};

/* Remembers the first thing that went wrong. */
static void writer_fail(struct trace_writer *writer, int errno_value) {
    if (writer->failure.kind == ERROR_NONE)
        place_error_write(&writer->failure, errno_value, writer->place.path, writer->place.partial);
}

static void writer_free(struct trace_writer *writer) {
    file_unmap(&writer->window.map);
    free(writer->window.buffer);
    file_unmap(&writer->front);
    for (uint32_t i = 0; i < writer->site_count; i++)
        text_release(&writer->sites[i]);
    free(writer->sites);
    text_release(&writer->source_names);
    text_release(&writer->scratch);
    text_release(&writer->tail);
    trace_index_builder_release(&writer->index);
    free(writer);
}

/* ---- beginning ---------------------------------------------------------------------------------
 */

/* Gives the file its header and its front. The header goes first and in one piece, so that a run
 * killed here leaves an empty file or a recording. */
static int write_beginning(struct trace_writer *writer, unsigned value_bytes) {
    unsigned char page[TRACE_FILE_HEADER_BYTES] = {0};
    const struct trace_file_header header = {
        .magic = TRACE_FILE_MAGIC,
        .version = TRACE_FILE_VERSION,
        .byte_order = TRACE_FILE_BYTE_ORDER,
        .header_bytes = TRACE_FILE_HEADER_BYTES,
        .value_bytes = value_bytes,
        .record_bytes = SHFLVIZ_RECORD_SIZE(value_bytes),
        .records_offset = TRACE_FILE_RECORDS,
        .front_offset = TRACE_FILE_FRONT,
    };
    memcpy(page, &header, sizeof(header));
    int failed = file_write(writer->descriptor, 0, page, sizeof(page));
    if (!failed)
        failed = file_allocate(writer->descriptor, 0, TRACE_FILE_RECORDS);
    if (!failed)
        failed =
            file_map(&writer->front, writer->descriptor, 0, TRACE_FILE_RECORDS, FILE_MAP_WRITE);
    writer->header = (struct trace_file_header *)writer->front.data;
    return failed;
}

int trace_writer_open(struct trace_writer **writer, const char *path,
                      const struct trace_writer_options *options, struct error *err) {
    *writer = NULL;
    struct place place = {.descriptor = path ? -1 : file_in_memory()};
    if (path && place_open(&place, path, options->in_place, err) != 0)
        return -1;
    if (place.descriptor < 0)
        return place_error_write(err, errno, NULL, NULL);

    struct trace_writer *w = memory_zeroed(1, sizeof(*w));
    w->place = place;
    w->descriptor = place.descriptor;
    w->durable = options->durable;
    w->record_bytes = SHFLVIZ_RECORD_SIZE(options->value_bytes);
    w->step_limit = options->step_limit ? options->step_limit : UINT64_MAX;
    w->window_bytes = WINDOW_BYTES_FIRST;
    text_init(&w->tail);
    text_init(&w->scratch);
    text_init(&w->source_names);
    char *folder = path ? place_folder(path) : NULL;
    trace_index_builder_init(&w->index, folder);
    free(folder);

    int failed = write_beginning(w, options->value_bytes);
    if (failed) {
        if (path)
            place_discard(&w->place);
        place_release(&w->place);
        writer_free(w);
        return place_error_write(err, failed, path, NULL);
    }
    *writer = w;
    return 0;
}

/* ---- metadata ----------------------------------------------------------------------------------
 */

/* Puts the entry in writer->scratch into the front if that leaves `keep` bytes there, else into the
 * tail. Returns whether it went to the front. */
static bool put_entry(struct trace_writer *writer, size_t keep) {
    const struct text *entry = &writer->scratch;
    uint64_t used = writer->header->front_bytes;
    if (used + entry->length + keep > TRACE_FILE_RECORDS - TRACE_FILE_FRONT) {
        if (writer->tail.length + entry->length > TRACE_FILE_METADATA_MAX - TRACE_FILE_RECORDS)
            writer_fail(writer, EFBIG);
        else
            text_append_bytes(&writer->tail, entry->data, entry->length);
        return false;
    }
    memcpy(writer->front.data + TRACE_FILE_FRONT + used, entry->data, entry->length);
    /* After the entry: a run killed between the two leaves whole entries. */
    __atomic_store_n(&writer->header->front_bytes, used + entry->length, __ATOMIC_RELEASE);
    return true;
}

/* `keep` that nothing satisfies: the entry goes to the tail. */
#define KEEP_FOR_TAIL TRACE_FILE_RECORDS

uint32_t trace_writer_launch(struct trace_writer *writer, const struct trace_launch *launch) {
    text_clear(&writer->scratch);
    metadata_encode_launch(&writer->scratch, launch);
    if (!put_entry(writer, writer->launches_in_tail ? KEEP_FOR_TAIL : 0))
        writer->launches_in_tail = true;
    return writer->launch_count++;
}

uint32_t trace_writer_site(struct trace_writer *writer, const struct trace_site *site) {
    struct text *entry = &writer->scratch;
    text_clear(entry);
    metadata_encode_site(entry, site);
    for (uint32_t i = 0; i < writer->site_count; i++) {
        const struct text *known = &writer->sites[i];
        if (known->length == entry->length && memcmp(known->data, entry->data, entry->length) == 0)
            return i;
    }
    if (!put_entry(writer, writer->sites_in_tail ? KEEP_FOR_TAIL : 0))
        writer->sites_in_tail = true;
    if (writer->site_count == writer->site_room) {
        writer->site_room = writer->site_room ? writer->site_room * 2 : 16;
        writer->sites = memory_grow(writer->sites, writer->site_room, sizeof(*writer->sites));
    }
    struct text *known = &writer->sites[writer->site_count];
    text_init(known);
    text_append_bytes(known, entry->data, entry->length);
    return writer->site_count++;
}

static bool has_source(const struct trace_writer *writer, const char *file) {
    const char *name = writer->source_names.data, *end = name + writer->source_names.length;
    for (; name < end; name += strlen(name) + 1)
        if (strcmp(name, file) == 0)
            return true;
    return false;
}

void trace_writer_source(struct trace_writer *writer, const char *file, const char *text) {
    if (has_source(writer, file))
        return;
    text_append_bytes(&writer->source_names, file, strlen(file) + 1);
    text_clear(&writer->scratch);
    metadata_encode_pair(&writer->scratch, TRACE_FILE_SOURCE, file, text);
    put_entry(writer, FRONT_KEPT_FREE);
}

void trace_writer_note(struct trace_writer *writer, const char *key, const char *value) {
    if (strcmp(key, TRACE_NOTE_FAILURE) == 0)
        writer->run_failed = true;
    text_clear(&writer->scratch);
    metadata_encode_pair(&writer->scratch, TRACE_FILE_NOTE, key, value);
    put_entry(writer, FRONT_KEPT_FREE);
}

/* ---- steps -------------------------------------------------------------------------------------
 */

static unsigned char *record_at(const struct trace_writer *writer, uint64_t step) {
    const struct window *window = &writer->window;
    return window->records + (size_t)(step - window->first) * writer->record_bytes;
}

/* The device sets it last, perhaps from another thread. */
static bool record_is_whole(const struct trace_writer *writer, uint64_t step) {
    const struct shflviz_record_header *record = (const void *)record_at(writer, step);
    return __atomic_load_n(&record->sequence, __ATOMIC_ACQUIRE) == step + 1;
}

uint64_t trace_writer_next_sequence(const struct trace_writer *writer) {
    uint64_t step = writer->committed;
    while (step < writer->window.end && record_is_whole(writer, step))
        step++;
    return step + 1;
}

unsigned trace_writer_value_bytes(const struct trace_writer *writer) {
    return (unsigned)((writer->record_bytes - SHFLVIZ_RECORD_SIZE(0)) / 64);
}

static uint64_t record_offset(const struct trace_writer *writer, uint64_t step) {
    return TRACE_FILE_RECORDS + step * writer->record_bytes;
}

/* Takes over what the device has written since the last time. */
static void commit(struct trace_writer *writer) {
    uint64_t first = writer->committed, step = first;
    for (; step < writer->window.end && record_is_whole(writer, step); step++) {
        const struct shflviz_record_header *record = (const void *)record_at(writer, step);
        trace_index_builder_add(&writer->index, step, record->launch, record->block, record->warp);
    }
    if (writer->window.buffer && step > first) {
        int failed = file_write(writer->descriptor, record_offset(writer, first),
                                record_at(writer, first), (step - first) * writer->record_bytes);
        if (failed) {
            writer_fail(writer, failed);
            trace_writer_drop(writer, step - first);
            return;
        }
    }
    writer->committed = step;
    __atomic_store_n(&writer->header->step_count, step, __ATOMIC_RELEASE);
}

/* Makes the window `bytes` long, zeroed. Returns 0 or an errno value. */
static int window_in_file(struct trace_writer *writer, size_t bytes) {
    struct window *window = &writer->window;
    uint64_t offset = record_offset(writer, writer->committed);
    int failed = file_extend(writer->descriptor, offset, bytes);
    if (!failed)
        failed = file_map(&window->map, writer->descriptor, offset, bytes, FILE_MAP_WRITE);
    window->records = window->map.data;
    return failed;
}

static int window_in_memory(struct trace_writer *writer, size_t bytes) {
    struct window *window = &writer->window;
    if (bytes > window->buffer_bytes) {
        void *buffer;
        free(window->buffer);
        window->buffer = NULL;
        if (posix_memalign(&buffer, 64, bytes) != 0)
            return ENOMEM;
        window->buffer = buffer;
        window->buffer_bytes = bytes;
    }
    memset(window->buffer, 0, bytes);
    window->records = window->buffer;
    return 0;
}

/* Begins a window after the last one. On a disk that is nearly full a shorter one will do. */
static bool next_window(struct trace_writer *writer) {
    struct window *window = &writer->window;
    const size_t most = writer->place.path ? WINDOW_BYTES_FILE : WINDOW_BYTES_MEMORY;
    int failed = 0;
    file_unmap(&window->map);
    window->first = window->end = writer->committed;
    for (size_t wanted = writer->window_bytes; wanted >= writer->record_bytes; wanted /= 2) {
        uint64_t count = wanted / writer->record_bytes;
        size_t bytes = (size_t)count * writer->record_bytes;
        failed =
            writer->place.path ? window_in_file(writer, bytes) : window_in_memory(writer, bytes);
        if (!failed) {
            window->end = window->first + count;
            if (writer->window_bytes < most)
                writer->window_bytes *= 2;
            return true;
        }
    }
    writer_fail(writer, failed);
    return false;
}

void *trace_writer_reserve(struct trace_writer *writer, size_t *count) {
    *count = 0;
    commit(writer);
    if (writer->failure.kind != ERROR_NONE || writer->committed >= writer->step_limit)
        return NULL;
    if (writer->committed == writer->window.end) {
        if (!next_window(writer))
            return NULL;
    } else {
        /* A record that was begun and given up. */
        memset(record_at(writer, writer->committed), 0, writer->record_bytes);
    }
    uint64_t left = writer->window.end - writer->committed;
    uint64_t allowed = writer->step_limit - writer->committed;
    *count = (size_t)(left < allowed ? left : allowed);
    return record_at(writer, writer->committed);
}

void trace_writer_drop(struct trace_writer *writer, uint64_t steps) {
    writer->header->dropped += steps;
}

bool trace_writer_failed(const struct trace_writer *writer, struct error *err) {
    if (writer->failure.kind == ERROR_NONE)
        return false;
    if (err)
        *err = writer->failure;
    return true;
}

/* ---- ending ------------------------------------------------------------------------------------
 */

/* Appends a region at the next aligned offset after *end. Nothing to write is a region at 0. */
static int append_region(const struct trace_writer *writer, uint64_t *end, const void *bytes,
                         uint64_t count, uint64_t *offset) {
    *offset = 0;
    if (count == 0)
        return 0;
    uint64_t at = trace_file_align(*end);
    int failed = file_write(writer->descriptor, at, bytes, (size_t)count);
    if (failed)
        return failed;
    *offset = at;
    *end = at + count;
    return 0;
}

/* Writes the index. Where there is no room for it the recording is whole without: readers make
 * their own. */
static void write_index(struct trace_writer *writer, uint64_t *end) {
    struct trace_file_header *header = writer->header;
    struct trace_index index;
    uint64_t index_end = *end, runs, warps;
    if (!trace_index_builder_finish(&writer->index, &index) ||
        append_region(writer, &index_end, index.runs, index.run_count * sizeof(*index.runs),
                      &runs) != 0 ||
        append_region(writer, &index_end, index.warps, index.warp_count * sizeof(*index.warps),
                      &warps) != 0)
        return;
    header->runs_offset = runs;
    header->run_count = index.run_count;
    header->warps_offset = warps;
    header->warp_count = index.warp_count;
    *end = index_end;
}

/* Writes what follows the records and, last of all, that nothing is missing. */
static int write_end(struct trace_writer *writer) {
    struct trace_file_header *header = writer->header;
    uint64_t end = TRACE_FILE_RECORDS + writer->committed * writer->record_bytes;
    file_unmap(&writer->window.map);
    if (ftruncate(writer->descriptor, (off_t)end) != 0)
        return errno;
    int failed =
        append_region(writer, &end, writer->tail.data, writer->tail.length, &header->tail_offset);
    if (failed)
        return failed;
    header->tail_bytes = writer->tail.length;
    write_index(writer, &end);
    if (ftruncate(writer->descriptor, (off_t)end) != 0)
        return errno;
    header->file_bytes = end;

    struct trace_file_header closed = *header;
    closed.flags |= TRACE_FILE_CLOSED;
    uint64_t check =
        trace_file_check(TRACE_FILE_CHECK_INIT, &closed, offsetof(struct trace_file_header, check));
    check = trace_file_check(check, writer->front.data + TRACE_FILE_FRONT, header->front_bytes);
    header->check = trace_file_check(check, writer->tail.data, writer->tail.length);
    __atomic_store_n(&header->flags, closed.flags, __ATOMIC_RELEASE);
    return 0;
}

/* Whether the recording stays beside an older one instead of replacing it. */
static bool stays_beside(const struct trace_writer *writer) {
    return writer->place.occupied && writer->run_failed;
}

const char *trace_writer_destination(const struct trace_writer *writer) {
    return stays_beside(writer) ? writer->place.partial : writer->place.path;
}

const char *trace_writer_leftover(const struct trace_writer *writer) {
    return writer->place.leftover;
}

int trace_writer_close(struct trace_writer *writer, struct trace **trace, struct error *err) {
    commit(writer);
    int failed = write_end(writer);
    if (failed)
        writer_fail(writer, failed);
    file_unmap(&writer->front);
    const char *name = writer->place.path ? writer->place.path : "memory";
    bool opened = !trace || trace_open_descriptor(trace, writer->descriptor, name, err) == 0;
    bool whole = !trace_writer_failed(writer, err);
    if (whole && writer->place.path && !stays_beside(writer))
        whole = place_commit(&writer->place, writer->durable, err) == 0;
    place_release(&writer->place);
    writer_free(writer);
    return whole && opened ? 0 : -1;
}
