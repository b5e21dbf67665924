/*
 * memory_sink.h - a recording that a test reads back record by record.
 */
#ifndef SHFLVIZ_TEST_MEMORY_SINK_H
#define SHFLVIZ_TEST_MEMORY_SINK_H

#include "base/text.h"
#include "simt/simt.h"

#define SINK_SITES 64

struct memory_sink {
    struct cpu_sink sink;
    unsigned char *records;
    size_t capacity; /* records; later ones are dropped */
    size_t reserved;
    uint64_t dropped;
    struct trace_site sites[SINK_SITES];
    unsigned site_count;
    struct trace_launch launch; /* the last */
    unsigned launch_count;
    unsigned launched;  /* lanes of a warp that exist, for memory_sink_step() */
    char *failure_kind; /* these notes, or NULL */
    char *waiting;
};

void memory_sink_init(struct memory_sink *sink, unsigned value_bytes, size_t capacity);
void memory_sink_release(struct memory_sink *sink);

/* The bytes of a record. */
const unsigned char *memory_sink_record(const struct memory_sink *sink, size_t number);
size_t memory_sink_steps(const struct memory_sink *sink);

/* A step, decoded as a reader of the file would decode it. `header` points into the sink. */
struct sink_step {
    const struct shflviz_record_header *header;
    const struct trace_site *site;
    struct warp_operation operation;
};
struct sink_step memory_sink_step(const struct memory_sink *sink, size_t number);

#endif
