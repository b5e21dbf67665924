/*
 * ring.h - records on their way from a running kernel to the host.
 *
 * The device's memory holds a ring of chunks, a chunk some thousand records. A warp that has
 * something to tell takes a ticket, which names its place in the ring, writes the record there and
 * commits it. Who commits the last record of a chunk tells the host; the host copies the chunk
 * while the kernel goes on, and frees it for the next round. docs/decisions/0009-draining.md says
 * why.
 *
 * What holds:
 *  - Tickets count up by one for the whole recording, over all launches. A warp's later record has
 *    the larger ticket.
 *  - A place is written by the one warp whose ticket names it, and only while its chunk is free.
 *  - host->ready[c] is chunk + 1 once every record of that chunk is whole and can be seen by a
 * copy.
 *  - A full ring: where `waits` is set, the warp waits until the host has freed the chunk or has
 *    closed the ring; else, and after closing, the record is dropped. The ticket is spent all the
 *    same, so tickets taken minus records received is exactly what was dropped.
 *  - The first `early_records` records go to memory of the host itself, where they survive the
 *    death of the kernel, and so do the sites. Each counts once its `sequence` is ticket + 1.
 *  - Waiting is for the host alone, never for another warp: a waiting warp cannot stop the others.
 *
 * The same text is compiled by nvcc for the device and by the host's compiler, so that tests can
 * play device with threads. Every function below the structs is the device's, called by one lane.
 */
#ifndef SHFLVIZ_GPU_RING_H
#define SHFLVIZ_GPU_RING_H

#include "device/filter.h"
#include "trace/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHFLVIZ_RING_CHUNKS_MAX 4096
#define SHFLVIZ_RING_SITES      256
/* The site of a call that found the table full, or whose text is not whole yet. */
#define SHFLVIZ_RING_NO_SITE SHFLVIZ_RING_SITES

/* A place in the kernel's text, copied out of the device by whoever comes there first. */
struct shflviz_ring_site {
    uint32_t ready; /* 1 once the rest is whole */
    uint32_t line;
    char file[248]; /* cut where it is longer; ends in NUL */
    char text[256];
};

/* Memory of the host that the device sees while it runs. Zeroed. */
struct shflviz_ring_host {
    uint64_t ready[SHFLVIZ_RING_CHUNKS_MAX]; /* written by the device */
    uint64_t freed;  /* written by the host: chunks below this number are copied */
    uint64_t closed; /* written by the host: 1 when it takes nothing more */
    struct shflviz_ring_site sites[SHFLVIZ_RING_SITES];
};

/* Memory of the device that it counts in. Zeroed. */
struct shflviz_ring_state {
    uint64_t next;  /* the next ticket */
    uint64_t unfit; /* records whose values are wider than the recording's; they take no ticket */
    uint64_t freed; /* the last host->freed that was seen */
    uint64_t written[SHFLVIZ_RING_CHUNKS_MAX]; /* records committed there, in all rounds */
    uint64_t sites[SHFLVIZ_RING_SITES];        /* whose call each site is: an address, 0 if free */
};

/* What a launch is given; constant while it runs. Addresses are the device's. */
struct shflviz_ring {
    struct shflviz_ring_state *state; /* NULL: nothing is recorded */
    struct shflviz_ring_host *host; /* NULL only if !waits and nothing drains: no ready, no sites */
    unsigned char *early;
    unsigned char *records;
    uint64_t early_records;
    uint64_t limit; /* tickets from this one on are dropped */
    uint64_t room;  /* chunks below this number are free at the launch */
    uint32_t chunks_log2;
    uint32_t chunk_log2; /* records in a chunk */
    uint32_t value_bytes;
    uint32_t launch; /* for the header of each record */
    uint32_t waits;
    struct shflviz_filter filter;
};

/* ---- what both machines call differently -------------------------------------------------------
 */

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
SHFLVIZ_DEVICE_FUNCTION void ring_store(uint64_t *at, uint64_t to) {
    *(volatile uint64_t *)at = to;
}
SHFLVIZ_DEVICE_FUNCTION void ring_fence(void) {
    __threadfence();
}
SHFLVIZ_DEVICE_FUNCTION void ring_fence_system(void) {
    __threadfence_system();
}
SHFLVIZ_DEVICE_FUNCTION void ring_nap(void) {
    __nanosleep(1000);
}
#else
#include <sched.h>
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_add(uint64_t *at, uint64_t by) {
    return __atomic_fetch_add(at, by, __ATOMIC_RELAXED);
}
SHFLVIZ_DEVICE_FUNCTION void ring_raise(uint64_t *at, uint64_t to) {
    uint64_t seen = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (seen < to &&
           !__atomic_compare_exchange_n(at, &seen, to, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_swap(uint64_t *at, uint64_t from, uint64_t to) {
    __atomic_compare_exchange_n(at, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return from;
}
SHFLVIZ_DEVICE_FUNCTION uint64_t ring_load(const uint64_t *at) {
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
SHFLVIZ_DEVICE_FUNCTION void ring_store(uint64_t *at, uint64_t to) {
    __atomic_store_n(at, to, __ATOMIC_RELEASE);
}
SHFLVIZ_DEVICE_FUNCTION void ring_fence(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SHFLVIZ_DEVICE_FUNCTION void ring_fence_system(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
SHFLVIZ_DEVICE_FUNCTION void ring_nap(void) {
    sched_yield();
}
#endif

/* ---- room ---------------------------------------------------------------------------------------
 */

SHFLVIZ_DEVICE_FUNCTION uint64_t ring_chunks(const struct shflviz_ring *ring) {
    return (uint64_t)1 << ring->chunks_log2;
}

/* Whether the chunk may be written; waits for that where the ring waits. */
SHFLVIZ_DEVICE_FUNCTION bool ring_chunk_is_free(const struct shflviz_ring *ring, uint64_t chunk) {
    if (chunk < ring->room)
        return true;
    if (!ring->waits)
        return false;
    if (chunk < ring_load(&ring->state->freed) + ring_chunks(ring))
        return true;
    for (;;) {
        uint64_t freed = ring_load(&ring->host->freed);
        if (chunk < freed + ring_chunks(ring)) {
            ring_raise(&ring->state->freed, freed);
            ring_fence(); /* what is written now is not seen by the copy before */
            return true;
        }
        if (ring_load(&ring->host->closed))
            return false;
        ring_nap();
    }
}

/* The place that a ticket of ring_take() names, or NULL: the record is dropped. */
SHFLVIZ_DEVICE_FUNCTION unsigned char *ring_place(const struct shflviz_ring *ring,
                                                  uint64_t ticket) {
    uint64_t bytes = SHFLVIZ_RECORD_SIZE(ring->value_bytes);
    if (ticket >= ring->limit)
        return NULL;
    if (ticket < ring->early_records)
        return ring->early + ticket * bytes;
    uint64_t number = ticket - ring->early_records;
    if (!ring_chunk_is_free(ring, number >> ring->chunk_log2))
        return NULL;
    uint64_t places = (uint64_t)1 << (ring->chunks_log2 + ring->chunk_log2);
    return ring->records + (number & (places - 1)) * bytes;
}

SHFLVIZ_DEVICE_FUNCTION uint64_t ring_take(const struct shflviz_ring *ring) {
    return ring_add(&ring->state->next, 1);
}

/* The record at `ticket` is whole: its writers have passed ring_fence() and met since. */
SHFLVIZ_DEVICE_FUNCTION void ring_commit(const struct shflviz_ring *ring, uint64_t ticket,
                                         uint64_t *sequence) {
    if (ticket < ring->early_records) {
        ring_fence_system();
        ring_store(sequence, ticket + 1);
        return;
    }
    ring_store(sequence, ticket + 1);
    if (!ring->host)
        return;
    uint64_t chunk = (ticket - ring->early_records) >> ring->chunk_log2;
    uint64_t index = chunk & (ring_chunks(ring) - 1);
    uint64_t full = ((chunk >> ring->chunks_log2) + 1) << ring->chunk_log2;
    ring_fence();
    if (ring_add(&ring->state->written[index], 1) + 1 == full) {
        ring_fence_system();
        ring_store(&ring->host->ready[index], chunk + 1);
    }
}

/* ---- sites
 * ---------------------------------------------------------------------------------------
 */

SHFLVIZ_DEVICE_FUNCTION void ring_copy_text(char *to, const char *from, uint32_t size) {
    uint32_t i = 0;
    for (; i + 1 < size && from[i]; i++)
        to[i] = from[i];
    to[i] = '\0';
}

/* The number of a site, known by its address. Who comes first copies its text to the host. */
SHFLVIZ_DEVICE_FUNCTION uint32_t ring_site(const struct shflviz_ring *ring, uint64_t address,
                                           uint32_t line, const char *file, const char *text) {
    if (!ring->host)
        return SHFLVIZ_RING_NO_SITE;
    uint32_t at = (uint32_t)(address >> 5) % SHFLVIZ_RING_SITES;
    for (uint32_t tried = 0; tried < SHFLVIZ_RING_SITES; tried++) {
        uint64_t *owner = &ring->state->sites[at];
        uint64_t found = ring_load(owner);
        if (found == 0)
            found = ring_swap(owner, 0, address);
        if (found == 0) {
            struct shflviz_ring_site *site = &ring->host->sites[at];
            site->line = line;
            ring_copy_text(site->file, file, sizeof site->file);
            ring_copy_text(site->text, text, sizeof site->text);
            ring_fence_system();
            *(volatile uint32_t *)&site->ready = 1;
            return at;
        }
        if (found == address)
            return at;
        at = (at + 1) % SHFLVIZ_RING_SITES;
    }
    return SHFLVIZ_RING_NO_SITE;
}

#endif
