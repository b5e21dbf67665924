/*
 * changes.h - changes to the scene that is shown: its argument, width, operation and so on.
 *
 * A replay runs nothing. A key only makes a request; the owner of the replay takes the request
 * (replay_take_ask()), runs the kernel again and passes the new recording on (replay_show());
 * position, phase, lane and view are kept. Whatever the change altered is marked for a moment.
 */
#ifndef SHFLVIZ_REPLAY_CHANGES_H
#define SHFLVIZ_REPLAY_CHANGES_H

#include "replay/keys/action.h"
#include "replay/state.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* If `on`, keys change the scene, and the keys of ACTION_MODE_LIVE apply, too. */
void replay_set_live(struct replay *replay, bool on);

/* Takes the request that a key has made. */
struct live_ask replay_take_ask(struct replay *replay);

/*
 * Shows another recording of the same kind at the same position, or at the nearest one that the
 * recording has. An open prompt for marking members stays open. The trace must outlive the replay,
 * and have at least one step.
 */
void replay_show(struct replay *replay, const struct trace *trace);

/*
 * Shows a later state of the same recording, with new steps at its end and no other change:
 * position, phase, lane and question stay. `goes_on`: the run has not ended; `happened` as in
 * state.h. Until the run has ended, only the first TRACE_STEPS_LISTED_FIRST steps are in the list
 * of warps, because the list would otherwise be rebuilt each time. The trace must outlive the
 * replay.
 */
void replay_grow(struct replay *replay, const struct trace *trace, bool goes_on, uint64_t happened);

/* Shows why a change was refused, over several lines if `why` has several. */
void replay_complain(struct replay *replay, const char *why);
/* Asks for confirmation that undefined results are wanted. */
void replay_ask_confirm(struct replay *replay, const char *question);
/* Sets the line to its completion, and shows the words that may follow. */
void replay_set_completion(struct replay *replay, const char *line, const char *choices);

/* The lanes that the picture points at: those that a lesson names, and those for which a change
 * altered the data of this phase. */
uint32_t replay_points(const struct replay *replay);
/* The effects of the last change, while they are marked; else none. */
struct live_altered replay_altered(const struct replay *replay);
/* Lanes whose values, source lane or participation the last change altered. */
uint32_t replay_altered_lanes(const struct replay *replay);

/* Lets time pass for the marks. True if the marks end now. */
bool live_tick(struct replay *replay, long milliseconds);
long live_wait(const struct replay *replay); /* milliseconds until the marks end, or -1 */

/* Handlers for the table of actions. Those with an amount take a count, or the row's fixed
 * argument. */
action_handler live_argument_up, live_argument_down, live_width_up, live_width_down;
action_handler live_operation_next, live_operation_previous, live_type_next, live_type_previous;
action_handler live_schedule_next, live_schedule_previous, live_threads_up, live_threads_down;
action_handler live_undo, live_redo, live_copy, live_beside;
action_handler live_members; /* opens the prompt for marking member lanes, or closes it */
action_handler live_member;  /* the selected lane joins or leaves the members */
action_handler live_prompt;  /* opens the prompt for a setting, with the argument's name (1),
                              * the inputs' name (2) or nothing (0) already typed */
action_handler live_which;   /* opens the prompt for lanes and the values they are to get */
action_handler live_accept, live_complete, live_confirm;

#endif
