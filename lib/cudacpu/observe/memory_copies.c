/*
 * memory_copies.c - copies that a thread has begun and not waited for (cp.async). The CPU warp
 * makes them immediately; on a GPU the bytes are there only after the wait of the thread that
 * requested them, and a barrier is not such a wait. A copy that is bound to a cuda::barrier or to a
 * stage of a pipeline of several threads is there once one of them has waited for that phase.
 *
 * Every four bytes of shared memory have a slot, by address; a slot that another address takes
 * over forgets the old copy.
 */
#include "cudacpu/observe/memory_state.h"

#include <string.h>

#define SLOTS    65536
#define BARRIERS 256

static struct {
    struct {
        uintptr_t granule; /* 0 if there is none */
        uint32_t begin;    /* of the block */
        uint32_t group;    /* of the thread's commits */
        uint16_t thread, site;
        uint32_t phase;
        uintptr_t barrier; /* 0 if the copy belongs to a group */
    } slot[SLOTS];
    struct {
        uintptr_t address; /* copies of another barrier count as waited for */
        uint32_t begin;    /* of the block */
        uint32_t done;     /* phases */
    } barrier[BARRIERS];
    struct {
        uint32_t begin;     /* the block that the other fields belong to */
        uint32_t committed; /* groups */
        uint32_t done;      /* of them, from the first on */
    } thread[CPU_BLOCK_THREADS];
    bool is_used;
} copies;

static const struct block_clock *clock_here(void) {
    return clock_of((uint32_t)cpu_device_in_use()->block);
}

/* Identifies the running lane and its block. False if nothing is checked. */
static bool take_thread(uint32_t *begin, uint32_t *thread) {
    if (!check.on || !cpu_is_lane() || cpu_device_in_use()->interleaved)
        return false;
    *begin = clock_here()->begin;
    *thread = cpu_now.lane->thread;
    if (copies.thread[*thread].begin != *begin) {
        memset(&copies.thread[*thread], 0, sizeof copies.thread[*thread]);
        copies.thread[*thread].begin = *begin;
    }
    return true;
}

static size_t barrier_slot(uintptr_t address) {
    return address / 4 % BARRIERS;
}

/* `barrier` is 0 for a copy that belongs to a group. */
static void begin_copy(const void *to, size_t size, uintptr_t barrier, uint32_t phase,
                       const void *pc) {
    uint32_t begin, thread;
    if (!take_thread(&begin, &thread))
        return;
    const uint16_t site = site_number(pc);
    copies.is_used = true;
    for (uintptr_t granule = (uintptr_t)to / GRANULE;
         granule <= ((uintptr_t)to + size - 1) / GRANULE && size; granule++) {
        const size_t at = granule % SLOTS;
        copies.slot[at].granule = granule;
        copies.slot[at].begin = begin;
        copies.slot[at].group = copies.thread[thread].committed;
        copies.slot[at].thread = (uint16_t)thread;
        copies.slot[at].site = site;
        copies.slot[at].barrier = barrier;
        copies.slot[at].phase = phase;
    }
    const size_t at = barrier_slot(barrier);
    if (!barrier)
        return;
    if (copies.barrier[at].address != barrier || copies.barrier[at].begin != begin ||
        copies.barrier[at].done > phase) /* the barrier was initialised again */
        copies.barrier[at].done = phase;
    copies.barrier[at].address = barrier;
    copies.barrier[at].begin = begin;
}

void copies_begun(const void *to, size_t size, const void *pc) {
    begin_copy(to, size, 0, 0, pc);
}

void copies_bound(const void *to, size_t size, const void *barrier, unsigned phase,
                  const void *pc) {
    begin_copy(to, size, (uintptr_t)barrier, phase, pc);
}

void copies_phases_waited(const void *barrier, unsigned phases) {
    const size_t at = barrier_slot((uintptr_t)barrier);
    uint32_t begin, thread;
    if (take_thread(&begin, &thread) && copies.barrier[at].address == (uintptr_t)barrier &&
        copies.barrier[at].begin == begin && copies.barrier[at].done < phases)
        copies.barrier[at].done = phases;
}

void copies_committed(void) {
    uint32_t begin, thread;
    if (take_thread(&begin, &thread))
        copies.thread[thread].committed++;
}

void copies_waited(size_t left) {
    uint32_t begin, thread;
    if (!take_thread(&begin, &thread))
        return;
    const uint32_t committed = copies.thread[thread].committed;
    const uint32_t done = left < committed ? committed - (uint32_t)left : 0;
    if (done > copies.thread[thread].done)
        copies.thread[thread].done = done;
}

static bool has_arrived(size_t at) {
    const size_t barrier = barrier_slot(copies.slot[at].barrier);
    if (!copies.slot[at].barrier)
        return copies.slot[at].group < copies.thread[copies.slot[at].thread].done;
    return copies.barrier[barrier].address != copies.slot[at].barrier ||
           copies.barrier[barrier].begin != copies.slot[at].begin ||
           copies.barrier[barrier].done > copies.slot[at].phase;
}

void copies_read(const struct access *access) {
    if (!copies.is_used || cpu_device_in_use()->interleaved)
        return;
    const uintptr_t last = (access->address + access->size - 1) / GRANULE;
    for (uintptr_t granule = access->address / GRANULE; granule <= last; granule++) {
        const size_t at = granule % SLOTS;
        const uint32_t thread = copies.slot[at].thread;
        if (copies.slot[at].granule != granule || copies.slot[at].begin != access->clock->begin ||
            has_arrived(at))
            continue;
        struct access_entry found = finding_of(ACCESS_NOT_WAITED, access);
        found.other = (struct access_party){.pc = site_offset(copies.slot[at].site),
                                            .block = access->clock->block,
                                            .thread = thread,
                                            .kind = ACCESS_WRITES};
        add_finding(&found);
        return;
    }
}

void copies_overwritten(const struct access *access) {
    if (!copies.is_used)
        return;
    const uintptr_t last = (access->address + access->size - 1) / GRANULE;
    for (uintptr_t granule = access->address / GRANULE; granule <= last; granule++)
        if (copies.slot[granule % SLOTS].granule == granule)
            copies.slot[granule % SLOTS].granule = 0;
}
