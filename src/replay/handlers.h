/*
 * handlers.h - what a replay does for the rows of the table: handlers (action.h), and what they
 * share. predict.h has those of a question.
 *
 * `count` 0 counts as 1. A movement ends what was asked, and says when it comes to an end.
 */
#ifndef SHFLVIZ_REPLAY_HANDLERS_H
#define SHFLVIZ_REPLAY_HANDLERS_H

#include "replay/action.h"
#include "replay/state.h"

/* ---- moving (moves.c) ---- */

action_handler move_phase_next, move_phase_previous, move_phase_go;
action_handler move_operation_next, move_operation_previous, move_operation_go;
action_handler move_operation_first, move_operation_last; /* 9g goes to the 9th */
action_handler move_lane_next, move_lane_previous, move_lane_go;
action_handler move_lane_click; /* answers where a question is open */
action_handler move_warp_next, move_warp_previous;
action_handler move_block_next, move_block_previous;

/* False while only some of the recording's warps and operations are listed: an end is one so far.
 */
bool move_is_listed(const struct replay *replay);

/* ---- looking (looks.c) ---- */

action_handler look_view_next, look_view_previous, look_view_go, look_scroll;
action_handler look_help;   /* opens or closes it */
action_handler look_cancel; /* closes the help screen or a prompt; a question ends */
action_handler look_quit;
/* Ask for it, or for its list of what was printed: the front end shows it. */
action_handler look_overview, look_output;

/* For scripts and lessons, in English; on a screen _(view_kind_name()). */
const char *view_kind_name(enum view_kind view); /* "lanes" */

/* Whether what is looked at has the view: rounds and variables are not everywhere. */
bool view_is_here(const struct replay *replay, enum view_kind view);

/* ---- finding: a lane (17), an operation (xor), a line (line 12), a value (=31), undefined, a text
 * ---- */

action_handler find_open;   /* opens the prompt */
action_handler find_accept; /* looks for what is at the prompt, or for the same as last time */
/* Goes to the next place that matches, from here on and round to it again, or says that there is
 * none. */
action_handler find_next;
/* A search of many steps goes on with each tick; true if it has something to show. */
bool find_tick(struct replay *replay);
/* Ends it for now, and says how far it has come; `find_next` goes on there. */
void find_stop(struct replay *replay);

/* ---- playing by itself, one phase at a time (playing.c) ---- */

action_handler play_toggle, play_faster, play_slower;
action_handler play_stop_open;   /* asks for a line or a condition at which it stops */
action_handler play_stop_accept; /* takes it; nothing typed: none */

/* ---- expressions over local variables (watched.c) ---- */

action_handler watched_open;   /* asks for them, "sum, mine + other" */
action_handler watched_accept; /* takes them; nothing typed: none */
/* Completes the name that is being typed by those of the variables that can be named here. */
bool watched_complete(struct replay *replay);

/* A speed after a change, within -4..4: each step doubles or halves. */
int play_speed(int speed, int change);
/* Time passes; true if it led on. */
bool play_tick(struct replay *replay, long milliseconds);
/* Milliseconds until it leads on, or -1 while nothing plays. */
long play_wait(const struct replay *replay);

#endif
