/*
 * memory_past.h - sets of accesses that a lane knows to have been made; a release passes them on,
 * and an acquire receives them.
 *
 * A set is never changed, so that lanes and locations can share it. NULL is the empty one.
 */
#ifndef SHFLVIZ_DEVICE_OWN_MEMORY_PAST_H
#define SHFLVIZ_DEVICE_OWN_MEMORY_PAST_H

#include <stdbool.h>
#include <stdint.h>

#define PAST_ALL_WARPS UINT32_MAX

/* Accesses up to a time of lanes of a warp, or of all threads of a block. */
struct past_part {
    uint32_t block, warp, lanes, time;
};
struct past;

/* Adds a reference to the set. */
struct past *past_keep(struct past *past);
/* Drops a reference. */
void past_drop(struct past *past);
/* Replaces *to by its union with `more`; the caller keeps its reference to that. */
void past_add(struct past **to, struct past *more);
/* A set that has once been cut to "all accesses until then" stays cut. */
void past_shorten(struct past *past);
/* Replaces *to by its union with the parts, which are of one block. */
void past_add_parts(struct past **to, const struct past_part *part, uint32_t count);
/* True if it has that thread's access at that time. */
bool past_has(const struct past *past, uint32_t block, uint32_t thread, uint32_t time);

#endif
