/*
 * drain.h - the host's end of the ring (ring.h): takes records out while a kernel runs.
 *
 * Knows no CUDA: the caller provides reading of the device's memory, and takes the records. So
 * it works the same on a GPU's memory and, in tests, on memory that threads write.
 */
#ifndef SHFLVIZ_GPU_DRAIN_H
#define SHFLVIZ_GPU_DRAIN_H

#include "shflviz/ring.h"

#include <stddef.h>
#include <stdint.h>

/* How much memory a ring of a budget takes: powers of two, and at most the budget. */
struct ring_shape {
    uint32_t chunks_log2;
    uint32_t chunk_log2; /* records in a chunk */
    size_t chunk_bytes;
    size_t bytes; /* of the whole ring */
};
struct ring_shape ring_shape(uint64_t budget, unsigned value_bytes);

/* Stripes of a ring for a launch of so many blocks: one for each as far as each has chunks enough.
 */
uint32_t ring_stripes_log2(const struct shflviz_ring *ring, uint64_t blocks);

/* Records at the beginning of a recording that are written to the host's own memory. */
#define RING_EARLY_RECORDS 1024

struct drain_operations {
    void *context;
    /* Copies from the device's memory, also while a kernel runs there. */
    int (*read)(void *context, void *to, const void *from, size_t bytes);
    int (*write)(void *context, void *to, const void *from, size_t bytes);
    /* Records first .. first + count - 1 of the early memory, whose sequence is their number there
     * plus 1. */
    int (*early)(void *context, uint64_t first, size_t count);
    /* Room for a chunk, until it is given to deliver(); waits for it. NULL: no more is taken.
     */
    void *(*room)(void *context);
    /* Records whose sequences should be first + 1 .. first + count. */
    int (*deliver)(void *context, void *room, uint64_t first, size_t count);
};
/* Each returns 0, or another number, which stops the drain and is returned. */

struct drain {
    struct shflviz_ring ring; /* as a launch is given it */
    struct shflviz_ring_host
        *host;                  /* as the host addresses it; NULL: drained between launches only */
    const unsigned char *early; /* likewise, from the first on */
    struct drain_operations does;
    uint64_t handed_on[SHFLVIZ_RING_STRIPES_MAX]; /* numbers of this launch below these */
    uint64_t delivered;                           /* records handed on, of all launches */
    uint64_t dropped;                             /* known once a launch has ended */
};

/* Before each launch: empties the ring and cuts it for so many blocks. */
int drain_begin(struct drain *drain, uint64_t blocks);

/* While a kernel runs: hands on what is ready, a chunk of each stripe at most. *count, if not NULL,
 * grows by the number of records. */
int drain_ready(struct drain *drain, uint64_t *count);

/* After a launch has ended well: hands on the rest and counts what was dropped. */
int drain_finish(struct drain *drain);

/* From a kernel that does not end: hands on all that is in the ring. What was being written may be
 * among it; the receiver must look at the sequence of each record. */
int drain_salvage(struct drain *drain);

#endif
