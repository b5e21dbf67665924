/*
 * drain.h - the host's end of the ring (ring.h): takes records out while a kernel runs.
 *
 * Knows no CUDA: how the device's memory is read, and where records go, is the caller's. So it
 * works the same on a GPU's memory and, in tests, on memory that threads write.
 */
#ifndef SHFLVIZ_GPU_DRAIN_H
#define SHFLVIZ_GPU_DRAIN_H

#include "device/gpu/ring.h"

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

/* Records at the beginning of a recording that are written to the host's own memory. */
#define RING_EARLY_RECORDS 1024

struct drain_operations {
    void *context;
    /* Copies from the device's memory, also while a kernel runs there. */
    int (*read)(void *context, void *to, const void *from, size_t bytes);
    int (*write)(void *context, void *to, const void *from, size_t bytes);
    /* Records with the tickets first .. first + count - 1, which lie in the early memory. */
    int (*early)(void *context, uint64_t first, size_t count);
    /* Room for a chunk, until it is given to deliver(); waits for it. NULL: nobody takes any more.
     */
    void *(*room)(void *context);
    int (*deliver)(void *context, void *room, uint64_t first, size_t count);
};
/* Each returns 0, or another number, which ends what is done and is returned. */

struct drain {
    struct shflviz_ring ring; /* as a launch is given it */
    struct shflviz_ring_host
        *host;                  /* as the host addresses it; NULL: drained between launches only */
    const unsigned char *early; /* likewise */
    struct drain_operations does;
    uint64_t delivered; /* tickets below this one have been handed on */
    uint64_t dropped;   /* known once a launch has ended */
};

/* While a kernel runs: hands on what is ready. *count, if not NULL, grows by the number of records.
 */
int drain_ready(struct drain *drain, uint64_t *count);

/* After a launch has ended well: hands on the rest, counts what was dropped and makes ring.room
 * right for the next launch. */
int drain_finish(struct drain *drain);

/* From a kernel that does not end: hands on all that is in the ring. What was being written may be
 * among it; who gets it must look at the sequence of each record. */
int drain_salvage(struct drain *drain);

#endif
