/*
 * Opens a recording by its end, which leads to everything else. If the end is missing, the run was
 * killed, and the blocks are walked from the beginning instead.
 */
#include "trace/read/reader.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/search.h"
#include "trace/crc32c.h"
#include "trace/lines/origins.h"
#include "trace/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what is wrong with a file ---- */

int reader_error_damaged(struct error *err, const char *name, const char *what) {
    return error_set(err, ERROR_USAGE,
                     _("cannot read '%s': the recording is damaged: %s\n"
                       "Copy it again from where it came from, or record it again."),
                     name, what);
}

/* Checks that this is a recording that this version understands, from the first bytes, which all
 * versions share. */
static int check_kind(const struct trace_file_header *header, const char *name, struct error *err) {
    uint64_t magic, difference;
    memcpy(&magic, TRACE_FILE_MAGIC, sizeof(magic));
    memcpy(&difference, header->magic, sizeof(difference));
    difference ^= magic;
    if (difference && (difference & (difference - 1)) == 0)
        return reader_error_damaged(err, name, _("one bit in its first bytes was changed"));
    if (difference)
        return error_set(err, ERROR_USAGE,
                         _("cannot read '%s': it is not a shflviz recording\nA recording is made "
                           "with -o, as in: shflviz xor --mask 3 -o xor.svt"),
                         name);
    if (header->byte_order != TRACE_FILE_BYTE_ORDER)
        return reader_error_damaged(err, name, _("its byte order is not little-endian"));
    if (header->version > TRACE_FILE_VERSION)
        return error_set(err, ERROR_USAGE,
                         _("cannot read '%s': its format is version %" PRIu32
                           ", and this shflviz reads version %u\n"
                           "If the file is not damaged, open it with the shflviz that made it, or "
                           "update this one."),
                         name, header->version, TRACE_FILE_VERSION);
    if (header->version < 1)
        return reader_error_damaged(err, name, _("there is no such version of the format"));
    return 0;
}

/* ---- version 2: header, end and metadata ---- */

static const char *check_header(const struct trace_file_header *header) {
    static const uint64_t none[8];
    const void *hints = &header->last_group;
    if (crc32c(0, header, offsetof(struct trace_file_header, check)) != header->check)
        return N_("its header was changed");
    if ((header->value_bytes != 4 && header->value_bytes != 8) ||
        header->record_bytes != SHFLVIZ_RECORD_SIZE(header->value_bytes) ||
        header->block_steps != TRACE_FILE_BLOCK_STEPS || header->flags & ~TRACE_FILE_CLOSED)
        return N_("its header is invalid");
    if (header->flags & TRACE_FILE_CLOSED && memcmp(hints, none, sizeof(none)) != 0)
        return N_("its header was changed");
    return NULL;
}

/* Offsets of the blocks of metadata, the last first. */
struct offsets {
    uint64_t *data;
    size_t count, room;
};

static void offsets_add(struct offsets *offsets, uint64_t offset) {
    offsets->data =
        memory_room(offsets->data, offsets->count, &offsets->room, sizeof(offsets->data[0]));
    offsets->data[offsets->count++] = offset;
}

static const char *collect_metadata(const struct trace *trace, uint64_t offset,
                                    struct offsets *offsets, uint64_t *bytes) {
    uint64_t before = UINT64_MAX;
    struct blocks_found found;
    *bytes = 0;
    for (; offset != 0; before = offset, offset = found.head.previous) {
        if (offset >= before || !blocks_peek(&trace->file, offset, &found) ||
            !blocks_read(&trace->file, offset, TRACE_FILE_METADATA, found.head.number, &found))
            return N_("its metadata were changed");
        *bytes += found.head.bytes;
        if (*bytes > TRACE_FILE_METADATA_MAX)
            return N_("its metadata have an invalid size");
        offsets_add(offsets, offset);
    }
    return NULL;
}

/* Reads the chain of metadata that ends at the offset, then `count` bytes that are in no block. */
static const char *read_metadata(struct trace *trace, uint64_t last, const unsigned char *entries,
                                 uint32_t count) {
    struct offsets offsets = {0};
    struct blocks_found found;
    uint64_t bytes;
    const char *wrong = collect_metadata(trace, last, &offsets, &bytes);
    metadata_init(&trace->metadata, wrong ? 0 : (size_t)bytes + count);
    while (!wrong && offsets.count > 0) {
        if (!blocks_peek(&trace->file, offsets.data[--offsets.count], &found) ||
            found.head.bytes > bytes)
            wrong = N_("its metadata were changed");
        else
            wrong = metadata_decode(&trace->metadata, found.payload, found.head.bytes);
        bytes -= wrong ? 0 : found.head.bytes;
    }
    if (!wrong && count > 0)
        wrong = metadata_decode(&trace->metadata, entries, count);
    metadata_sort(&trace->metadata);
    free(offsets.data);
    return wrong;
}

static uint64_t divide_up(uint64_t number, uint64_t by) {
    return number / by + (number % by != 0);
}

static const char *read_closed(struct trace *trace, uint64_t end_offset) {
    struct blocks_found end;
    struct trace_file_end totals;
    struct navigation *navigation = trace->navigation;
    if (end_offset > trace->file.bytes - sizeof(struct trace_file_block))
        return N_("its end is missing");
    if (!blocks_read(&trace->file, end_offset, TRACE_FILE_END, 0, &end))
        return blocks_peek(&trace->file, end_offset, &end) || end.head.mark != TRACE_FILE_BLOCK_MARK
                   ? N_("its end was changed")
                   : N_("its end is missing");
    if (end.head.bytes < sizeof(totals))
        return N_("its end block is invalid");
    memcpy(&totals, end.payload, sizeof(totals));
    const uint64_t counts[] = {divide_up(totals.step_count, TRACE_FILE_BLOCK_STEPS),
                               divide_up(totals.run_count, TRACE_FILE_BLOCK_RUNS),
                               divide_up(totals.warp_count, TRACE_FILE_BLOCK_RUNS)};
    /* The offset of a group takes 8 bytes but covers 131,072 steps: without this check a small
     * file could keep its reader busy for hours. */
    const uint64_t block_least = trace_file_align(sizeof(struct trace_file_block) + 1);
    uint64_t groups = 0;
    for (int i = 0; i < 3; i++) {
        if (counts[i] > trace->file.bytes / block_least)
            return N_("it is shorter than its header says");
        groups += divide_up(counts[i], TRACE_FILE_GROUP);
    }
    if (groups != (end.head.bytes - sizeof(totals)) / sizeof(uint64_t) ||
        (totals.run_count == 0) != (totals.warp_count == 0))
        return N_("its end block is invalid");
    navigation->whole = totals.run_count > 0 || totals.step_count == 0;
    navigation->index = (struct trace_index){
        .run_count = totals.run_count, .warp_count = totals.warp_count, .file = &navigation->file};
    struct blocks *const all[] = {&trace->blocks, &navigation->file.runs, &navigation->file.warps};
    const unsigned char *at = end.payload + sizeof(totals);
    for (int i = 0; i < 3; i++) {
        uint64_t count = divide_up(counts[i], TRACE_FILE_GROUP);
        blocks_release(all[i]);
        blocks_init(all[i], &trace->file, TRACE_FILE_STEPS + (unsigned)i, at, count);
        all[i]->count = counts[i];
        at += count * sizeof(uint64_t);
    }
    trace->step_count = totals.step_count;
    trace->dropped = totals.dropped;
    return read_metadata(trace, totals.last_metadata, NULL, 0);
}

/* ---- version 2: a recording that was not closed ---- */

/* The groups of steps, from the last to the first. False if one of them is damaged. */
static bool read_groups(struct trace *trace, uint64_t last, uint64_t *behind) {
    const unsigned kind = TRACE_FILE_GROUP_OF + TRACE_FILE_STEPS;
    struct blocks_found found;
    *behind = TRACE_FILE_HEADER_BYTES;
    blocks_init(&trace->blocks, &trace->file, TRACE_FILE_STEPS, NULL, 0);
    if (last == 0)
        return true;
    if (!blocks_peek(&trace->file, last, &found) ||
        found.head.number >= trace->file.bytes / sizeof(found.head))
        return false;
    uint64_t number = found.head.number;
    *behind = found.end;
    blocks_release(&trace->blocks);
    blocks_init(&trace->blocks, &trace->file, TRACE_FILE_STEPS, NULL, number + 1);
    for (uint64_t offset = last;; offset = found.head.previous, number--) {
        if (!blocks_read(&trace->file, offset, kind, number, &found) ||
            found.head.count != TRACE_FILE_GROUP)
            return false;
        trace->blocks.groups[number] = offset;
        trace->blocks.sound[number] = 1;
        if (number == 0)
            return true;
    }
}

uint64_t reader_count_whole(const unsigned char *records, size_t record_bytes, uint64_t first,
                            uint64_t room) {
    uint64_t count = 0, sequence;
    for (; count < room; count++) {
        memcpy(&sequence, records + count * record_bytes, sizeof(sequence));
        if (sequence != first + count + 1)
            break;
    }
    return count;
}

/* Copies the steps that the run was writing when it was killed, or is still writing. */
static void read_open(struct trace *trace, const struct blocks_found *found, uint64_t first) {
    uint64_t room = found->head.bytes / trace->record_bytes;
    if (room > TRACE_FILE_BLOCK_STEPS)
        room = TRACE_FILE_BLOCK_STEPS;
    trace->open = memory_alloc(TRACE_FILE_BLOCK_STEPS * trace->record_bytes);
    memcpy(trace->open, found->payload, (size_t)room * trace->record_bytes);
    trace->step_count = first + reader_count_whole(trace->open, trace->record_bytes, first, room);
}

static const char *read_unclosed(struct trace *trace, const struct trace_file_header *header) {
    uint64_t behind, metadata = header->last_metadata;
    struct blocks *blocks = &trace->blocks;
    struct blocks_found found;
    trace->dropped = header->dropped;
    bool sound = read_groups(trace, header->last_group, &behind);
    if (!sound)
        return N_("its list of blocks was changed");
    blocks->rest = memory_zeroed(TRACE_FILE_GROUP, sizeof(blocks->rest[0]));
    blocks->count = blocks->group_count * TRACE_FILE_GROUP;
    trace->step_count = blocks->count * TRACE_FILE_BLOCK_STEPS;
    for (; blocks_peek(&trace->file, behind, &found); behind = found.end) {
        if (found.head.kind == TRACE_FILE_METADATA) {
            metadata = behind;
        } else if (found.head.kind == TRACE_FILE_OPEN) {
            read_open(trace, &found, trace->step_count);
            uint64_t left = trace->file.bytes - found.end;
            return read_metadata(trace, metadata, trace->file.data + found.end,
                                 found.head.entries <= left ? found.head.entries : 0);
        } else if (found.head.kind == TRACE_FILE_STEPS && found.head.number == blocks->count &&
                   blocks->rest_count < TRACE_FILE_GROUP && found.head.count >= 1 &&
                   found.head.count <= TRACE_FILE_BLOCK_STEPS) {
            blocks->rest[blocks->rest_count++] = behind;
            blocks->count++;
            trace->step_count += found.head.count;
        } else if (found.head.kind != TRACE_FILE_GROUP_OF + TRACE_FILE_STEPS) {
            break;
        }
    }
    /* The run was killed while it wrote its last block. */
    if (blocks->rest_count > 0 && !blocks_find(blocks, blocks->count - 1, &found)) {
        trace->step_count = (blocks->count - 1) * TRACE_FILE_BLOCK_STEPS;
        blocks->rest_count--;
        blocks->count--;
    }
    return read_metadata(trace, metadata, NULL, 0);
}

static const char *read_file(struct trace *trace, const struct trace_file_header *header) {
    const char *wrong = check_header(header);
    if (wrong)
        return wrong;
    trace->value_bytes = header->value_bytes;
    trace->record_bytes = header->record_bytes;
    trace->closed = header->flags & TRACE_FILE_CLOSED;
    trace->slots = READER_SLOTS;
    trace->cache = memory_zeroed(trace->slots, sizeof(trace->cache[0]));
    return trace->closed ? read_closed(trace, header->end_offset) : read_unclosed(trace, header);
}

/* ---- opening ---- */

/* Refuses what cannot be a recording before anything is mapped. */
static int check_file(int descriptor, const char *name, uint64_t *bytes, struct error *err) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return recording_error_read(err, errno, name);
    if (!S_ISREG(status.st_mode))
        return recording_error_read_kind(err, status.st_mode, name);
    *bytes = (uint64_t)status.st_size;
    if (*bytes == 0)
        return error_set(err, ERROR_USAGE,
                         _("cannot read '%s': the file is empty\n"
                           "A recording is made with -o, as in: shflviz xor --mask 3 -o xor.svt"),
                         name);
    return 0;
}

/* Reads the beginning, which identifies the rest. */
static int read_any(struct trace *trace, const char *name, struct error *err) {
    struct trace_file_header header = {0};
    uint64_t count = trace->file.bytes < sizeof(header) ? trace->file.bytes : sizeof(header);
    memcpy(&header, trace->file.data, (size_t)count);
    if (count < sizeof(header) &&
        memcmp(&header, TRACE_FILE_MAGIC,
               count < TRACE_FILE_MAGIC_BYTES ? (size_t)count : TRACE_FILE_MAGIC_BYTES) == 0)
        return reader_error_damaged(err, name, _("all but its beginning is missing"));
    if (check_kind(&header, name, err) != 0)
        return -1;
    const char *wrong = header.version == 1 ? version1_read(trace) : read_file(trace, &header);
    return wrong ? reader_error_damaged(err, name, _(wrong)) : 0;
}

int trace_open_descriptor(struct trace **trace, int descriptor, const char *name,
                          struct error *err) {
    uint64_t bytes = 0;
    *trace = NULL;
    if (check_file(descriptor, name, &bytes, err) != 0)
        return -1;
    struct trace *t = memory_zeroed(1, sizeof(*t));
    t->navigation = memory_zeroed(1, sizeof(*t->navigation));
    t->lines = memory_zeroed(1, sizeof(*t->lines));
    trace_index_builder_init(&t->navigation->first, NULL);
    trace_index_builder_init(&t->navigation->builder, NULL);
    int failed = file_map(&t->map, descriptor, 0, bytes, FILE_MAP_READ);
    file_map_advise(&t->map, FILE_MAP_RANDOM);
    t->file = (struct blocks_file){t->map.data, bytes};
    if (failed)
        failed = recording_error_read(err, failed, name);
    else
        failed = read_any(t, name, err);
    if (failed) {
        trace_close(t);
        return -1;
    }
    *trace = t;
    return 0;
}

int trace_open(struct trace **trace, const char *path, struct error *err) {
    struct stat status;
    *trace = NULL;
    /* Checked before it is opened: opening a device or a pipe can have side effects. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return recording_error_read_kind(err, status.st_mode, path);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0)
        return recording_error_read(err, errno, path);
    int result = trace_open_descriptor(trace, descriptor, path, err);
    close(descriptor);
    return result;
}

void trace_copy(const struct trace *trace, FILE *out) {
    fwrite(trace->file.data, 1, (size_t)trace->file.bytes, out);
}

const void *trace_bytes(const struct trace *trace, size_t *count) {
    *count = (size_t)trace->file.bytes;
    return trace->map.data;
}

void trace_close(struct trace *trace) {
    if (!trace)
        return;
    trace_index_builder_release(&trace->navigation->first);
    trace_index_builder_release(&trace->navigation->builder);
    trace_index_file_release(&trace->navigation->file);
    free(trace->navigation);
    for (int i = 0; i < READER_LINES; i++)
        trace_lines_release(trace->lines->slot[i].lines);
    free(trace->lines);
    for (int i = 0; trace->cache && i < (int)trace->slots; i++)
        free(trace->cache[i].records);
    free(trace->cache);
    free(trace->open);
    blocks_release(&trace->blocks);
    trace_origins_release(trace->origins);
    metadata_release(&trace->metadata);
    file_unmap(&trace->map);
    free(trace);
}

/* ---- contents ---- */

uint64_t trace_step_count(const struct trace *trace) {
    return trace->step_count;
}

uint64_t trace_dropped(const struct trace *trace) {
    return trace->dropped;
}

bool trace_is_complete(const struct trace *trace) {
    return trace->closed;
}

unsigned trace_value_bytes(const struct trace *trace) {
    return trace->value_bytes;
}

size_t trace_launch_count(const struct trace *trace) {
    return trace->metadata.launch_count;
}

const struct trace_launch *trace_launch(const struct trace *trace, uint32_t launch) {
    return launch < trace->metadata.launch_count ? &trace->metadata.launches[launch] : NULL;
}

const struct trace_site *trace_site(const struct trace *trace, uint32_t site) {
    return site < trace->metadata.site_count ? &trace->metadata.sites[site] : NULL;
}

size_t trace_output_count(const struct trace *trace) {
    return trace->metadata.output_count;
}

const struct trace_output *trace_output(const struct trace *trace, size_t index) {
    return index < trace->metadata.output_count ? &trace->metadata.outputs[index] : NULL;
}

/* The second half of the last pair whose first half is `first`, or NULL. */
static const char *find_pair(const struct metadata_pair *pairs, size_t count, const char *first) {
    while (count-- > 0)
        if (strcmp(pairs[count].first, first) == 0)
            return pairs[count].second;
    return NULL;
}

const char *trace_source(const struct trace *trace, const char *file) {
    return find_pair(trace->metadata.sources, trace->metadata.source_count, file);
}

const char *trace_note(const struct trace *trace, const char *key) {
    return find_pair(trace->metadata.notes, trace->metadata.note_count, key);
}

const struct trace_registers *trace_registers(const struct trace *trace, uint64_t step) {
    const struct metadata *metadata = &trace->metadata;
    const size_t until = search_up_to(metadata->registers, metadata->registers_count,
                                      sizeof(*metadata->registers), step);
    return until > 0 && metadata->registers[until - 1].step == step
               ? &metadata->registers[until - 1]
               : NULL;
}

uint64_t trace_register(const struct trace_operand *operand, unsigned number, unsigned lane) {
    uint64_t value = 0;
    const unsigned char *values = operand->values;
    memcpy(&value, values + ((size_t)number * WARP_LANES + lane) * operand->bytes, operand->bytes);
    return value;
}

bool trace_is_followed(const struct trace *trace) {
    const char *note = trace_note(trace, TRACE_NOTE_FOLLOWED);
    return note && strcmp(note, "yes") == 0;
}
