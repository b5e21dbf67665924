/*
 * arena.h - the memory that cudaMalloc() gives out: ranges of addresses of its own, so that it
 * can be told from the host's memory, and closed to the host.
 *
 * A region is a part of the address space that was asked of the system at once; a hole is a part of
 * a region that nobody has. Both lists are ordered by address.
 */
#ifndef SHFLVIZ_CPU_API_ARENA_H
#define SHFLVIZ_CPU_API_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct api_range {
    char *start;
    size_t size;
    bool is_used; /* a hole: it may hold something; else all its bytes are 0 */
};
struct api_ranges {
    struct api_range *range;
    size_t count, capacity;
};
struct api_arena {
    struct api_ranges regions, holes;
    bool is_closed;    /* no access to it is allowed */
    bool is_hosts;     /* the host's own code runs, to which no access is allowed */
    bool was_devices;  /* work of the device has run: a kernel, a copy */
    uint64_t switched; /* bytes that have been closed, in all */
};

/* `bytes` bytes, a multiple of API_ARENA_ALIGNMENT, at a multiple of it; NULL if there is no room.
 * *is_used: they may hold something, else they are 0. */
#define API_ARENA_ALIGNMENT 512 /* CUDA's is at least 256, and 512 serves textures */
char *api_arena_take(struct api_arena *arena, size_t bytes, bool *is_used);
/* Gives back what was taken. */
void api_arena_give(struct api_arena *arena, char *start, size_t bytes);
/* Whether the address lies in a region, or just behind one. */
bool api_arena_holds(const struct api_arena *arena, const void *address);
/* Allows accesses, and forbids them. */
void api_arena_open(struct api_arena *arena);
void api_arena_close(struct api_arena *arena);
void api_arena_release(struct api_arena *arena);

#endif
