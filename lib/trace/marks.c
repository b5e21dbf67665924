/*
 * Compares the warps of two recordings step by step, and stores a mark only for the values that
 * differ. Marks are appended as metadata, so that the recording itself stays unchanged.
 */
#include "trace/marks.h"

#include "base/memory.h"
#include "trace/crc32c.h"
#include "trace/read/reader.h"
#include "trace/recording_file.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void trace_marks_init(struct trace_marks *marks, const struct trace *trace) {
    marks->count = trace_step_count(trace);
    marks->of = memory_zeroed((size_t)marks->count, sizeof(marks->of[0]));
}

void trace_marks_release(struct trace_marks *marks) {
    free(marks->of);
    *marks = (struct trace_marks){0};
}

/* ---- comparing ---- */

/* True if a warp has reached the same call with the same lanes. */
static bool is_same_call(const struct trace_step *a, const struct trace_step *b) {
    return a->operation.op == b->operation.op && a->operation.type == b->operation.type &&
           a->operation.members == b->operation.members &&
           a->operation.present == b->operation.present && a->site == b->site;
}

/* `b` is NULL if the other run's warp is not at this call. */
static struct trace_mark compare_values(const struct warp_operation *a,
                                        const struct warp_operation *b) {
    struct lane_outcome outcome[WARP_LANES];
    struct trace_mark mark = {0, 0};
    warp_outcome(a, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t bit = a->present & UINT32_C(1) << lane;
        if (!b || a->in[lane] != b->in[lane])
            mark.in |= bit;
        /* If the argument or width differs, the lane that is read depends on an undefined value,
         * even if that lane happens to have the same value. */
        const bool differs = !b || a->out[lane] != b->out[lane] || a->arg[lane] != b->arg[lane] ||
                             a->width[lane] != b->width[lane];
        if (differs && outcome[lane].status != LANE_UNDEFINED)
            mark.out |= bit;
    }
    return mark;
}

/* Compares one warp's steps. `same` is false from the step at which it diverges from the other
 * run. */
static void compare_warp(struct trace_mark *of, const struct trace *a, const struct trace_warp *one,
                         const struct trace *b, const struct trace_warp *other) {
    bool same =
        one->launch == other->launch && one->block == other->block && one->warp == other->warp;
    for (uint64_t position = 0; position < one->steps; position++) {
        const uint64_t number = trace_warp_step(a, one, position);
        struct trace_step step, against;
        if (number == UINT64_MAX || trace_step(a, number, &step, NULL) != 0)
            continue;
        same = same && position < other->steps &&
               trace_step(b, trace_warp_step(b, other, position), &against, NULL) == 0 &&
               is_same_call(&step, &against);
        const struct trace_mark mark =
            compare_values(&step.operation, same ? &against.operation : NULL);
        of[number].in |= mark.in;
        of[number].out |= mark.out;
    }
}

static void list_all(const struct trace *trace) {
    while (trace_warps_list(trace, 1 << 16))
        ;
}

void trace_marks_add(struct trace_marks *marks, const struct trace *trace,
                     const struct trace *other) {
    list_all(trace);
    list_all(other);
    for (uint64_t i = 0; i < trace_warp_count(trace); i++) {
        struct trace_warp warp, against = {.launch = UINT32_MAX};
        if (!trace_warp(trace, i, &warp))
            continue;
        trace_warp(other, i, &against);
        compare_warp(marks->of, trace, &warp, other, &against);
    }
}

void trace_marks_subtract(struct trace_marks *marks, const struct trace *trace,
                          const struct trace *again) {
    struct trace_marks differ;
    trace_marks_init(&differ, trace);
    trace_marks_add(&differ, trace, again);
    for (uint64_t i = 0; i < marks->count; i++) {
        marks->of[i].in &= ~differ.of[i].in;
        marks->of[i].out &= ~differ.of[i].out;
    }
    trace_marks_release(&differ);
}

bool trace_marks_are_wanted(const struct trace *trace) {
    struct lane_outcome outcome[WARP_LANES];
    const uint64_t count = trace_step_count(trace);
    struct trace_step step;
    if (count > TRACE_MARKS_STEPS_MOST || trace_note(trace, TRACE_NOTE_FOLLOWED))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (trace_step(trace, i, &step, NULL) != 0)
            continue;
        warp_outcome(&step.operation, outcome);
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (outcome[lane].status == LANE_UNDEFINED)
                return true;
    }
    return false;
}

bool trace_has_cut_argument(const struct trace *trace) {
    const uint64_t count = trace_step_count(trace);
    struct trace_step step;
    for (uint64_t i = 0; count <= TRACE_MARKS_STEPS_MOST && i < count; i++)
        if (trace_step(trace, i, &step, NULL) == 0 && warp_arguments_cut(&step.operation))
            return true;
    return false;
}

/* ---- keeping ---- */

void trace_marks_write(const struct trace_marks *marks, struct trace_writer *writer) {
    for (uint64_t i = 0; i < marks->count; i++)
        if (marks->of[i].in | marks->of[i].out)
            trace_writer_mark(writer, i, marks->of[i].in, marks->of[i].out);
    trace_writer_note(writer, TRACE_NOTE_FOLLOWED, "yes");
}

static void encode(struct text *entries, const struct trace_marks *marks) {
    for (uint64_t i = 0; i < marks->count; i++)
        if (marks->of[i].in | marks->of[i].out)
            metadata_encode_mark(entries, i, marks->of[i].in, marks->of[i].out);
    metadata_encode_pair(entries, TRACE_FILE_NOTE, TRACE_NOTE_FOLLOWED, "yes");
}

/* Appends a block of metadata, and a new end that leads to it. Returns 0 or an errno value. */
static int append_block(int descriptor, const struct trace *trace, struct trace_file_header *header,
                        const struct text *entries) {
    struct blocks_found end, last;
    struct trace_file_end totals;
    struct text payload = TEXT_INIT, scratch = TEXT_INIT;
    uint64_t at = trace_file_align(trace->file.bytes);
    if (!blocks_read(&trace->file, header->end_offset, TRACE_FILE_END, 0, &end))
        return EIO;
    memcpy(&totals, end.payload, sizeof(totals));
    struct trace_file_block head = {.kind = TRACE_FILE_METADATA, .previous = totals.last_metadata};
    if (totals.last_metadata && blocks_peek(&trace->file, totals.last_metadata, &last))
        head.number = last.head.number + 1;
    int failed = blocks_put(descriptor, &at, head, entries->data, entries->length, &scratch,
                            &totals.last_metadata);
    text_append_bytes(&payload, &totals, sizeof(totals));
    text_append_bytes(&payload, end.payload + sizeof(totals), end.head.bytes - sizeof(totals));
    if (!failed)
        failed = blocks_put(descriptor, &at, (struct trace_file_block){.kind = TRACE_FILE_END},
                            payload.data, payload.length, &scratch, &header->end_offset);
    header->check = crc32c(0, header, offsetof(struct trace_file_header, check));
    text_release(&payload);
    text_release(&scratch);
    return failed;
}

static int append(const struct text *entries, struct trace **trace, int descriptor,
                  const char *name, struct error *err) {
    struct trace_file_header header, before;
    struct trace *opened = NULL;
    if (!(*trace)->closed || (*trace)->records)
        return error_set(err, ERROR_USAGE, "%s: not a closed recording", name);
    memcpy(&before, (*trace)->file.data, sizeof(before));
    header = before;
    int failed = append_block(descriptor, *trace, &header, entries);
    if (!failed)
        failed = file_write(descriptor, 0, &header, sizeof(header));
    if (failed)
        return recording_error_write(err, failed, name, NULL);
    if (trace_open_descriptor(&opened, descriptor, name, err) != 0) { /* too much metadata */
        file_write(descriptor, 0, &before, sizeof(before));
        return -1;
    }
    trace_close(*trace);
    *trace = opened;
    return 0;
}

int trace_marks_append(const struct trace_marks *marks, struct trace **trace, int descriptor,
                       const char *name, struct error *err) {
    struct text entries = TEXT_INIT;
    encode(&entries, marks);
    const int status = append(&entries, trace, descriptor, name, err);
    text_release(&entries);
    return status;
}

int trace_note_append(const char *key, const char *text, struct trace **trace, int descriptor,
                      const char *name, struct error *err) {
    struct text entries = TEXT_INIT;
    metadata_encode_pair(&entries, TRACE_FILE_NOTE, key, text);
    const int status = append(&entries, trace, descriptor, name, err);
    text_release(&entries);
    return status;
}
