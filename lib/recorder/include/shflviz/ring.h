/*
 * ring.h - records on their way from a running kernel to the host.
 *
 * The device's memory holds a ring of chunks of hundreds or thousands of cells each (cell.h), cut
 * into stripes: a stripe has chunks and a counter of its own, so that blocks do not all wait for
 * one counter. A block belongs to one stripe. A warp with a record to write takes the next numbers
 * of its stripe, one for each cell, which are positions in the stripe's chunks, and writes the
 * cells there. The host reads the counters; when all numbers of a chunk are taken, it copies the
 * chunk while the kernel goes on, repeatedly until all cells are complete, and frees it for the
 * next round. docs/decisions/0009-draining.md says why.
 *
 * Invariants:
 *  - Numbers of a stripe count up from 0 in each launch. A later record of a block has larger
 *    numbers. The cells of a record are next to each other in one chunk; where they would not be,
 *    cells without a record are written at these numbers, and others are taken.
 *  - A position is written only by the warp whose number names it, and only while its chunk is
 *    free.
 *  - Each round of a stripe has the next tag, and so has each launch, so that no position holds an
 *    old cell with a new one's tag.
 *  - When a stripe is full and `waits` is set, the warp waits until the host has freed the chunk or
 *    closed the ring; otherwise, and after closing, the record is dropped and counted. Its numbers
 *    are used up in any case.
 *  - The first `early_records` cells of stripe 0 go to the host's own memory, where they
 *    survive the death of the kernel, and so do the sites.
 *  - A warp waits for the host only, never for another warp: a waiting warp cannot stop the others.
 *    At any time only one of the warps that wait in a stripe asks the host, across the bus; the
 *    others read its result.
 *
 * The same text is compiled by nvcc for the device and by the host's compiler, so that tests can
 * simulate the device with threads. The functions below the structs run on the device, called by
 * one lane.
 */
#ifndef SHFLVIZ_RING_H
#define SHFLVIZ_RING_H

#include "shflviz/cell.h"
#include "shflviz/filter.h"
#include "shflviz/site.h"
#include "trace/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHFLVIZ_RING_CHUNKS_MAX  4096
#define SHFLVIZ_RING_STRIPES_MAX 512
#define SHFLVIZ_RING_SITES       256
/* The site of a call that found the table full, or whose text is not complete yet. */
#define SHFLVIZ_RING_NO_SITE SHFLVIZ_RING_SITES

/* A source location, copied out of the device by the first lane that reaches it. */
struct shflviz_ring_site {
    uint32_t ready; /* 1 once the rest is complete */
    uint32_t line;
    char file[248]; /* truncated if it is longer; ends in NUL */
    char text[256];
};

/* Host memory that the device can see while it runs. Zeroed. */
struct shflviz_ring_host {
    uint64_t freed[SHFLVIZ_RING_STRIPES_MAX]; /* by the host: chunks below this number are copied */
    uint64_t closed;                          /* by the host: 1 once it takes no more records */
    struct shflviz_ring_site sites[SHFLVIZ_RING_SITES];
};

/* The counters of a stripe, on a cache line of their own. */
struct shflviz_ring_stripe {
    uint64_t next;    /* the next number */
    uint64_t freed;   /* the last value seen of host->freed */
    uint64_t asking;  /* 1 while one of its warps asks the host */
    uint64_t dropped; /* records that were dropped, or are waiting for room */
    uint64_t unused[12];
};

/* The device's counters. All but the sites are zeroed for each launch. */
struct shflviz_ring_state {
    struct shflviz_ring_stripe stripe[SHFLVIZ_RING_STRIPES_MAX];
    uint64_t unfit; /* records whose values are wider than the recording's; they take no number */
    uint64_t
        sites[SHFLVIZ_RING_SITES]; /* the address that identifies each site's call, 0 if free */
};

/* The parameters of a launch; constant while it runs. Addresses are the device's. */
struct shflviz_ring {
    struct shflviz_ring_state *state; /* NULL if nothing is recorded */
    struct shflviz_ring_host *host;   /* NULL if there are no sites and `waits` is 0 */
    unsigned char *early;
    unsigned char *records;
    uint64_t early_records; /* cells, of this launch, from `early` on */
    uint64_t early_before;  /* of earlier launches */
    uint64_t limit;         /* numbers from this one on are dropped */
    uint32_t stripes_log2;
    uint32_t chunks_log2; /* of all stripes together */
    uint32_t chunk_log2;  /* cells in a chunk */
    uint32_t value_bytes; /* records of wider values are unfit */
    uint32_t tag;         /* of the first round */
    uint32_t waits;
    /* Derived from the other members. */
    uint32_t quick_places; /* fewer than `limit` and in the first round of a stripe; 0: not quick */
    uint32_t quick_mark;   /* of a first cell there */
    uint32_t stripe_places; /* places of a stripe */
    struct shflviz_filter filter;
};

/* Where a record is written: an index of places, in the early memory if SHFLVIZ_RING_EARLY is set,
 * and above it the tag. */
#define SHFLVIZ_RING_EARLY   0x80000000u
#define SHFLVIZ_RING_NO_ROOM UINT64_MAX

/* ---- functions that differ between the two machines ---- */

#ifdef __CUDACC__
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_add(uint64_t *at, uint64_t by) {
    return atomicAdd((unsigned long long *)at, (unsigned long long)by);
}
SHFLVIZ_DEVICE_FUNCTION void ring_raise(uint64_t *at, uint64_t to) {
    atomicMax((unsigned long long *)at, (unsigned long long)to);
}
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_swap(uint64_t *at, uint64_t from, uint64_t to) {
    return atomicCAS((unsigned long long *)at, (unsigned long long)from, (unsigned long long)to);
}
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_load(const uint64_t *at) {
    return *(const volatile uint64_t *)at;
}
/* A value that was valid at some time; it comes from a cache, so it is cheap. */
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_glance(const uint64_t *at) {
    unsigned long long value;
    asm volatile("ld.weak.global.ca.u64 %0, [%1];"
                 : "=l"(value)
                 : "l"(__cvta_generic_to_global(at)));
    return value;
}
SHFLVIZ_DEVICE_FUNCTION void ring_store(uint64_t *at, uint64_t to) {
    *(volatile uint64_t *)at = to;
}
SHFLVIZ_DEVICE_FUNCTION void ring_fence(void) {
    __threadfence();
}
SHFLVIZ_DEVICE_FUNCTION void ring_fence_system(void) {
    __threadfence_system();
}
SHFLVIZ_DEVICE_FUNCTION void ring_nap(uint32_t microseconds) {
    __nanosleep(1000 * microseconds);
}
#else
#include <sched.h>
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_add(uint64_t *at, uint64_t by) {
    return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
}
SHFLVIZ_DEVICE_FUNCTION void ring_raise(uint64_t *at, uint64_t to) {
    uint64_t seen = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (seen < to &&
           !__atomic_compare_exchange_n(at, &seen, to, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        continue;
}
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_swap(uint64_t *at, uint64_t from, uint64_t to) {
    __atomic_compare_exchange_n(at, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return from;
}
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_load(const uint64_t *at) {
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_glance(const uint64_t *at) {
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
SHFLVIZ_DEVICE_FUNCTION void ring_store(uint64_t *at, uint64_t to) {
    __atomic_store_n(at, to, __ATOMIC_RELEASE);
}
SHFLVIZ_DEVICE_FUNCTION void ring_fence(void) {
#ifndef __SANITIZE_THREAD__ /* it has no fences: the stores alone must be enough */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
SHFLVIZ_DEVICE_FUNCTION void ring_fence_system(void) {
    ring_fence();
}
SHFLVIZ_DEVICE_FUNCTION void ring_nap(uint32_t microseconds) {
    (void)microseconds;
    sched_yield();
}
#endif

/* ---- room ---- */

/* Chunks of a stripe. */
SHFLVIZ_DEVICE_FUNCTION uint32_t ring_chunks(const struct shflviz_ring *ring) {
    return 1u << (ring->chunks_log2 - ring->stripes_log2);
}

/* The stripe of a block. */
SHFLVIZ_DEVICE_FUNCTION uint32_t ring_stripe(const struct shflviz_ring *ring, uint32_t block) {
    return block & ((1u << ring->stripes_log2) - 1);
}

/* The number of early records in the stripe. */
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_early(const struct shflviz_ring *ring, uint32_t stripe) {
    return stripe == 0 ? ring->early_records : 0;
}

/* In shflviz_ring_stripe.freed: the host has closed the ring. */
#define SHFLVIZ_RING_CLOSED (UINT64_MAX / 2)

/* Waits until the chunk may be written. False if it never will be. */
SHFLVIZ_DEVICE_FUNCTION bool ring_await_chunk(const struct shflviz_ring *ring, uint32_t stripe,
                                              uint64_t chunk) {
    struct shflviz_ring_stripe *seen = &ring->state->stripe[stripe];
    for (uint32_t nap = 1;; nap = nap < 32 ? 2 * nap : nap) {
        uint64_t freed = ring_load(&seen->freed);
        if (freed == SHFLVIZ_RING_CLOSED)
            return false;
        if (chunk < freed + ring_chunks(ring))
            return true;
        if (ring_load(&seen->asking) == 0 && ring_swap(&seen->asking, 0, 1) == 0) {
            uint64_t closed = ring_load(&ring->host->closed);
            freed = ring_load(&ring->host->freed[stripe]);
            ring_raise(&seen->freed, closed ? SHFLVIZ_RING_CLOSED : freed);
            ring_fence(); /* writes from here on are not seen by an earlier copy */
            ring_store(&seen->asking, 0);
        }
        ring_nap(nap);
    }
}

/* Computes the members derived from the others. The host calls it, once those are set, for a
 * launch of that many blocks. */
static inline void ring_prepare(struct shflviz_ring *ring, uint64_t blocks) {
    uint64_t first = ring->early_records;
    ring->stripe_places = 1u << (ring->chunks_log2 - ring->stripes_log2 + ring->chunk_log2);
    ring->quick_mark = SHFLVIZ_CELL_FIRST | ring->tag;
    ring->quick_places = ring->stripe_places;
    if (ring->limit < first + ring->quick_places)
        ring->quick_places = ring->limit < first ? 0 : (uint32_t)(ring->limit - first);
    if (!ring->state || !ring->host || blocks > UINT32_MAX ||
        (ring->filter.parts & SHFLVIZ_FILTER_PLACES))
        ring->quick_places = 0;
}

/* The chunk of a number that is not early. */
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_chunk(const struct shflviz_ring *ring, uint32_t stripe,
                                            uint64_t number) {
    return (number - ring_early(ring, stripe)) >> ring->chunk_log2;
}

/* The tag of the cells whose numbers belong to a chunk. */
SHFLVIZ_DEVICE_FUNCTION uint32_t ring_chunk_tag(const struct shflviz_ring *ring, uint64_t chunk) {
    uint64_t round = chunk >> (ring->chunks_log2 - ring->stripes_log2);
    return (uint32_t)(ring->tag + round) & SHFLVIZ_CELL_TAG;
}

/* The room that a number names, for which it waits if the ring does; SHFLVIZ_RING_NO_ROOM if the
 * record is dropped, which is counted. */
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_place(const struct shflviz_ring *ring, uint32_t stripe,
                                            uint64_t number) {
    const uint64_t early = ring_early(ring, stripe);
    uint64_t *dropped = &ring->state->stripe[stripe].dropped;
    if (number >= ring->limit) {
        ring_add(dropped, 1);
        return SHFLVIZ_RING_NO_ROOM;
    }
    if (number < early)
        return SHFLVIZ_RING_EARLY | number | (uint64_t)SHFLVIZ_CELL_TAG_EARLY << 32;
    uint64_t chunk = ring_chunk(ring, stripe, number);
    if (chunk >= ring_chunks(ring)) {
        ring_add(dropped, 1); /* taken back below if there is room after all */
        if (!ring->waits || !ring_await_chunk(ring, stripe, chunk))
            return SHFLVIZ_RING_NO_ROOM;
        ring_add(dropped, UINT64_MAX);
    }
    uint32_t places_log2 = ring->chunks_log2 - ring->stripes_log2 + ring->chunk_log2;
    uint32_t in_stripe = (uint32_t)(number - early) & ((1u << places_log2) - 1);
    return ((stripe << places_log2) + in_stripe) | (uint64_t)ring_chunk_tag(ring, chunk) << 32;
}

SHFLVIZ_DEVICE_FUNCTION uint64_t *ring_at(const struct shflviz_ring *ring, uint64_t room) {
    const uint32_t place = (uint32_t)room;
    if (place & SHFLVIZ_RING_EARLY)
        return (uint64_t *)(ring->early +
                            (uint64_t)(place & ~SHFLVIZ_RING_EARLY) * SHFLVIZ_CELL_BYTES);
    return (uint64_t *)(ring->records + (uint64_t)place * SHFLVIZ_CELL_BYTES);
}

SHFLVIZ_DEVICE_FUNCTION uint32_t ring_tag(uint64_t room) {
    return (uint32_t)(room >> 32);
}

/* Writes cells without a record at `count` numbers from `number` on, among which a chunk ends. */
SHFLVIZ_DEVICE_FUNCTION bool ring_skip(const struct shflviz_ring *ring, uint32_t stripe,
                                       uint64_t number, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t room = ring_place(ring, stripe, number + i);
        if (room == SHFLVIZ_RING_NO_ROOM)
            return false;
        for (uint32_t lane = 0; lane < SHFLVIZ_CELL_WORDS; lane++)
            ring_store(ring_at(ring, room) + lane, ring_word(0, 0, ring_tag(room)));
    }
    return true;
}

/* Room for a record of `count` cells, one after the other, or SHFLVIZ_RING_NO_ROOM as above. */
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_room(const struct shflviz_ring *ring, uint32_t stripe,
                                           uint32_t count) {
    const uint64_t early = ring_early(ring, stripe);
    for (;;) {
        const uint64_t number = ring_add(&ring->state->stripe[stripe].next, count);
        const uint64_t last = number + count - 1;
        if (number >= early ? ring_chunk(ring, stripe, number) == ring_chunk(ring, stripe, last)
                            : last < early) /* a record that the limit cuts is dropped as a whole */
            return ring_place(ring, stripe, last < ring->limit ? number : last);
        if (!ring_skip(ring, stripe, number, count))
            return SHFLVIZ_RING_NO_ROOM;
    }
}

/* ---- sites ---- */

SHFLVIZ_DEVICE_FUNCTION void ring_copy_text(char *to, const char *from, uint32_t size) {
    uint32_t i = 0;
    for (; i + 1 < size && from[i]; i++)
        to[i] = from[i];
    to[i] = '\0';
}

/* The start of the search for a site. */
SHFLVIZ_DEVICE_FUNCTION uint32_t ring_site_slot(uint64_t key) {
    return (uint32_t)(key >> 5) % SHFLVIZ_RING_SITES;
}

/* The number of a site, identified by its key. The first lane to arrive copies its text to the
 * host. */
SHFLVIZ_DEVICE_FUNCTION uint32_t ring_site(const struct shflviz_ring *ring, uint64_t key,
                                           const struct shflviz_site *described) {
    if (!ring->host)
        return SHFLVIZ_RING_NO_SITE;
    uint32_t at = ring_site_slot(key);
    for (uint32_t tried = 0; tried < SHFLVIZ_RING_SITES; tried++) {
        uint64_t *owner = &ring->state->sites[at];
        uint64_t found = ring_load(owner);
        if (found == 0)
            found = ring_swap(owner, 0, key);
        if (found == 0) {
            struct shflviz_ring_site *site = &ring->host->sites[at];
            site->line = described->line;
            ring_copy_text(site->file, described->file, sizeof site->file);
            ring_copy_text(site->text, described->text, sizeof site->text);
            ring_fence_system();
            *(volatile uint32_t *)&site->ready = 1;
            return at;
        }
        if (found == key)
            return at;
        at = (at + 1) % SHFLVIZ_RING_SITES;
    }
    return SHFLVIZ_RING_NO_SITE;
}

#endif
