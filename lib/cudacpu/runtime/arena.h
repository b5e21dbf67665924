/*
 * arena.h - the memory that cudaMalloc() returns: in address ranges of its own, so that it can be
 * distinguished from the host's memory, and closed to the host.
 *
 * A region is a part of the address space that was requested from the system in one go; a hole is a
 * free part of a region. Both lists are ordered by address.
 */
#ifndef SHFLVIZ_CPU_API_ARENA_H
#define SHFLVIZ_CPU_API_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct api_range {
    char *start;
    size_t size;
    bool is_used; /* for a hole: false if all its bytes are 0 */
};
struct api_ranges {
    struct api_range *range;
    size_t count, capacity;
};
struct api_arena {
    struct api_ranges regions, holes;
    bool is_closed;    /* no access to it is allowed */
    bool is_hosts;     /* the host's own code runs, to which accesses are forbidden */
    bool was_devices;  /* the device has worked there: a kernel, a copy */
    uint64_t switched; /* bytes that have been closed, in all */
};

/* `bytes` bytes, a multiple of API_ARENA_ALIGNMENT, at a multiple of it; NULL if there is no room.
 * If *is_used is false they are 0. */
#define API_ARENA_ALIGNMENT 512 /* CUDA's is at least 256, and 512 serves textures */
char *api_arena_alloc(struct api_arena *arena, size_t bytes, bool *is_used);
/* Returns it to the arena. */
void api_arena_free(struct api_arena *arena, char *start, size_t bytes);
/* True if the address is in a region, or just after one. */
bool api_arena_holds(const struct api_arena *arena, const void *address);
/* Allow accesses, and forbid them. */
void api_arena_open(struct api_arena *arena);
void api_arena_close(struct api_arena *arena);
void api_arena_release(struct api_arena *arena);

#endif
