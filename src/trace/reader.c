#include "trace/trace.h"

#include "base/memory.h"
#include "base/message.h"
#include "trace/file.h"
#include "trace/format.h"
#include "trace/index.h"
#include "trace/metadata.h"
#include "trace/place.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The index, and how it came about. A recording without one in the file gets two: one of its first
 * steps, soon, and in the end one of all. */
struct navigation {
    struct trace_index index;
    bool asked, whole, no_room;
    struct trace_index_builder first, builder;
    uint64_t listed;  /* steps that went into builder, or are damaged */
    uint64_t damaged; /* of these */
};

struct trace {
    struct file_map map;
    uint64_t file_bytes;
    struct trace_file_header header; /* a copy: the file may change under us */
    const unsigned char *records;
    uint64_t step_count;
    struct metadata metadata;
    /* Apart, because it is made when first asked for, of a trace that is const. */
    struct navigation *navigation;
};

/* ---- opening -----------------------------------------------------------------------------------
 */

static int error_damaged(struct error *err, const char *name, const char *what) {
    return error_set(err, ERROR_USAGE,
                     _("cannot read '%s': the recording is damaged: %s\n"
                       "Copy it again from where it came from, or record it anew."),
                     name, what);
}

/* Whether [offset, offset + bytes) is an aligned part of the file behind the header. */
static bool region_fits(const struct trace *trace, uint64_t offset, uint64_t bytes) {
    uint64_t end;
    return offset >= TRACE_FILE_HEADER_BYTES && offset % 8 == 0 &&
           !__builtin_add_overflow(offset, bytes, &end) && end <= trace->file_bytes;
}

/* The same for `count` elements; none of them may be anywhere. */
static bool table_fits(const struct trace *trace, uint64_t offset, uint64_t count,
                       uint64_t element) {
    uint64_t bytes;
    return count == 0 ||
           (!__builtin_mul_overflow(count, element, &bytes) && region_fits(trace, offset, bytes));
}

/* Whether this is a recording that this version understands. */
static int check_kind(const struct trace *trace, const char *name, struct error *err) {
    const struct trace_file_header *header = &trace->header;
    if (memcmp(header->magic, TRACE_FILE_MAGIC, TRACE_FILE_MAGIC_BYTES) != 0)
        return error_set(err, ERROR_USAGE,
                         _("cannot read '%s': it is no recording of shflviz\n"
                           "A recording is made with -o, as in: shflviz xor --mask 3 -o xor.svt"),
                         name);
    if (header->byte_order != TRACE_FILE_BYTE_ORDER)
        return error_damaged(err, name, "its byte order is not little-endian");
    if (header->version > TRACE_FILE_VERSION)
        return error_set(err, ERROR_USAGE,
                         _("cannot read '%s': its format is version %" PRIu32
                           ", and this shflviz reads version %u\n"
                           "Open it with the shflviz that made it, or update this one."),
                         name, header->version, TRACE_FILE_VERSION);
    if (header->version != TRACE_FILE_VERSION)
        return error_damaged(err, name, "there is no such version of the format");
    return 0;
}

/* What is wrong with the sizes and places in the header, or NULL. */
static const char *check_layout(const struct trace *trace) {
    const struct trace_file_header *header = &trace->header;
    if (header->header_bytes != TRACE_FILE_HEADER_BYTES)
        return "the size of its header is wrong";
    if (header->value_bytes != 4 && header->value_bytes != 8)
        return "the size of its values is neither 4 nor 8";
    if (header->record_bytes != SHFLVIZ_RECORD_SIZE(header->value_bytes))
        return "the size of its records is wrong";
    if (header->flags & ~TRACE_FILE_CLOSED)
        return "it has flags that nobody sets";
    if (!region_fits(trace, header->front_offset, header->front_bytes))
        return "its metadata lie outside the file";
    if (header->records_offset % TRACE_FILE_ALIGN != 0 ||
        header->records_offset < header->front_offset + header->front_bytes)
        return "its records are in an impossible place";
    if (header->tail_bytes > 0 && !region_fits(trace, header->tail_offset, header->tail_bytes))
        return "its metadata lie outside the file";
    if (header->front_bytes > TRACE_FILE_METADATA_MAX ||
        header->tail_bytes > TRACE_FILE_METADATA_MAX - header->front_bytes)
        return "its metadata are of an impossible size";
    return NULL;
}

/* What is wrong with a recording that says it was closed, or NULL. */
static const char *check_closed(const struct trace *trace) {
    const struct trace_file_header *header = &trace->header;
    const unsigned char *file = trace->map.data;
    if (trace->file_bytes < header->file_bytes)
        return "its end is missing";
    uint64_t check =
        trace_file_check(TRACE_FILE_CHECK_INIT, header, offsetof(struct trace_file_header, check));
    check = trace_file_check(check, file + header->front_offset, header->front_bytes);
    if (header->tail_bytes > 0)
        check = trace_file_check(check, file + header->tail_offset, header->tail_bytes);
    if (check != header->check)
        return "its header or metadata were changed";
    if (!table_fits(trace, header->records_offset, header->step_count, header->record_bytes))
        return "its records lie outside the file";
    if (!table_fits(trace, header->runs_offset, header->run_count, sizeof(struct trace_file_run)) ||
        !table_fits(trace, header->warps_offset, header->warp_count, sizeof(uint64_t)) ||
        (header->run_count == 0) != (header->warp_count == 0))
        return "its index lies outside the file";
    return NULL;
}

static bool record_is_whole(const struct trace *trace, uint64_t step) {
    uint64_t sequence;
    memcpy(&sequence, trace->records + step * trace->header.record_bytes, sizeof(sequence));
    return sequence == step + 1;
}

/* How many steps a recording has that was not closed. The header says how many were whole when the
 * writer last looked, so that the end is not far. */
static uint64_t find_end(const struct trace *trace) {
    const struct trace_file_header *header = &trace->header;
    if (trace->file_bytes <= header->records_offset)
        return 0;
    uint64_t room = (trace->file_bytes - header->records_offset) / header->record_bytes;
    uint64_t step = header->step_count < room ? header->step_count : room;
    if (step > 0 && !record_is_whole(trace, step - 1)) {
        uint64_t low = 0, high = step - 1; /* a damaged hint: the last step that may be whole */
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (record_is_whole(trace, middle))
                low = middle + 1;
            else
                high = middle;
        }
        step = low;
    }
    while (step < room && record_is_whole(trace, step))
        step++;
    return step;
}

/* What is wrong with the launches, sites, sources and notes, or NULL. */
static const char *read_metadata(struct trace *trace) {
    const struct trace_file_header *header = &trace->header;
    const unsigned char *file = trace->map.data;
    metadata_init(&trace->metadata, (size_t)(header->front_bytes + header->tail_bytes));
    const char *wrong =
        metadata_decode(&trace->metadata, file + header->front_offset, (size_t)header->front_bytes);
    if (!wrong && header->tail_bytes > 0)
        wrong = metadata_decode(&trace->metadata, file + header->tail_offset,
                                (size_t)header->tail_bytes);
    return wrong;
}

/* Points the navigation at the index of a closed file. There is none if the disk was full. */
static void find_index(struct trace *trace) {
    const struct trace_file_header *header = &trace->header;
    const unsigned char *file = trace->map.data;
    struct navigation *navigation = trace->navigation;
    if (header->run_count > 0)
        navigation->index = (struct trace_index){
            .runs = (const void *)(file + header->runs_offset),
            .run_count = header->run_count,
            .warps = (const void *)(file + header->warps_offset),
            .warp_count = header->warp_count,
        };
    navigation->whole = header->run_count > 0 || trace->step_count == 0;
}

static int read_file(struct trace *trace, const char *name, struct error *err) {
    memcpy(&trace->header, trace->map.data, sizeof(trace->header));
    if (check_kind(trace, name, err) != 0)
        return -1;
    const char *wrong = check_layout(trace);
    bool closed = trace->header.flags & TRACE_FILE_CLOSED;
    if (!wrong && closed)
        wrong = check_closed(trace);
    if (!wrong)
        wrong = read_metadata(trace);
    if (wrong)
        return error_damaged(err, name, wrong);

    trace->records = trace->map.data;
    if (trace->header.records_offset < trace->file_bytes)
        trace->records += trace->header.records_offset;
    trace->step_count = closed ? trace->header.step_count : find_end(trace);
    if (closed)
        find_index(trace);
    return 0;
}

/* Refuses what cannot be a recording before anything is mapped. */
static int check_file(int descriptor, const char *name, uint64_t *bytes, struct error *err) {
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return place_error_read(err, errno, name);
    if (!S_ISREG(status.st_mode))
        return place_error_read_kind(err, status.st_mode, name);
    *bytes = (uint64_t)status.st_size;
    if (*bytes == 0)
        return error_set(err, ERROR_USAGE,
                         _("cannot read '%s': the file is empty\n"
                           "A recording is made with -o, as in: shflviz xor --mask 3 -o xor.svt"),
                         name);
    return 0;
}

/* A file shorter than a header: a piece of a recording, or something else. */
static int error_short(const struct trace *trace, const char *name, struct error *err) {
    size_t count =
        trace->file_bytes < TRACE_FILE_MAGIC_BYTES ? trace->file_bytes : TRACE_FILE_MAGIC_BYTES;
    if (memcmp(trace->map.data, TRACE_FILE_MAGIC, count) == 0)
        return error_damaged(err, name, "all but its beginning is missing");
    return check_kind(trace, name, err);
}

int trace_open_descriptor(struct trace **trace, int descriptor, const char *name,
                          struct error *err) {
    uint64_t bytes;
    *trace = NULL;
    if (check_file(descriptor, name, &bytes, err) != 0)
        return -1;
    struct trace *t = memory_zeroed(1, sizeof(*t));
    t->navigation = memory_zeroed(1, sizeof(*t->navigation));
    trace_index_builder_init(&t->navigation->first, NULL);
    trace_index_builder_init(&t->navigation->builder, NULL);
    t->file_bytes = bytes;
    int failed = file_map(&t->map, descriptor, 0, bytes, FILE_MAP_READ);
    file_map_advise(&t->map, FILE_MAP_RANDOM);
    if (failed)
        failed = place_error_read(err, failed, name);
    else if (bytes < TRACE_FILE_HEADER_BYTES)
        failed = error_short(t, name, err);
    else
        failed = read_file(t, name, err);
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
    /* Looked at before it is opened: to open a device or a pipe can have effects of its own. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return place_error_read_kind(err, status.st_mode, path);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0)
        return place_error_read(err, errno, path);
    int result = trace_open_descriptor(trace, descriptor, path, err);
    close(descriptor);
    return result;
}

void trace_close(struct trace *trace) {
    if (!trace)
        return;
    trace_index_builder_release(&trace->navigation->first);
    trace_index_builder_release(&trace->navigation->builder);
    free(trace->navigation);
    metadata_release(&trace->metadata);
    file_unmap(&trace->map);
    free(trace);
}

/* ---- what it holds -----------------------------------------------------------------------------
 */

uint64_t trace_step_count(const struct trace *trace) {
    return trace->step_count;
}

uint64_t trace_dropped(const struct trace *trace) {
    return trace->header.dropped;
}

bool trace_is_complete(const struct trace *trace) {
    return trace->header.flags & TRACE_FILE_CLOSED;
}

unsigned trace_value_bytes(const struct trace *trace) {
    return trace->header.value_bytes;
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

/* ---- steps -------------------------------------------------------------------------------------
 */

static struct shflviz_record_header record_header(const struct trace *trace, uint64_t step) {
    struct shflviz_record_header record;
    memcpy(&record, trace->records + step * trace->header.record_bytes, sizeof(record));
    return record;
}

/* Whether the launch, if there is such a one, has the block and the block the warp. */
static bool warp_exists(const struct trace *trace, uint32_t launch, uint64_t block, uint32_t warp) {
    const struct trace_launch *l = trace_launch(trace, launch);
    return l && block < metadata_blocks(l) && warp < (metadata_threads(l) + 31) / 32;
}

/* Lanes of a warp that exist in a block of so many threads. */
static uint32_t launched_lanes(uint32_t threads, uint32_t warp) {
    uint32_t rest = threads - warp * WARP_LANES;
    return rest >= WARP_LANES ? WARP_FULL_MASK : (1u << rest) - 1;
}

static uint64_t bits_mask(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Bits that what goes into the operation, and what comes out of it, may have set. */
static void value_masks(const struct warp_operation *operation, uint64_t *in, uint64_t *out) {
    *in = bits_mask(warp_type_info(operation->type)->bits);
    /* A device may have left something in the 32 bits that a barrier returns nothing in. */
    unsigned bits = warp_type_info(warp_result_type(operation))->bits;
    *out = bits_mask(bits ? bits : 32);
}

static uint64_t read_value(const unsigned char *values, unsigned value_bytes, int lane) {
    uint64_t value = 0;
    memcpy(&value, values + (size_t)lane * value_bytes, value_bytes);
    return value;
}

/* Copies what each lane brought and got. False if a value has more bits than its type. */
static bool read_lanes(const struct trace *trace, const unsigned char *record, unsigned flags,
                       int32_t width, struct warp_operation *operation) {
    unsigned value_bytes = trace->header.value_bytes;
    const unsigned char *in = record + SHFLVIZ_RECORD_OFFSET_IN;
    const unsigned char *out = record + SHFLVIZ_RECORD_OFFSET_OUT(value_bytes);
    uint64_t in_mask, out_mask, excess = 0;
    value_masks(operation, &in_mask, &out_mask);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation->width[lane] = width;
        if (!(operation->present >> lane & 1))
            continue;
        memcpy(&operation->arg[lane], record + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane, 4);
        operation->in[lane] = read_value(in, value_bytes, lane);
        operation->out[lane] = read_value(out, value_bytes, lane);
        excess |= (operation->in[lane] & ~in_mask) | (operation->out[lane] & ~out_mask);
        if (flags & SHFLVIZ_RECORD_WIDTHS_DIFFER) {
            int16_t own;
            memcpy(&own, record + SHFLVIZ_RECORD_OFFSET_WIDTH + 2 * lane, sizeof(own));
            operation->width[lane] = own;
        }
    }
    return excess == 0;
}

/* What is wrong with a record by itself and against the tables, or NULL. */
static const char *check_record(const struct trace *trace, uint64_t number,
                                const struct shflviz_record_header *record) {
    if (record->sequence != number + 1)
        return "its number is another";
    if (record->op >= WARP_OP_COUNT)
        return "there is no such operation";
    if (record->type >= WARP_TYPE_COUNT)
        return "there is no such type";
    if (record->launch >= trace->metadata.launch_count)
        return trace_is_complete(trace) ? "there is no such launch"
                                        : "the run was killed before its launch was saved";
    if (!warp_exists(trace, record->launch, record->block, record->warp))
        return "the launch has no such warp";
    /* The site of a step in a killed run may not have been saved: the step is whole all the same.
     */
    if (record->site >= trace->metadata.site_count && trace_is_complete(trace))
        return "there is no such call site";
    return NULL;
}

static const char *decode_step(const struct trace *trace, uint64_t number,
                               struct trace_step *step) {
    const unsigned char *bytes = trace->records + number * trace->header.record_bytes;
    const struct shflviz_record_header record = record_header(trace, number);
    const char *wrong = check_record(trace, number, &record);
    if (wrong)
        return wrong;
    const struct trace_launch *launch = trace_launch(trace, record.launch);
    uint64_t row = record.block / launch->grid[0];
    *step = (struct trace_step){
        .number = number,
        .launch = record.launch,
        .block = record.block,
        .block_index = {(uint32_t)(record.block % launch->grid[0]),
                        (uint32_t)(row % launch->grid[1]), (uint32_t)(row / launch->grid[1])},
        .warp = record.warp,
        .site = record.site,
        .mask_diverges = record.flags & SHFLVIZ_RECORD_MASK_DIVERGES,
        .exited_known = record.flags & SHFLVIZ_RECORD_EXITED_KNOWN,
        .operation = {.op = record.op,
                      .type = record.type,
                      .members = record.members,
                      .present = record.present,
                      .launched = launched_lanes(metadata_threads(launch), record.warp),
                      .exited = record.exited,
                      .unfinished = record.flags & SHFLVIZ_RECORD_UNFINISHED},
    };
    struct warp_operation *operation = &step->operation;
    if (operation->present == 0 || operation->present & ~operation->launched)
        return "lanes take part that do not exist";
    if (operation->exited & (operation->present | ~operation->launched))
        return "lanes have left that take part or do not exist";
    if (!read_lanes(trace, bytes, record.flags, record.width, operation))
        return "a value does not fit its type";
    return NULL;
}

int trace_step(const struct trace *trace, uint64_t number, struct trace_step *step,
               struct error *err) {
    if (number >= trace->step_count)
        return error_set(
            err, ERROR_USAGE,
            _("there is no step %" PRIu64 ": the recording has %" PRIu64 " steps, counted from 0"),
            number, trace->step_count);
    const char *wrong = decode_step(trace, number, step);
    if (wrong)
        return error_set(err, ERROR_USAGE,
                         _("step %" PRIu64 " of the recording is damaged: %s\n"
                           "Copy the file again from where it came from, or record it anew."),
                         number, wrong);
    return 0;
}

/* ---- warps -------------------------------------------------------------------------------------
 */

/* After so many damaged records the rest is given up: a small file can claim a great many. */
#define DAMAGED_RECORDS_MAX 65536

/* Adds the steps from `step` up to `end` to an index. Those that are damaged or belong to no warp
 * stay out of it. Returns the step to go on with. */
static uint64_t list_steps(const struct trace *trace, struct trace_index_builder *builder,
                           uint64_t step, uint64_t end, uint64_t *damaged) {
    file_map_advise(&trace->map, FILE_MAP_SEQUENTIAL);
    for (; step < end; step++) {
        const struct shflviz_record_header record = record_header(trace, step);
        if (record.sequence == step + 1 &&
            warp_exists(trace, record.launch, record.block, record.warp))
            trace_index_builder_add(builder, step, record.launch, record.block, record.warp);
        else if (++*damaged >= DAMAGED_RECORDS_MAX)
            step = trace->step_count - 1;
    }
    file_map_advise(&trace->map, FILE_MAP_RANDOM);
    return step;
}

/* An index of the first steps, or of the first that are in order. */
static void list_first(const struct trace *trace, struct navigation *navigation) {
    uint64_t step = 0, damaged = 0, count = trace->step_count;
    do {
        uint64_t left = count - step;
        uint64_t part = left < TRACE_STEPS_LISTED_FIRST ? left : TRACE_STEPS_LISTED_FIRST;
        step = list_steps(trace, &navigation->first, step, step + part, &damaged);
    } while (step < count && navigation->first.runs.count == 0);
    navigation->whole = step >= count;
    trace_index_builder_finish(&navigation->first, &navigation->index);
}

/* The index of the file, or what there is of one. */
static const struct trace_index *trace_index(const struct trace *trace) {
    struct navigation *navigation = trace->navigation;
    if (!navigation->whole && !navigation->asked)
        list_first(trace, navigation);
    navigation->asked = true;
    return &navigation->index;
}

bool trace_warps_listed(const struct trace *trace) {
    trace_index(trace);
    return trace->navigation->whole;
}

bool trace_warps_list(const struct trace *trace, uint64_t steps) {
    struct navigation *navigation = trace->navigation;
    if (trace_warps_listed(trace) || navigation->no_room)
        return false;
    uint64_t left = trace->step_count - navigation->listed;
    if (left > 0) {
        uint64_t end = navigation->listed + (steps < left ? steps : left);
        navigation->listed =
            list_steps(trace, &navigation->builder, navigation->listed, end, &navigation->damaged);
        return true;
    }
    if (trace_index_builder_work(&navigation->builder, steps))
        return true;
    struct trace_index index;
    navigation->whole = trace_index_builder_finish(&navigation->builder, &index);
    navigation->no_room = !navigation->whole;
    if (navigation->whole) {
        navigation->index = index;
        trace_index_builder_release(&navigation->first);
    } else {
        trace_index_builder_release(&navigation->builder);
    }
    return false;
}

uint64_t trace_warp_count(const struct trace *trace) {
    return trace_index(trace)->warp_count;
}

bool trace_warp(const struct trace *trace, uint64_t number, struct trace_warp *warp) {
    const struct trace_index *index = trace_index(trace);
    uint64_t first, end;
    if (number >= index->warp_count || !trace_index_runs(index, number, &first, &end))
        return false;
    const struct trace_file_run *last = &index->runs[end - 1];
    *warp = (struct trace_warp){.index = number,
                                .launch = last->launch,
                                .block = last->block,
                                .warp = last->warp,
                                .steps = last->position + last->count};
    return warp_exists(trace, warp->launch, warp->block, warp->warp) && warp->steps >= 1 &&
           warp->steps <= trace->step_count;
}

bool trace_warp_of_step(const struct trace *trace, uint64_t number, struct trace_warp *warp,
                        uint64_t *position) {
    const struct trace_index *index = trace_index(trace);
    if (number >= trace->step_count)
        return false;
    const struct shflviz_record_header record = record_header(trace, number);
    uint64_t run = trace_index_run(index, record.launch, record.block, record.warp, number);
    if (run == UINT64_MAX || !trace_warp(trace, index->runs[run].number, warp))
        return false;
    *position = index->runs[run].position + (number - index->runs[run].first);
    return *position < warp->steps && warp->launch == record.launch &&
           warp->block == record.block && warp->warp == record.warp;
}

uint64_t trace_warp_step(const struct trace *trace, const struct trace_warp *warp,
                         uint64_t position) {
    const struct trace_index *index = trace_index(trace);
    if (warp->index >= index->warp_count || position >= warp->steps)
        return UINT64_MAX;
    uint64_t step = trace_index_step(index, warp->index, position);
    if (step >= trace->step_count)
        return UINT64_MAX;
    const struct shflviz_record_header record = record_header(trace, step);
    bool same =
        record.launch == warp->launch && record.block == warp->block && record.warp == warp->warp;
    return same ? step : UINT64_MAX;
}
