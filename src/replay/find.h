/*
 * find.h - looking for a lane (17), an operation (xor), a line (line 12), a value (=31) or a text.
 *
 * Handlers of the table (action.h); they return whether anything changed.
 */
#ifndef SHFLVIZ_REPLAY_FIND_H
#define SHFLVIZ_REPLAY_FIND_H

#include "replay/state.h"

#include <stdbool.h>

/* Opens the prompt. */
bool find_open(struct replay *replay, long unused);
/* Looks for what is at the prompt; for the same as last time if that is nothing. */
bool find_accept(struct replay *replay, long unused);
/* Goes to the next place that matches, from here on and round to it again; says so if there is
 * none. */
bool find_next(struct replay *replay, long unused);

#endif
