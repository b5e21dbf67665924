#include "memory_sink.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t add_launch(void *context, const struct trace_launch *launch) {
    struct memory_sink *sink = context;
    sink->launch = *launch;
    sink->launch.kernel = NULL; /* lives only as long as the call */
    return sink->launch_count++;
}

static uint32_t add_site(void *context, const struct trace_site *site) {
    struct memory_sink *sink = context;
    if (sink->site_count == SINK_SITES)
        abort();
    sink->sites[sink->site_count] = *site;
    return sink->site_count++;
}

static void *reserve(void *context, size_t *count) {
    struct memory_sink *sink = context;
    size_t left = sink->capacity - sink->reserved;
    if (left == 0)
        return NULL;
    *count = left < 3 ? left : 3; /* few, so that more are requested often */
    void *room = sink->records + sink->reserved * SHFLVIZ_RECORD_SIZE(sink->sink.value_bytes);
    sink->reserved += *count;
    return room;
}

static void drop(void *context, uint64_t steps) {
    ((struct memory_sink *)context)->dropped += steps;
}

static void note(void *context, const char *key, const char *value) {
    struct memory_sink *sink = context;
    char **kept = strcmp(key, TRACE_NOTE_WAITING) == 0        ? &sink->waiting
                  : strcmp(key, TRACE_NOTE_FAILURE_KIND) == 0 ? &sink->failure_kind
                                                              : NULL;
    if (kept) {
        free(*kept);
        *kept = memory_string(value);
    }
}

void memory_sink_init(struct memory_sink *sink, unsigned value_bytes, size_t capacity) {
    *sink = (struct memory_sink){.capacity = capacity};
    sink->records = memory_zeroed(capacity, SHFLVIZ_RECORD_SIZE(value_bytes));
    sink->sink = (struct cpu_sink){.context = sink,
                                   .value_bytes = value_bytes,
                                   .launch = add_launch,
                                   .site = add_site,
                                   .reserve = reserve,
                                   .drop = drop,
                                   .note = note,
                                   .first_sequence = 1};
}

void memory_sink_release(struct memory_sink *sink) {
    free(sink->records);
    free(sink->failure_kind);
    free(sink->waiting);
    sink->records = NULL;
    sink->failure_kind = sink->waiting = NULL;
}

const unsigned char *memory_sink_record(const struct memory_sink *sink, size_t number) {
    return sink->records + number * SHFLVIZ_RECORD_SIZE(sink->sink.value_bytes);
}

size_t memory_sink_steps(const struct memory_sink *sink) {
    size_t steps = 0;
    while (steps < sink->reserved) {
        uint64_t sequence;
        memcpy(&sequence, memory_sink_record(sink, steps), sizeof sequence);
        if (sequence != steps + 1)
            break;
        steps++;
    }
    return steps;
}

static uint64_t value_at(const unsigned char *values, unsigned bytes, int lane) {
    uint64_t value = 0;
    memcpy(&value, values + (size_t)lane * bytes, bytes);
    return value;
}

struct sink_step memory_sink_step(const struct memory_sink *sink, size_t number) {
    const unsigned char *record = memory_sink_record(sink, number);
    unsigned bytes = sink->sink.value_bytes;
    const uint32_t *block = sink->launch.block;
    struct sink_step step = {.header = (const void *)record};
    const struct shflviz_record_header *header = step.header;
    step.site = &sink->sites[header->site];
    uint32_t threads = block[0] * block[1] * block[2] - 32 * header->warp;
    step.operation = (struct warp_operation){
        .op = (enum warp_op)header->op,
        .type = (enum warp_type)header->type,
        .members = header->members,
        .present = header->present,
        .launched = threads >= 32 ? 0xffffffff : (UINT32_C(1) << threads) - 1,
        .exited = header->exited,
        .unfinished = header->flags & SHFLVIZ_RECORD_UNFINISHED,
    };
    for (int lane = 0; lane < WARP_LANES; lane++) {
        int16_t own = 0;
        int32_t arg;
        if (header->flags & SHFLVIZ_RECORD_WIDTHS_DIFFER)
            memcpy(&own, record + SHFLVIZ_RECORD_OFFSET_WIDTH + 2 * lane, sizeof own);
        memcpy(&arg, record + SHFLVIZ_RECORD_OFFSET_ARG + 4 * lane, sizeof arg);
        step.operation.width[lane] =
            header->flags & SHFLVIZ_RECORD_WIDTHS_DIFFER ? own : header->width;
        step.operation.arg[lane] = arg;
        step.operation.in[lane] = value_at(record + SHFLVIZ_RECORD_OFFSET_IN, bytes, lane);
        step.operation.out[lane] = value_at(record + SHFLVIZ_RECORD_OFFSET_OUT(bytes), bytes, lane);
    }
    return step;
}
