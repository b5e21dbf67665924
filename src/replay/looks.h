/*
 * looks.h - how a replay is looked at: the view, the help screen, leaving.
 *
 * Handlers of the table (action.h); they return whether anything changed.
 */
#ifndef SHFLVIZ_REPLAY_LOOKS_H
#define SHFLVIZ_REPLAY_LOOKS_H

#include "replay/state.h"

#include <stdbool.h>

bool look_view_next(struct replay *replay, long unused);
bool look_view_previous(struct replay *replay, long unused);
bool look_view_go(struct replay *replay, long view);
bool look_help(struct replay *replay, long unused); /* opens or closes it */
/* Closes the help screen or a prompt; a question ends. */
bool look_cancel(struct replay *replay, long unused);
bool look_quit(struct replay *replay, long unused);

/* For scripts and lessons, in English; on a screen _(view_kind_name()). */
const char *view_kind_name(enum view_kind view); /* "lanes" */

#endif
