/*
 * Steps are written into a mapped window of the file, so that a killed run leaves them behind; when
 * the window is full, they are coded to take less room. Space for closing is reserved, so that a
 * full disk cannot damage the recording.
 */
#include "trace/writer.h"

#include "base/file.h"
#include "base/memory.h"
#include "trace/compact/compact.h"
#include "trace/crc32c.h"
#include "trace/lines/origins.h"
#include "trace/metadata.h"
#include "trace/read/file_blocks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* How much of the file is prepared at a time: little at first, so that a short file is cheap. */
#define WINDOW_BYTES_MOST (4u << 20)
/* Space after the records that are being filled: for metadata that arrive meanwhile, and for what
 * is written when the recording is closed on a full disk. */
#define ENTRIES_BYTES (16u << 10)
#define SPARE_BYTES   (16u << 10)

void writer_fail(struct trace_writer *writer, int errno_value) {
    if (writer->failure.kind == ERROR_NONE)
        recording_error_write(&writer->failure, errno_value, writer->file.path,
                              writer->file.partial);
}

static void writer_free(struct trace_writer *writer) {
    gathering_release(writer->gathering);
    file_unmap(&writer->window.map);
    free(writer->window.buffer);
    file_unmap(&writer->map);
    for (uint32_t i = 0; i < writer->site_count; i++)
        text_release(&writer->sites[i]);
    free(writer->sites);
    text_release(&writer->source_names);
    text_release(&writer->scratch);
    text_release(&writer->pending);
    text_release(&writer->late);
    text_release(&writer->payload);
    text_release(&writer->block);
    text_release(&writer->steps.groups);
    trace_index_builder_release(&writer->index);
    free(writer);
}

/* ---- blocks ---- */

static int put_block(struct trace_writer *writer, struct trace_file_block head, const void *payload,
                     size_t bytes, uint64_t *offset) {
    return blocks_put(writer->descriptor, &writer->end, head, payload, bytes, &writer->block,
                      offset);
}

int writer_put_group(struct trace_writer *writer, struct listing *listing) {
    uint64_t groups = listing->groups.length / sizeof(uint64_t), offset;
    uint32_t count = (uint32_t)(listing->blocks - groups * TRACE_FILE_GROUP);
    if (count == 0)
        return 0;
    const struct trace_file_block head = {.kind = (uint16_t)(TRACE_FILE_GROUP_OF + listing->kind),
                                          .number = groups,
                                          .first = groups * TRACE_FILE_GROUP,
                                          .previous = listing->last_group,
                                          .count = count};
    int failed = put_block(writer, head, listing->offsets, count * sizeof(uint64_t), &offset);
    if (failed)
        return failed;
    text_append_bytes(&listing->groups, &offset, sizeof(offset));
    listing->last_group = offset;
    return 0;
}

/* Registers a block that is in the file. */
static int list_block(struct trace_writer *writer, struct listing *listing, uint64_t offset) {
    listing->offsets[listing->blocks++ % TRACE_FILE_GROUP] = offset;
    return listing->blocks % TRACE_FILE_GROUP == 0 ? writer_put_group(writer, listing) : 0;
}

int writer_put_blocks(struct trace_writer *writer, struct listing *listing,
                      const struct text *const blocks[], uint64_t count) {
    int failed = 0;
    while (!failed && count > 0) {
        const uint64_t left = TRACE_FILE_GROUP - listing->blocks % TRACE_FILE_GROUP,
                       now = left < count ? left : count;
        uint64_t offset = writer->end;
        struct iovec pieces[TRACE_FILE_GROUP];
        uint64_t bytes = 0;
        for (uint64_t i = 0; i < now; i++, bytes += blocks[i - 1]->length)
            pieces[i] = (struct iovec){blocks[i]->data, blocks[i]->length};
        failed = file_write_pieces(writer->descriptor, offset, pieces, (size_t)now);
        writer->end += failed ? 0 : bytes;
        for (uint64_t i = 0; !failed && i < now; i++) {
            failed = list_block(writer, listing, offset);
            offset += blocks[i]->length;
        }
        blocks += now;
        count -= now;
    }
    return failed;
}

/* Appends a block of steps. */
static int put_steps(struct trace_writer *writer, uint16_t encoding, uint64_t first,
                     uint32_t count) {
    uint64_t offset;
    const struct trace_file_block head = {.kind = TRACE_FILE_STEPS,
                                          .encoding = encoding,
                                          .number = writer->steps.blocks,
                                          .first = first,
                                          .count = count};
    int failed = put_block(writer, head, writer->payload.data, writer->payload.length, &offset);
    return failed ? failed : list_block(writer, &writer->steps, offset);
}

/* Metadata must precede the steps that name them. */
static int put_metadata(struct trace_writer *writer) {
    const struct trace_file_block head = {.kind = TRACE_FILE_METADATA,
                                          .number = writer->metadata_blocks,
                                          .previous = writer->last_metadata};
    text_append_bytes(&writer->pending, writer->late.data, writer->late.length);
    text_clear(&writer->late);
    if (writer->pending.length == 0)
        return 0;
    int failed = put_block(writer, head, writer->pending.data, writer->pending.length,
                           &writer->last_metadata);
    if (failed)
        return failed;
    writer->metadata_blocks++;
    writer->header->last_metadata = writer->last_metadata;
    text_clear(&writer->pending);
    return 0;
}

/* ---- beginning ---- */

static struct trace_file_header new_header(unsigned value_bytes) {
    struct trace_file_header header = {
        .magic = TRACE_FILE_MAGIC,
        .version = TRACE_FILE_VERSION,
        .byte_order = TRACE_FILE_BYTE_ORDER,
        .value_bytes = value_bytes,
        .record_bytes = SHFLVIZ_RECORD_SIZE(value_bytes),
        .block_steps = TRACE_FILE_BLOCK_STEPS,
    };
    header.check = crc32c(0, &header, offsetof(struct trace_file_header, check));
    return header;
}

static uint64_t window_need(const struct trace_writer *writer) {
    return sizeof(struct trace_file_block) + TRACE_FILE_BLOCK_STEPS * writer->record_bytes +
           ENTRIES_BYTES + SPARE_BYTES;
}

/* Prepares the file from its end on. On a disk that is nearly full a shorter stretch is enough. */
static int next_stretch(struct trace_writer *writer) {
    struct window *window = &writer->window;
    uint64_t need = window_need(writer);
    int failed = 0;
    file_unmap(&window->map);
    for (uint64_t bytes = writer->window_bytes; bytes >= need; bytes = bytes / 2) {
        failed = file_extend(writer->descriptor, writer->end, bytes);
        if (!failed) {
            window->map_offset = writer->end;
            window->map_end = writer->end + bytes;
            window->dirty_end = writer->end;
            if (writer->window_bytes < WINDOW_BYTES_MOST)
                writer->window_bytes *= 2;
            return file_map(&window->map, writer->descriptor, writer->end, bytes, FILE_MAP_WRITE);
        }
    }
    return failed;
}

/* Writes the header in one piece, so that a run killed here leaves an empty file or a recording,
 * and prepares the first stretch after it. */
static int write_beginning(struct trace_writer *writer) {
    const struct trace_file_header header = new_header(writer->value_bytes);
    writer->end = sizeof(header);
    writer->window_bytes = (size_t)window_need(writer);
    int failed = file_write(writer->descriptor, 0, &header, sizeof(header));
    if (!failed)
        failed = file_map(&writer->map, writer->descriptor, 0, sizeof(header), FILE_MAP_WRITE);
    writer->header = (struct trace_file_header *)writer->map.data;
    if (failed || !writer->file.path)
        return failed;
    return next_stretch(writer);
}

int trace_writer_open(struct trace_writer **writer, const char *path,
                      const struct trace_writer_options *options, struct error *err) {
    *writer = NULL;
    struct recording_file file = {.descriptor = path ? -1 : file_in_memory()};
    if (path && recording_file_open(&file, path, options->in_place, err) != 0)
        return -1;
    if (file.descriptor < 0)
        return recording_error_write(err, errno, NULL, NULL);

    struct trace_writer *w = memory_zeroed(1, sizeof(*w));
    w->file = file;
    w->descriptor = file.descriptor;
    w->durable = options->durable;
    w->value_bytes = options->value_bytes;
    w->record_bytes = SHFLVIZ_RECORD_SIZE(options->value_bytes);
    w->step_limit = options->step_limit ? options->step_limit : UINT64_MAX;
    w->steps.kind = TRACE_FILE_STEPS;
    struct text *const texts[] = {&w->pending,      &w->scratch,      &w->payload, &w->block,
                                  &w->source_names, &w->steps.groups, &w->late};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        text_init(texts[i]);
    char *folder = path ? file_folder(path) : NULL;
    trace_index_builder_init(&w->index, folder);
    free(folder);

    int failed = write_beginning(w);
    if (failed) {
        if (path)
            recording_file_discard(&w->file);
        recording_error_write(err, failed, path, NULL);
        recording_file_release(&w->file);
        writer_free(w);
        return -1;
    }
    *writer = w;
    return 0;
}

/* ---- metadata ---- */

/* Stores the entry of writer->scratch so that it survives if the run is killed: after the records
 * that are being filled, if there is room. A block of metadata follows when those are written. */
static void put_entry(struct trace_writer *writer) {
    const struct text *entry = &writer->scratch;
    struct trace_file_block *head = writer->window.head;
    size_t before = writer->pending.length;
    if (writer->metadata_bytes + entry->length > TRACE_FILE_METADATA_MAX) {
        writer_fail(writer, EFBIG);
        return;
    }
    writer->metadata_bytes += entry->length;
    text_append_bytes(&writer->pending, entry->data, entry->length);
    if (!head || head->entries != before || before + entry->length > ENTRIES_BYTES)
        return;
    memcpy(writer->window.records + head->bytes + before, entry->data, entry->length);
    /* Set after the entry, so that a run killed between the two leaves complete entries. */
    __atomic_store_n(&head->entries, (uint32_t)(before + entry->length), __ATOMIC_RELEASE);
}

uint32_t trace_writer_launch(struct trace_writer *writer, const struct trace_launch *launch) {
    text_clear(&writer->scratch);
    metadata_encode_launch(&writer->scratch, launch);
    put_entry(writer);
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
    put_entry(writer);
    writer->sites =
        memory_room(writer->sites, writer->site_count, &writer->site_room, sizeof(*writer->sites));
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
    put_entry(writer);
}

void trace_writer_note(struct trace_writer *writer, const char *key, const char *value) {
    if (strcmp(key, TRACE_NOTE_FAILURE) == 0)
        writer->run_failed = true;
    text_clear(&writer->scratch);
    metadata_encode_pair(&writer->scratch, TRACE_FILE_NOTE, key, value);
    put_entry(writer);
}

void trace_writer_mark(struct trace_writer *writer, uint64_t step, uint32_t in, uint32_t out) {
    text_clear(&writer->scratch);
    metadata_encode_mark(&writer->scratch, step, in, out);
    put_entry(writer);
}

static void note_cut(struct trace_writer *writer, const char *note, uint64_t count) {
    char number[32];
    snprintf(number, sizeof(number), "%" PRIu64, count);
    trace_writer_note(writer, note, number);
}

/* Bytes of an entry without its text, at most. */
#define OUTPUT_ENTRY 32

void trace_writer_output(struct trace_writer *writer, unsigned stream, const char *bytes,
                         size_t count) {
    const uint64_t left = TRACE_OUTPUT_MOST - writer->output_bytes;
    const size_t kept = left <= OUTPUT_ENTRY          ? 0
                        : count < left - OUTPUT_ENTRY ? count
                                                      : (size_t)(left - OUTPUT_ENTRY);
    const struct trace_output output = {.step = trace_writer_next_sequence(writer) - 1,
                                        .launches = writer->launch_count,
                                        .stream = stream,
                                        .text = bytes};
    if (kept > 0) {
        writer->output_bytes += kept + OUTPUT_ENTRY;
        text_clear(&writer->scratch);
        metadata_encode_output(&writer->scratch, &output, kept);
        if (writer->late.length == 0 &&
            writer->pending.length + writer->scratch.length <= ENTRIES_BYTES / 2) {
            put_entry(writer);
        } else {
            writer->metadata_bytes += writer->scratch.length;
            text_append_bytes(&writer->late, writer->scratch.data, writer->scratch.length);
        }
    }
    if (kept < count)
        trace_writer_output_cut(writer, count - kept);
}

void trace_writer_output_cut(struct trace_writer *writer, uint64_t bytes) {
    const bool first = writer->output_cut == 0;
    writer->output_cut += bytes;
    if (first) /* a killed run at least records that there was more */
        note_cut(writer, TRACE_NOTE_OUTPUT_CUT, writer->output_cut);
}

/* ---- lines ---- */

uint32_t trace_writer_function(struct trace_writer *writer, const struct trace_function *function) {
    text_clear(&writer->scratch);
    metadata_encode_function(&writer->scratch, function);
    put_entry(writer);
    return writer->function_count++;
}

/* Lines of a killed run are useless without those before them, and there is no room for many
 * beside the records: they go into the next block of metadata. */
void trace_writer_lines(struct trace_writer *writer, const struct trace_line_chunk *chunk) {
    text_clear(&writer->scratch);
    metadata_encode_lines(&writer->scratch, chunk);
    if (writer->lines_cut || writer->lines_bytes + writer->scratch.length > TRACE_LINES_MOST) {
        const bool first = writer->lines_cut == 0;
        writer->lines_cut += chunk->count;
        if (first)
            note_cut(writer, TRACE_NOTE_LINES_CUT, writer->lines_cut);
        return;
    }
    writer->lines_bytes += writer->scratch.length;
    writer->metadata_bytes += writer->scratch.length;
    text_append_bytes(&writer->late, writer->scratch.data, writer->scratch.length);
}

void trace_writer_registers(struct trace_writer *writer, const struct trace_registers *registers) {
    text_clear(&writer->scratch);
    metadata_encode_registers(&writer->scratch, registers);
    if (writer->registers_bytes + writer->scratch.length > TRACE_REGISTERS_BYTES) {
        if (writer->registers_cut++ == 0)
            note_cut(writer, TRACE_NOTE_REGISTERS_CUT, 1);
        return;
    }
    writer->registers_bytes += writer->scratch.length;
    writer->metadata_bytes += writer->scratch.length;
    text_append_bytes(&writer->late, writer->scratch.data, writer->scratch.length);
}

void trace_writer_origins(struct trace_writer *writer, const void *bytes, size_t size) {
    const bool was_whole = writer->origins_bytes <= TRACE_ORIGINS_MOST;
    writer->origins_bytes += size;
    if (writer->origins_bytes > TRACE_ORIGINS_MOST) {
        if (was_whole)
            trace_writer_note(writer, TRACE_NOTE_ORIGINS_CUT, "1");
        return;
    }
    text_clear(&writer->scratch);
    metadata_encode_origins(&writer->scratch, bytes, size);
    writer->metadata_bytes += writer->scratch.length;
    text_append_bytes(&writer->late, writer->scratch.data, writer->scratch.length);
}

/* ---- steps ---- */

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
    return writer->value_bytes;
}

void writer_commit(struct trace_writer *writer) {
    uint64_t step = writer->committed;
    for (; step < writer->window.end && record_is_whole(writer, step); step++) {
        const struct shflviz_record_header *record = (const void *)record_at(writer, step);
        trace_index_builder_add(&writer->index, step, record->launch, record->block, record->warp);
    }
    writer->committed = step;
}

int writer_seal(struct trace_writer *writer) {
    struct window *window = &writer->window;
    uint32_t count = (uint32_t)(writer->committed - window->first);
    enum trace_file_encoding encoding = TRACE_FILE_COMPACT;
    window->head = NULL;
    window->end = writer->committed;
    text_clear(&writer->payload);
    if (count > 0 &&
        (!compact_encode_steps(&writer->payload, window->records, count, writer->value_bytes) ||
         writer->payload.length > count * writer->record_bytes)) {
        encoding = TRACE_FILE_RAW;
        text_clear(&writer->payload);
        text_append_bytes(&writer->payload, window->records, count * writer->record_bytes);
    }
    int failed = put_metadata(writer);
    if (!failed && count > 0)
        failed = put_steps(writer, (uint16_t)encoding, window->first, count);
    if (failed) { /* these steps are lost, and all later ones have the wrong index */
        trace_writer_drop(writer, count);
        writer->steps.blocks = window->first / TRACE_FILE_BLOCK_STEPS;
        writer->committed = window->end = window->first;
        writer->index.failed = true;
    }
    window->first = writer->committed;
    writer->header->last_group = writer->steps.last_group;
    return failed;
}

/* Begins a block OPEN, zeroed. Returns 0 or an errno value. */
static int begin_window(struct trace_writer *writer) {
    struct window *window = &writer->window;
    const size_t records = TRACE_FILE_BLOCK_STEPS * writer->record_bytes;
    int failed = put_metadata(writer);
    window->first = writer->committed;
    if (!failed && !writer->file.path) {
        void *buffer = window->buffer;
        if (!buffer && posix_memalign(&buffer, TRACE_FILE_ALIGN, records) != 0)
            return ENOMEM;
        window->records = window->buffer = buffer;
        memset(buffer, 0, records);
        window->end = window->first + TRACE_FILE_BLOCK_STEPS;
        return 0;
    }
    if (!failed && writer->end + window_need(writer) > window->map_end)
        failed = next_stretch(writer);
    if (failed)
        return failed;
    unsigned char *at = window->map.data + (writer->end - window->map_offset);
    if (window->dirty_end > writer->end)
        memset(at, 0, (size_t)(window->dirty_end - writer->end));
    window->dirty_end = writer->end + window_need(writer) - SPARE_BYTES;
    window->records = at + sizeof(struct trace_file_block);
    window->end = window->first + TRACE_FILE_BLOCK_STEPS;
    window->head = (struct trace_file_block *)(void *)at;
    *window->head = (struct trace_file_block){.kind = TRACE_FILE_OPEN,
                                              .number = writer->steps.blocks,
                                              .first = window->first,
                                              .count = TRACE_FILE_BLOCK_STEPS,
                                              .bytes = (uint32_t)records};
    __atomic_store_n(&window->head->mark, TRACE_FILE_BLOCK_MARK, __ATOMIC_RELEASE);
    return 0;
}

void *trace_writer_reserve(struct trace_writer *writer, size_t *count) {
    *count = 0;
    writer_commit(writer);
    if (writer->failure.kind != ERROR_NONE || writer->committed >= writer->step_limit)
        return NULL;
    if (writer->committed == writer->window.end) {
        int failed = writer_seal(writer);
        if (!failed)
            failed = begin_window(writer);
        if (failed) {
            writer_fail(writer, failed);
            return NULL;
        }
    } else {
        /* Clears a record that was begun and abandoned. */
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

/* Turns the records being filled into a block, so that everything recorded is in the file. */
int trace_writer_look(struct trace_writer *writer, struct trace **trace, struct error *err) {
    writer_commit(writer);
    writer->step_limit = writer->committed;
    int failed = writer_seal(writer);
    *trace = NULL;
    if (failed)
        return recording_error_write(err, failed, writer->file.path, writer->file.partial);
    return trace_open_descriptor(trace, writer->descriptor,
                                 writer->file.path ? writer->file.path : "memory", err);
}

/* ---- ending ---- */

/* Writes what follows the steps and, last of all, that nothing is missing. */
static int write_end(struct trace_writer *writer) {
    struct listing runs = {.kind = TRACE_FILE_RUNS}, warps = {.kind = TRACE_FILE_WARPS};
    struct trace_file_end totals = {0};
    struct trace_file_header header = new_header(writer->value_bytes);
    text_init(&runs.groups);
    text_init(&warps.groups);
    int failed = writer_seal(writer);
    totals.step_count = writer->committed;
    totals.dropped = writer->header->dropped;
    totals.last_metadata = writer->last_metadata;
    file_unmap(&writer->window.map);
    if (!failed)
        failed = writer_put_group(writer, &writer->steps);
    if (!failed) {
        writer_put_index(writer, &runs, &warps, &totals);
        text_clear(&writer->payload);
        text_append_bytes(&writer->payload, &totals, sizeof(totals));
        text_append_bytes(&writer->payload, writer->steps.groups.data, writer->steps.groups.length);
        text_append_bytes(&writer->payload, runs.groups.data, runs.groups.length);
        text_append_bytes(&writer->payload, warps.groups.data, warps.groups.length);
        failed = put_block(writer, (struct trace_file_block){.kind = TRACE_FILE_END},
                           writer->payload.data, writer->payload.length, &header.end_offset);
    }
    if (!failed && ftruncate(writer->descriptor, (off_t)writer->end) != 0)
        failed = errno;
    text_release(&runs.groups);
    text_release(&warps.groups);
    if (failed)
        return failed;
    header.flags = TRACE_FILE_CLOSED;
    header.check = crc32c(0, &header, offsetof(struct trace_file_header, check));
    return file_write(writer->descriptor, 0, &header, sizeof(header));
}

/* True if the recording stays beside an older one instead of replacing it. */
static bool stays_beside(const struct trace_writer *writer) {
    return writer->file.occupied && writer->run_failed;
}

const char *trace_writer_destination(const struct trace_writer *writer) {
    return stays_beside(writer) ? writer->file.partial : writer->file.path;
}

const char *trace_writer_leftover(const struct trace_writer *writer) {
    return writer->file.leftover;
}

int trace_writer_close(struct trace_writer *writer, struct trace **trace, struct error *err) {
    writer_commit(writer);
    if (writer->output_cut)
        note_cut(writer, TRACE_NOTE_OUTPUT_CUT, writer->output_cut);
    if (writer->lines_cut)
        note_cut(writer, TRACE_NOTE_LINES_CUT, writer->lines_cut);
    if (writer->registers_cut)
        note_cut(writer, TRACE_NOTE_REGISTERS_CUT, writer->registers_cut);
    int failed = write_end(writer);
    if (failed)
        writer_fail(writer, failed);
    file_unmap(&writer->map);
    const char *name = writer->file.path ? writer->file.path : "memory";
    bool opened = !trace || trace_open_descriptor(trace, writer->descriptor, name, err) == 0;
    bool whole = !trace_writer_failed(writer, err);
    if (whole && writer->file.path && !stays_beside(writer))
        whole = recording_file_commit(&writer->file, writer->durable, err) == 0;
    recording_file_release(&writer->file);
    writer_free(writer);
    return whole && opened ? 0 : -1;
}
