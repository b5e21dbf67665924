/*
 * handlers.h - a replay's handlers (action.h) for the rows of the table, and their common
 * functions. predict.h has those of a question.
 *
 * `count` 0 counts as 1. A movement closes an open question, and reports when it reaches an end.
 */
#ifndef SHFLVIZ_REPLAY_HANDLERS_H
#define SHFLVIZ_REPLAY_HANDLERS_H

#include "replay/keys/action.h"
#include "replay/state.h"

/* ---- moving (moves.c) ---- */

action_handler move_phase_next, move_phase_previous, move_phase_go;
action_handler move_operation_next, move_operation_previous, move_operation_go;
action_handler move_operation_first, move_operation_last; /* 9g goes to the 9th */
action_handler move_lane_next, move_lane_previous, move_lane_go;
action_handler move_lane_click; /* answers the question if one is open */
action_handler move_warp_next, move_warp_previous;
action_handler move_block_next, move_block_previous;

/* False while only some of the recording's warps and operations are listed: every end is then
 * provisional. */
bool move_is_listed(const struct replay *replay);

/* ---- display (looks.c) ---- */

action_handler look_view_next, look_view_previous, look_view_go, look_scroll;
action_handler look_help;   /* opens or closes it */
action_handler look_cancel; /* closes the help screen or a prompt; a question ends */
action_handler look_quit;
/* Request the step's matrices, the overview, or its list of printed lines; the front end shows
 * them. */
action_handler look_fragments, look_overview, look_output;

/* In English, for scripts and lessons; on a screen use _(view_kind_name()). */
const char *view_kind_name(enum view_kind view); /* "lanes" */

/* True if the view is available here: rounds and variables are not everywhere. */
bool view_is_available(const struct replay *replay, enum view_kind view);

/* ---- finding: a lane (17), an operation (xor), a line (line 12), a value (=31), an undefined
 * result (undefined), a text ---- */

action_handler find_open;   /* opens the prompt */
action_handler find_accept; /* searches for the text at the prompt, or repeats the last search */
/* Goes to the next match, wrapping around to the current operation, or reports that there is
 * none. */
action_handler find_next;
/* Continues a long search with each tick; true if it has something to show. */
bool find_tick(struct replay *replay);
/* Pauses it, and reports its progress; `find_next` resumes it. */
void find_stop(struct replay *replay);

/* ---- playing by itself, one phase at a time (playing.c) ---- */

action_handler play_toggle, play_faster, play_slower;
action_handler play_run;         /* to where play stops; if no stop is set, to the next phase */
action_handler play_stop_open;   /* asks for a line or a condition at which play stops */
action_handler play_stop_accept; /* takes the line; an empty one means none */

/* ---- the origins of values (whose.c) ---- */

/* While it is on, a view of wires, rounds or source shows the paths of the requested values, and
 * they stay lit while the replay moves. False if that is not possible. */
bool whose_light(struct replay *replay, enum view_kind view);

/* ---- expressions over local variables (watched.c) ---- */

action_handler watched_open;   /* asks for them, "sum, mine + other" */
action_handler watched_accept; /* takes the line; an empty one means none */
/* Completes the name being typed from the variables in scope. */
bool watched_complete(struct replay *replay);

/* The speed after a change, within -4..4: each step doubles or halves it. */
int play_speed(int speed, int change);
/* Lets time pass; true if the replay advanced. */
bool play_tick(struct replay *replay, long milliseconds);
/* Milliseconds until the replay advances, or -1 while nothing plays. */
long play_wait(const struct replay *replay);

#endif
