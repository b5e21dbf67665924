/*
 * rounds.h - the rounds of a reduction, a scan or a sort: shuffles of one warp that belong
 * together.
 *
 * Two shuffles belong to one series if the later is the same call in a loop, or an unrolled copy of
 * it: the same operation, and a distance that is half or twice the earlier one. Successive shuffles
 * with the same distance are one round: a value and its index travel together. Watched
 * values between them do not end a series.
 */
#ifndef SHFLVIZ_REPLAY_ROUNDS_H
#define SHFLVIZ_REPLAY_ROUNDS_H

#include "replay/cursor.h"

#include <stdbool.h>
#include <stdint.h>

#define ROUNDS_MAX 32 /* the most shuffles of a series that are read, around the current one */

struct round {
    uint64_t first, last;            /* its shuffles, by their position in the warp */
    struct warp_operation operation; /* the one shown: the current one, else the first */
    int8_t source[WARP_LANES]; /* the lane read; the lane itself if it keeps its own value; -1 if
                                  none */
    uint32_t undefined;        /* lanes with an undefined result */
    bool is_exchange; /* values change places, as in a sort: each lane continues with one of two */
    uint32_t taken;   /* then the lanes that continue with the value they got */
};

struct rounds {
    int count;   /* 0 if the current operation belongs to no series */
    int current; /* the round of the current operation; for a watched value, the one before it */
    bool before, after; /* there are more that are not read */
    bool has_end;       /* the lanes' values after the last round were watched: `end` */
    struct warp_operation end;
    struct round round[ROUNDS_MAX];
};

/* The series that contains the cursor. Reads at most ROUNDS_MAX steps in either direction. */
void rounds_find(const struct cursor *cursor, struct rounds *rounds);

/* True if a lane continues with its old value (keeps), or with the one it got (takes): both are
 * true unless values change places. */
bool round_keeps(const struct round *round, int lane);
bool round_takes(const struct round *round, int lane);

/* The lanes whose values before round `from` may be part of the value of `lane` before round `to`:
 * `from` <= `to` <= `count`. A lane keeps its value and adds what it gets. */
uint32_t rounds_ancestors(const struct rounds *rounds, int lane, int to, int from);

/* True if the cursor is in a series of two shuffles or more; reads a few steps. */
bool rounds_at_cursor(const struct cursor *cursor);

/* True if the cursor's first warp consists of one such series of three rounds or more, recognised
 * by the distances of its shuffles; or of two followed by several watched values. */
bool rounds_only(const struct cursor *cursor);

#endif
