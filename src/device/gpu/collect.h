/*
 * collect.h - records as a GPU wrote them, made into steps of a recording.
 *
 * Corrected on the way: the sequence, the numbers of launches and sites, and entries of
 * lanes that are not present, which are garbage until then. A record whose sequence is not that of
 * its ticket is not whole and left out.
 */
#ifndef SHFLVIZ_GPU_COLLECT_H
#define SHFLVIZ_GPU_COLLECT_H

#include "shflviz/ring.h"
#include "trace/trace.h"

#include <stddef.h>
#include <stdint.h>

struct collector {
    struct trace_writer *writer;
    struct shflviz_ring_host *host; /* for its sites; `closed` is set when the writer is full */
    unsigned value_bytes;
    uint64_t sequence;     /* of the next step */
    uint64_t recorded;     /* steps written */
    uint32_t first_launch; /* what launch 0 of the device is in the recording */
    uint32_t launches;
    uint32_t site[SHFLVIZ_RING_SITES + 1]; /* index in the recording + 1; 0: not told yet */
    unsigned char *room;                   /* of the writer */
    size_t rooms;
    bool full;
    uint32_t naps; /* waited for the texts of sites */
};

void collector_init(struct collector *collector, struct trace_writer *writer,
                    struct shflviz_ring_host *host);

/* A launch of the device; they come in the order of their numbers. */
void collector_launch(struct collector *collector, const struct trace_launch *launch);

/* `count` records, the first with the ticket `first`; they are changed. Many of them are coded
 * where they are, on all processors. */
void collector_take(struct collector *collector, void *records, uint64_t first, size_t count);

#endif
