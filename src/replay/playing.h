/*
 * playing.h - a replay that goes on by itself, one phase at a time.
 *
 * play_toggle() and the two changes of speed are handlers of the table (action.h).
 */
#ifndef SHFLVIZ_REPLAY_PLAYING_H
#define SHFLVIZ_REPLAY_PLAYING_H

#include "replay/state.h"

#include <stdbool.h>

bool play_toggle(struct replay *replay, long unused);
bool play_faster(struct replay *replay, long unused);
bool play_slower(struct replay *replay, long unused);

/* A speed after a change, within -4..4: each step doubles or halves. */
int play_speed(int speed, int change);
/* Time passes; true if it led on. */
bool play_tick(struct replay *replay, long milliseconds);
/* Milliseconds until it leads on, or -1 while nothing plays. */
long play_wait(const struct replay *replay);

#endif
