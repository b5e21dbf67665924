/*
 * memory_past.c - a set is a list of parts, ordered by block. It has few: a block's threads are one
 * part after a barrier, a warp's lanes one after __syncwarp(). A list that gets long anyway, as in
 * a grid whose blocks all increment one counter, becomes "all accesses up to then": that may miss
 * races, but invents none.
 */
#include "cudacpu/observe/memory_past.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define PARTS_MOST 512 /* of a set */
#define OF_A_WARP  4   /* parts with different lanes; more are joined, with the latest time */
#define WARP_LANES 32

struct past {
    uint32_t users;
    uint32_t all;  /* everything up to this time is in it */
    uint32_t most; /* nothing later is */
    uint32_t count;
    struct past_part part[];
};

struct past *past_keep(struct past *past) {
    if (past)
        past->users++;
    return past;
}

void past_drop(struct past *past) {
    if (past && --past->users == 0)
        free(past);
}

static bool is_within(const struct past_part *a, const struct past_part *b) {
    return a->block == b->block && a->time <= b->time &&
           (b->warp == PAST_ALL_WARPS || (a->warp == b->warp && (a->lanes & ~b->lanes) == 0));
}

/* A block has few parts, at the end of the list while it is being made. */
static void put(struct past *past, const struct past_part *part) {
    struct past_part *last_of_warp = NULL;
    unsigned of_warp = 0;
    if (part->time <= past->all)
        return;
    past->most = part->time > past->most ? part->time : past->most;
    for (uint32_t at = past->count; at > 0 && past->part[at - 1].block == part->block; at--) {
        struct past_part *other = &past->part[at - 1];
        if (is_within(part, other))
            return;
        if (is_within(other, part)) {
            *other = past->part[--past->count];
            continue;
        }
        if (other->warp != part->warp)
            continue;
        if (other->time == part->time) {
            other->lanes |= part->lanes;
            return;
        }
        of_warp++;
        last_of_warp = other;
    }
    if (of_warp < OF_A_WARP) {
        past->part[past->count++] = *part;
        return;
    }
    last_of_warp->lanes |= part->lanes;
    last_of_warp->time = part->time > last_of_warp->time ? part->time : last_of_warp->time;
}

static void put_all(struct past *past, const struct past_part *a, uint32_t a_count,
                    const struct past_part *b, uint32_t b_count) {
    while (a_count || b_count) {
        const bool is_a = a_count && (!b_count || a->block <= b->block);
        put(past, is_a ? a : b);
        is_a ? (a++, a_count--) : (b++, b_count--);
    }
    if (past->count > PARTS_MOST) {
        past->all = past->most;
        past->count = 0;
    }
}

static struct past *joined(const struct past *a, const struct past_part *b, uint32_t b_count,
                           uint32_t b_all) {
    const uint32_t a_count = a ? a->count : 0, a_all = a ? a->all : 0;
    struct past *past = memory_zeroed(1, sizeof *past + (a_count + b_count) * sizeof past->part[0]);
    past->users = 1;
    past->all = past->most = a_all > b_all ? a_all : b_all;
    put_all(past, a ? a->part : NULL, a_count, b, b_count);
    return past;
}

/* The number of parts of blocks before that one. */
static uint32_t parts_before(const struct past *past, uint32_t block) {
    uint32_t from = 0;
    for (uint32_t end = past->count; from < end;) {
        const uint32_t middle = from + (end - from) / 2;
        if (past->part[middle].block < block)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

static bool has_part(const struct past *past, const struct past_part *part) {
    uint32_t at = parts_before(past, part->block);
    while (at < past->count && past->part[at].block == part->block &&
           !is_within(part, &past->part[at]))
        at++;
    return part->time <= past->all || (at < past->count && past->part[at].block == part->block);
}

/* True if the set includes the other: a waiting lane keeps receiving the same one. */
static bool has_all(const struct past *past, const struct past *other) {
    bool has = past->most >= other->most && past->all >= other->all;
    for (uint32_t i = 0; has && i < other->count; i++)
        has = has_part(past, &other->part[i]);
    return has;
}

void past_add(struct past **to, struct past *more) {
    struct past *const before = *to;
    if (!more || before == more)
        return;
    if (before && has_all(before, more))
        return;
    *to = before ? joined(before, more->part, more->count, more->all) : past_keep(more);
    past_drop(before);
}

void past_shorten(struct past *past) {
    if (past->all == 0 || past->users > 1)
        return;
    past->all = past->most;
    past->count = 0;
}

void past_add_parts(struct past **to, const struct past_part *part, uint32_t count) {
    struct past *const before = *to;
    *to = joined(before, part, count, 0);
    past_drop(before);
}

bool past_has(const struct past *past, uint32_t block, uint32_t thread, uint32_t time) {
    if (!past || time > past->most)
        return false;
    if (time <= past->all)
        return true;
    for (uint32_t at = parts_before(past, block); at < past->count && past->part[at].block == block;
         at++) {
        const struct past_part *part = &past->part[at];
        if (time <= part->time &&
            (part->warp == PAST_ALL_WARPS ||
             (part->warp == thread / WARP_LANES && part->lanes >> thread % WARP_LANES & 1)))
            return true;
    }
    return false;
}
