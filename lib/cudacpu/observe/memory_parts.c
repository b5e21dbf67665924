/*
 * memory_parts.c - parts of allocations that a program announces via NVTX's memory API. In a heap
 * lanes may access only the regions that it has handed out, as if each were an allocation; and a
 * region or an allocation may be closed to reads, writes or atomic operations.
 *
 * The host announces parts with the device locked, so lanes read the lists without a lock, like
 * those of allocations.
 */
#include "cudacpu/memory_parts.h"

#include "base/memory.h"
#include "base/search.h"
#include "cudacpu/observe/memory_state.h"

#include <string.h>

struct part {
    uintptr_t start, end; /* start first: the lists are sorted by it (base/search.h) */
    unsigned value;       /* of a region: 1 while it is in use; of permissions: CPU_PART_READ ... */
};
struct parts {
    struct part *part;
    size_t count, capacity;
};
static struct parts heaps, regions, permissions;

/* The last part that starts at or before the address; NULL if there is none. */
static struct part *part_until(const struct parts *parts, uintptr_t address) {
    const size_t until = search_address_up_to(parts->part, parts->count, sizeof parts->part[0],
                                              (const void *)address);
    return until ? &parts->part[until - 1] : NULL;
}

static struct part *part_at(const struct parts *parts, uintptr_t start) {
    struct part *part = part_until(parts, start);
    return part && part->start == start ? part : NULL;
}

/* Removes the parts that start in [start, end). */
static void parts_remove(struct parts *parts, uintptr_t start, uintptr_t end) {
    size_t kept = 0;
    for (size_t i = 0; i < parts->count; i++)
        if (parts->part[i].start < start || parts->part[i].start >= end)
            parts->part[kept++] = parts->part[i];
    parts->count = kept;
}

/* Replaces the part that starts there. */
static void part_put(struct parts *parts, struct part part) {
    parts_remove(parts, part.start, part.start + 1);
    parts->part = memory_room(parts->part, parts->count, &parts->capacity, sizeof part);
    const size_t at =
        search_address_up_to(parts->part, parts->count, sizeof part, (const void *)part.start);
    memmove(parts->part + at + 1, parts->part + at, (parts->count - at) * sizeof part);
    parts->part[at] = part;
    parts->count++;
}

static const struct part *heap_of(uintptr_t address) {
    const struct part *heap = part_until(&heaps, address);
    return heap && address < heap->end ? heap : NULL;
}

/* ---- what the host announces ---- */

static void heap_reset(uintptr_t start) {
    const struct part *heap = part_at(&heaps, start);
    for (size_t i = 0; heap && i < regions.count; i++)
        if (regions.part[i].start >= heap->start && regions.part[i].start < heap->end)
            regions.part[i].value = 0;
}

static void remove_heap(uintptr_t start) {
    const struct part *heap = part_at(&heaps, start);
    if (!heap)
        return;
    parts_remove(&regions, start, heap->end);
    parts_remove(&heaps, start, start + 1);
}

static void permit(uintptr_t start, unsigned allowed) {
    const struct region *allocation = allocation_of(start);
    const struct part *region = part_at(&regions, start);
    if (allowed & CPU_PART_RESET)
        parts_remove(&permissions, start, start ? start + 1 : UINTPTR_MAX);
    else if (region || (allocation && allocation->start == start))
        part_put(&permissions,
                 (struct part){start, region ? region->end : allocation->end, allowed});
}

void parts_announced(int part, const void *address, size_t value) {
    const uintptr_t start = (uintptr_t)address;
    switch ((enum cpu_part)part) {
    case CPU_PART_HEAP:
        part_put(&heaps, (struct part){start, start + value, 0});
        break;
    case CPU_PART_HEAP_GONE:
        remove_heap(start);
        break;
    case CPU_PART_HEAP_RESET:
        heap_reset(start);
        break;
    case CPU_PART_REGION:
        part_put(&regions, (struct part){start, start + value, 1});
        break;
    case CPU_PART_REGION_GONE:
        if (part_at(&regions, start))
            part_at(&regions, start)->value = 0;
        break;
    case CPU_PART_PERMISSIONS:
        permit(start, (unsigned)value);
        break;
    case CPU_PART_WRITTEN:
        memory_check_written(address, value);
        break;
    }
}

void parts_freed(const struct region *region) {
    parts_remove(&heaps, region->start, region->end);
    parts_remove(&regions, region->start, region->end);
    parts_remove(&permissions, region->start, region->end);
}

/* ---- accesses ---- */

/* A region of the heap that an access may have been meant for: the one that begins at or before it,
 * or else the next. */
static const struct part *nearest_region(const struct part *heap, uintptr_t address) {
    const struct part *part = part_until(&regions, address);
    if (part && part->start >= heap->start)
        return part;
    part = part ? part + 1 : regions.part;
    return part < regions.part + regions.count && part->start < heap->end ? part : NULL;
}

static bool misses_region(const struct access *access, const struct part *heap) {
    const struct part *part = nearest_region(heap, access->address);
    if (part && part->value && access->address >= part->start &&
        access->address + access->size <= part->end)
        return false;
    const struct region missed = {.start = part ? part->start : heap->start,
                                  .end = part ? part->end : heap->end,
                                  .memory = !part         ? ACCESS_NOWHERE
                                            : part->value ? ACCESS_GLOBAL
                                                          : ACCESS_FREED};
    struct access of_region = *access;
    of_region.region = &missed;
    const struct access_entry found = finding_of(ACCESS_OUT_OF_BOUNDS, &of_region);
    add_finding(&found);
    return true;
}

static bool is_closed(const struct access *access) {
    const struct part *part = part_until(&permissions, access->address);
    const unsigned needed = cpu_now.in_atomic              ? CPU_PART_ATOMIC
                            : access->kind & ACCESS_WRITES ? CPU_PART_WRITE
                                                           : CPU_PART_READ;
    /* An atomic operation is made as a read and a write, of which the write is reported. */
    const bool is_half = cpu_now.in_atomic && !(access->kind & (ACCESS_WRITES | ACCESS_LOADS));
    if (!part || access->address >= part->end || part->value & needed || is_half)
        return false;
    struct access_entry found = finding_of(ACCESS_OUT_OF_BOUNDS, access);
    found.memory = ACCESS_CLOSED;
    add_finding(&found);
    return true;
}

bool parts_refuse(const struct access *access) {
    const struct part *heap = heaps.count ? heap_of(access->address) : NULL;
    return (heap && misses_region(access, heap)) || (permissions.count && is_closed(access));
}
