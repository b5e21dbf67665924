/*
 * drain.h - the host's end of the ring (ring.h): takes records out while a kernel runs.
 *
 * It does not use CUDA: the caller reads the device's memory for it and takes the records. So it
 * works the same on a GPU's memory and, in tests, on memory that threads write.
 */
#ifndef SHFLVIZ_GPU_DRAIN_H
#define SHFLVIZ_GPU_DRAIN_H

#include "shflviz/ring.h"

#include <stddef.h>
#include <stdint.h>

/* The memory of a ring within a budget: powers of two, at most the budget. */
struct ring_shape {
    uint32_t chunks_log2;
    uint32_t chunk_log2; /* cells in a chunk */
    size_t chunk_bytes;
    size_t bytes; /* of the whole ring */
};
struct ring_shape ring_shape(uint64_t budget);

/* The limit of a ring for a recording of at most that many steps; 0 for any number. The recording
 * ends exactly there; the limit keeps the device from going far beyond it. */
uint64_t ring_limit(uint64_t steps);

/* The number of stripes of a ring, as its log2, for a launch of that many blocks: it grows with the
 * blocks as long as each stripe has enough chunks. */
uint32_t ring_stripes_log2(const struct shflviz_ring *ring, uint64_t blocks);

/* Cells at the beginning of a recording that are written to the host's own memory. */
#define RING_EARLY_RECORDS 2048

struct drain_operations {
    void *context;
    /* Copies from the device's memory, also while a kernel runs there. */
    int (*read)(void *context, void *to, const void *from, size_t bytes);
    int (*write)(void *context, void *to, const void *from, size_t bytes);
    /* Takes cells first .. first + count - 1 of the early memory. If a launch does not end, some
     * may be incomplete (cells.h). */
    int (*early)(void *context, uint64_t first, size_t count);
    /* Waits for memory for a chunk, to be used until it is passed to deliver(). NULL if no more
     * chunks are accepted. */
    void *(*room)(void *context);
    /* Takes `count` cells there, whose records are complete. */
    int (*deliver)(void *context, void *room, size_t count);
};
/* The functions of type int return 0 to go on; any other number stops the drain and is returned. */

struct drain {
    struct shflviz_ring ring; /* as passed to a launch */
    struct shflviz_ring_host
        *host; /* as the host addresses it; NULL if it is drained only between launches */
    unsigned char *early; /* likewise, from the first on */
    struct drain_operations does;
    struct thread_pool *pool; /* its threads examine chunks; NULL if only the caller does */
    uint64_t
        handed_on[SHFLVIZ_RING_STRIPES_MAX]; /* this launch's records before these are delivered */
    uint64_t delivered;                      /* records delivered, of all launches */
    uint64_t dropped;                        /* known once a launch has ended */
    uint64_t lost;                           /* of these, begun but unfinished when salvaged */
    void *room;                              /* an empty chunk, or NULL */
    bool worn; /* all tags were used: the ring is cleared before they are used again */
    struct shflviz_ring_stripe counts[SHFLVIZ_RING_STRIPES_MAX]; /* the counters as last read */
};

/* Call it before each launch: empties the ring and divides it for that many blocks. The memory of
 * the ring is zeroed before the first. */
int drain_begin(struct drain *drain, uint64_t blocks);

/* While a kernel runs: delivers complete parts, at most a chunk of each stripe. *count, if not
 * NULL, grows by the number of cells. */
int drain_ready(struct drain *drain, uint64_t *count);

/* Call it after a launch has ended successfully: delivers the rest and counts dropped records. */
int drain_finish(struct drain *drain);

/* Delivers everything complete in the ring of a kernel that does not end. */
int drain_salvage(struct drain *drain);

#endif
