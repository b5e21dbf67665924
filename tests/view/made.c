#include "made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int status, const struct error *err) {
    if (status == 0)
        return;
    fprintf(stderr, "made: %s\n", err->text);
    abort();
}

static void put(unsigned char *at, unsigned bytes, int lane, uint64_t value) {
    memcpy(at + (size_t)lane * bytes, &value, bytes); /* little-endian machines only */
}

static void write_step(struct trace_writer *writer, unsigned bytes, enum warp_type type,
                       uint32_t launch, uint32_t line, const struct made_step *step) {
    const uint32_t members = step->members ? step->members : WARP_FULL_MASK;
    struct warp_operation operation = {.op = step->op,
                                       .type = step->op == WARP_OP_SYNC ? WARP_TYPE_NONE : type,
                                       .members = members,
                                       .present = step->present ? step->present : members,
                                       .launched = WARP_FULL_MASK};
    struct lane_outcome outcome[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        operation.width[lane] = step->width;
        operation.arg[lane] = step->arg + lane * step->arg_slope;
        operation.in[lane] = (uint64_t)(step->value + (lane >> step->shift) * step->slope);
        if (bytes == 4)
            operation.in[lane] &= UINT32_MAX;
    }
    warp_outcome(&operation, outcome);
    struct trace_site site = {"kernel.cu", line, "", step->text ? step->text : ""};
    size_t count = 1;
    struct shflviz_record_header header = {.launch = launch,
                                           .op = step->damaged ? 99 : (uint8_t)step->op,
                                           .type = (uint8_t)operation.type,
                                           .flags = SHFLVIZ_RECORD_EXITED_KNOWN,
                                           .members = members,
                                           .present = operation.present,
                                           .width = step->width,
                                           .site = trace_writer_site(writer, &site)};
    header.sequence = trace_writer_next_sequence(writer);
    unsigned char *record = trace_writer_reserve(writer, &count);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(operation.present >> lane & 1))
            continue;
        uint64_t in = operation.in[lane], got = (uint64_t)step->got;
        if (outcome[lane].has_value)
            got = outcome[lane].value;
        if (step->op == WARP_OP_WATCH || warp_op_is_access(step->op))
            got = in;
        put(record + SHFLVIZ_RECORD_OFFSET_ARG, 4, lane, (uint32_t)operation.arg[lane]);
        put(record + SHFLVIZ_RECORD_OFFSET_IN, bytes, lane, in);
        put(record + SHFLVIZ_RECORD_OFFSET_OUT(bytes), bytes, lane, got);
    }
    memcpy(record, &header, sizeof header);
}

struct trace *made_open(unsigned bytes, enum warp_type type, const struct made_step *steps,
                        size_t count, const char *source, const char *const *notes) {
    struct error err = ERROR_INIT;
    struct trace *trace = NULL;
    struct trace_writer *writer;
    struct trace_writer_options options = {.value_bytes = bytes};
    must(trace_writer_open(&writer, NULL, &options, &err), &err);
    const struct trace_launch launch = {"made", {1, 1, 1}, {WARP_LANES, 1, 1}, 0};
    const uint32_t number = trace_writer_launch(writer, &launch);
    if (source)
        trace_writer_source(writer, "kernel.cu", source);
    for (; *notes; notes += 2)
        trace_writer_note(writer, notes[0], notes[1]);
    for (size_t i = 0; i < count; i++)
        write_step(writer, bytes, type, number, (uint32_t)i + 1, &steps[i]);
    must(trace_writer_close(writer, &trace, &err), &err);
    return trace;
}
