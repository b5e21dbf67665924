#include "cudacpu/runtime/arena.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef REGION_BYTES
#define REGION_BYTES ((size_t)32 << 20)
#endif
#define PAGE_BYTES ((size_t)65536) /* a multiple of any system's */
/* A page of a GPU's memory: accesses up to its end are not errors. */
#define GPU_BYTES ((size_t)2 << 20)

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* ---- lists of ranges ---- */

/* The number of ranges that begin at or before the address. */
static size_t ranges_up_to(const struct api_ranges *ranges, const char *address) {
    return search_address_up_to(ranges->range, ranges->count, sizeof ranges->range[0], address);
}

static void range_insert(struct api_ranges *ranges, size_t at, struct api_range range) {
    ranges->range =
        memory_room(ranges->range, ranges->count, &ranges->capacity, sizeof ranges->range[0]);
    memmove(ranges->range + at + 1, ranges->range + at,
            (ranges->count - at) * sizeof ranges->range[0]);
    ranges->range[at] = range;
    ranges->count++;
}

static void range_remove(struct api_ranges *ranges, size_t at) {
    ranges->count--;
    memmove(ranges->range + at, ranges->range + at + 1,
            (ranges->count - at) * sizeof ranges->range[0]);
}

/* ---- regions ---- */

/* After each region comes an inaccessible page, so that the end of an allocation is never the
 * beginning of something else. */
static bool region_make(struct api_arena *arena, size_t bytes) {
    size_t size = (bytes + GPU_BYTES - 1) / GPU_BYTES * GPU_BYTES;
    if (size < bytes)
        return false;
    size = size < REGION_BYTES ? REGION_BYTES : size;
    char *start = mmap(NULL, size + PAGE_BYTES, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return false;
    if (!arena->is_closed && mprotect(start, size, PROT_READ | PROT_WRITE) != 0) {
        munmap(start, size + PAGE_BYTES);
        return false;
    }
    const struct api_range range = {.start = start, .size = size};
    range_insert(&arena->regions, ranges_up_to(&arena->regions, start), range);
    range_insert(&arena->holes, ranges_up_to(&arena->holes, start), range);
    return true;
}

static void regions_protect(const struct api_arena *arena, int protection) {
    for (size_t i = 0; i < arena->regions.count; i++)
        mprotect(arena->regions.range[i].start, arena->regions.range[i].size, protection);
}

void api_arena_open(struct api_arena *arena) {
    if (arena->is_closed)
        regions_protect(arena, PROT_READ | PROT_WRITE);
    arena->is_closed = false;
}

void api_arena_close(struct api_arena *arena) {
    if (!arena->is_closed)
        regions_protect(arena, PROT_NONE);
    arena->is_closed = true;
}

bool api_arena_holds(const struct api_arena *arena, const void *address) {
    const size_t at = ranges_up_to(&arena->regions, address);
    return at > 0 && (const char *)address < arena->regions.range[at - 1].start +
                                                 arena->regions.range[at - 1].size + PAGE_BYTES;
}

void api_arena_release(struct api_arena *arena) {
    for (size_t i = 0; i < arena->regions.count; i++)
        munmap(arena->regions.range[i].start, arena->regions.range[i].size + PAGE_BYTES);
    free(arena->regions.range);
    free(arena->holes.range);
    *arena = (struct api_arena){0};
}

/* ---- taking and returning ---- */

char *api_arena_alloc(struct api_arena *arena, size_t bytes, bool *is_used) {
    for (int attempt = 0; attempt < 2; attempt++) {
        for (size_t i = 0; i < arena->holes.count; i++) {
            struct api_range *hole = &arena->holes.range[i];
            if (hole->size < bytes)
                continue;
            char *start = hole->start;
            *is_used = hole->is_used;
            hole->start += bytes;
            hole->size -= bytes;
            if (!hole->size)
                range_remove(&arena->holes, i);
            return start;
        }
        if (!region_make(arena, bytes))
            return NULL;
    }
    return NULL;
}

/* Returns an unused region to the system if it is larger than usual. */
static bool region_drop(struct api_arena *arena, const struct api_range *hole) {
    const size_t at = ranges_up_to(&arena->regions, hole->start);
    const struct api_range *region = &arena->regions.range[at - 1];
    if (region->size == REGION_BYTES || region->start != hole->start || region->size != hole->size)
        return false;
    munmap(region->start, region->size + PAGE_BYTES);
    range_remove(&arena->regions, at - 1);
    return true;
}

void api_arena_free(struct api_arena *arena, char *start, size_t bytes) {
    struct api_ranges *holes = &arena->holes;
    size_t at = ranges_up_to(holes, start);
    struct api_range hole = {.start = start, .size = bytes, .is_used = true};
    if (at < holes->count && start + bytes == holes->range[at].start) {
        hole.size += holes->range[at].size;
        range_remove(holes, at);
    }
    if (at > 0 && holes->range[at - 1].start + holes->range[at - 1].size == start) {
        hole.start = holes->range[--at].start;
        hole.size += holes->range[at].size;
        range_remove(holes, at);
    }
    if (!region_drop(arena, &hole))
        range_insert(holes, at, hole);
}
