/*
 * collect.h - turns records written by a GPU as cells (cells.h) into steps of a recording; the
 * numbers of launches and sites become those of the recording.
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
    uint32_t first_launch; /* number of the device's launch 0 in the recording */
    uint32_t launches;
    uint32_t site[SHFLVIZ_RING_SITES + 1]; /* index in the recording + 1; 0 if not there yet */
    unsigned char *room;                   /* of the writer */
    size_t rooms;
    bool full;
    uint32_t naps;   /* so far, while waiting for the texts of sites */
    uint32_t *first; /* the first cell of each record being taken */
    uint32_t *found; /* records in each piece of the cells */
    size_t first_room;
};

void collector_init(struct collector *collector, struct trace_writer *writer,
                    struct shflviz_ring_host *host);

/* Adds a launch of the device; they must be added in the order of their numbers. */
void collector_launch(struct collector *collector, const struct trace_launch *launch);

/* Takes the records in `count` cells, all of the latest launch. If there are many, all processors
 * encode them. */
void collector_take(struct collector *collector, const uint64_t *cells, size_t count);

/* Frees the memory for taking records. */
void collector_release(struct collector *collector);

#endif
