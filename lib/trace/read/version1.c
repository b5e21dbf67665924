#include "trace/read/version1.h"

#include "base/message.h"
#include "trace/read/reader.h"

#include <stddef.h>
#include <string.h>

/* True if [offset, offset + bytes) is an aligned part of the file after the header. */
static bool region_fits(const struct trace *trace, uint64_t offset, uint64_t bytes) {
    uint64_t end;
    return offset >= TRACE_FILE1_HEADER_BYTES && offset % 8 == 0 &&
           !__builtin_add_overflow(offset, bytes, &end) && end <= trace->file.bytes;
}

/* The same for `count` elements; an empty table may have any offset. */
static bool table_fits(const struct trace *trace, uint64_t offset, uint64_t count,
                       uint64_t element) {
    uint64_t bytes;
    return count == 0 ||
           (!__builtin_mul_overflow(count, element, &bytes) && region_fits(trace, offset, bytes));
}

/* True if the sizes and offsets in the header are possible. */
static bool is_possible(const struct trace *trace, const struct trace_file_header1 *header) {
    return header->header_bytes == TRACE_FILE1_HEADER_BYTES &&
           (header->value_bytes == 4 || header->value_bytes == 8) &&
           header->record_bytes == SHFLVIZ_RECORD_SIZE(header->value_bytes) &&
           !(header->flags & ~TRACE_FILE_CLOSED) &&
           region_fits(trace, header->front_offset, header->front_bytes) &&
           header->records_offset % TRACE_FILE_ALIGN == 0 &&
           header->records_offset >= header->front_offset + header->front_bytes &&
           (header->tail_bytes == 0 ||
            region_fits(trace, header->tail_offset, header->tail_bytes)) &&
           header->front_bytes <= TRACE_FILE_METADATA_MAX &&
           header->tail_bytes <= TRACE_FILE_METADATA_MAX - header->front_bytes;
}

/* Describes the fault of a recording that is marked as closed; NULL if there is none. */
static const char *check_closed(const struct trace *trace,
                                const struct trace_file_header1 *header) {
    const unsigned char *file = trace->file.data;
    if (trace->file.bytes < header->file_bytes)
        return N_("its end is missing");
    uint64_t check = trace_file1_check(TRACE_FILE1_CHECK_INIT, header,
                                       offsetof(struct trace_file_header1, check));
    check = trace_file1_check(check, file + header->front_offset, header->front_bytes);
    if (header->tail_bytes > 0)
        check = trace_file1_check(check, file + header->tail_offset, header->tail_bytes);
    if (check != header->check)
        return N_("its header was changed");
    if (!table_fits(trace, header->records_offset, header->step_count, header->record_bytes))
        return N_("its header is invalid");
    if (!table_fits(trace, header->runs_offset, header->run_count, sizeof(struct trace_file_run)) ||
        !table_fits(trace, header->warps_offset, header->warp_count, sizeof(uint64_t)) ||
        (header->run_count == 0) != (header->warp_count == 0))
        return N_("its header is invalid");
    return NULL;
}

static bool record_is_whole(const struct trace *trace, uint64_t step) {
    uint64_t sequence;
    memcpy(&sequence, trace->records + step * trace->record_bytes, sizeof(sequence));
    return sequence == step + 1;
}

/* The number of steps in an unclosed recording. The header has the number that were complete at the
 * writer's last update, so the end is not far. */
static uint64_t find_end(const struct trace *trace, const struct trace_file_header1 *header) {
    if (trace->file.bytes <= header->records_offset)
        return 0;
    uint64_t room = (trace->file.bytes - header->records_offset) / header->record_bytes;
    uint64_t step = header->step_count < room ? header->step_count : room;
    if (step > 0 && !record_is_whole(trace, step - 1))
        step = 0; /* a damaged hint */
    while (step < room && record_is_whole(trace, step))
        step++;
    return step;
}

/* Describes the fault of the launches, sites, sources and notes; NULL if there is none. */
static const char *read_metadata(struct trace *trace, const struct trace_file_header1 *header) {
    const unsigned char *file = trace->file.data;
    metadata_init(&trace->metadata, (size_t)(header->front_bytes + header->tail_bytes));
    const char *wrong =
        metadata_decode(&trace->metadata, file + header->front_offset, (size_t)header->front_bytes);
    if (!wrong && header->tail_bytes > 0)
        wrong = metadata_decode(&trace->metadata, file + header->tail_offset,
                                (size_t)header->tail_bytes);
    return wrong;
}

/* Uses the index of a closed file. There is none if the disk was full. */
static void find_index(struct trace *trace, const struct trace_file_header1 *header) {
    const unsigned char *file = trace->file.data;
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

const char *version1_read(struct trace *trace) {
    struct trace_file_header1 copy; /* the file may change meanwhile */
    const struct trace_file_header1 *header = &copy;
    if (trace->file.bytes < TRACE_FILE1_HEADER_BYTES)
        return N_("all but its beginning is missing");
    memcpy(&copy, trace->file.data, sizeof(copy));
    const char *wrong = is_possible(trace, header) ? NULL : N_("its header is invalid");
    trace->closed = header->flags & TRACE_FILE_CLOSED;
    if (!wrong && trace->closed)
        wrong = check_closed(trace, header);
    if (!wrong)
        wrong = read_metadata(trace, header);
    if (wrong)
        return wrong;
    trace->value_bytes = header->value_bytes;
    trace->record_bytes = header->record_bytes;
    trace->dropped = header->dropped;
    trace->records = trace->file.data;
    if (header->records_offset < trace->file.bytes)
        trace->records += header->records_offset;
    trace->step_count = trace->closed ? header->step_count : find_end(trace, header);
    if (trace->closed)
        find_index(trace, header);
    return NULL;
}
