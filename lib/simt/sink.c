#include "simt/simt.h"

static uint32_t sink_launch(void *context, const struct trace_launch *launch) {
    return trace_writer_launch(context, launch);
}
static uint32_t sink_site(void *context, const struct trace_site *site) {
    return trace_writer_site(context, site);
}
static void *sink_reserve(void *context, size_t *count) {
    return trace_writer_reserve(context, count);
}
static void sink_drop(void *context, uint64_t steps) {
    trace_writer_drop(context, steps);
}
static void sink_note(void *context, const char *key, const char *value) {
    trace_writer_note(context, key, value);
}

static uint32_t sink_function(void *context, const struct trace_function *function) {
    return trace_writer_function(context, function);
}
static void sink_lines(void *context, const struct trace_line_chunk *chunk) {
    trace_writer_lines(context, chunk);
}

static void sink_registers(void *context, const struct trace_registers *registers) {
    trace_writer_registers(context, registers);
}

static void sink_origins(void *context, const void *bytes, size_t size) {
    trace_writer_origins(context, bytes, size);
}

struct cpu_sink cpu_sink_writer(struct trace_writer *writer) {
    return (struct cpu_sink){.context = writer,
                             .value_bytes = trace_writer_value_bytes(writer),
                             .launch = sink_launch,
                             .site = sink_site,
                             .reserve = sink_reserve,
                             .drop = sink_drop,
                             .note = sink_note,
                             .function = sink_function,
                             .lines = sink_lines,
                             .origins = sink_origins,
                             .registers = sink_registers,
                             .first_sequence = trace_writer_next_sequence(writer)};
}
