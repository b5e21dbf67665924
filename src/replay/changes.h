/*
 * changes.h - changing what is shown: the argument, the width, the operation ... while it is looked
 * at.
 *
 * A replay runs nothing. A key only notes what is asked for; whoever holds the replay takes the
 * note (replay_take_ask()), runs the kernel again and hands over the new recording
 * (replay_show()), under which the place, the phase, the lane and the view stay. What the change
 * altered is marked for a moment.
 */
#ifndef SHFLVIZ_REPLAY_CHANGES_H
#define SHFLVIZ_REPLAY_CHANGES_H

#include "replay/action.h"
#include "replay/state.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether keys change what is shown; they are then those of ACTION_PLACE_LIVE, too. */
void replay_set_live(struct replay *replay, bool on);

/* What a key asked for; it is forgotten. */
struct live_ask replay_take_ask(struct replay *replay);

/*
 * Shows another recording of the same kind at the same place, or at the nearest that it has. `asks`
 * stays open: the prompt at which members are marked. The trace must outlive the replay, and have a
 * step.
 */
void replay_show(struct replay *replay, const struct trace *trace);

/*
 * Shows a later state of the same recording, in which what there was is where it was: place, phase,
 * lane, and what is asked stay. `goes_on`: it will grow further; `happened` as in state.h. Until it
 * has ended only the first TRACE_STEPS_LISTED_FIRST steps are in the list of warps, which would
 * otherwise be made anew each time. The trace must outlive the replay.
 */
void replay_grow(struct replay *replay, const struct trace *trace, bool goes_on, uint64_t happened);

/* A change was refused: says why, over several lines where `why` has several. */
void replay_complain(struct replay *replay, const char *why);
/* Asks whether what the guide leaves undefined is wanted. */
void replay_ask_confirm(struct replay *replay, const char *question);
/* What completion made of the line, and the words that may follow. */
void replay_completed(struct replay *replay, const char *line, const char *choices);

/* Lanes that a picture points at: a lesson's, or those of which a change altered what the phase
 * shows. */
uint32_t replay_points(const struct replay *replay);
/* What the last change altered, while it is marked; else nothing. */
struct live_altered replay_altered(const struct replay *replay);
/* Lanes of which the last change altered a value, what is read, or that they take part. */
uint32_t replay_altered_lanes(const struct replay *replay);

/* Time passes for the marks. True if they go. */
bool live_tick(struct replay *replay, long milliseconds);
long live_wait(const struct replay *replay); /* milliseconds until then, or -1 */

/* Of the table. Those with an amount take a count, or what the row fixes. */
action_handler live_argument_up, live_argument_down, live_width_up, live_width_down;
action_handler live_operation_next, live_operation_previous, live_type_next, live_type_previous;
action_handler live_schedule_next, live_schedule_previous, live_threads_up, live_threads_down;
action_handler live_undo, live_redo, live_copy, live_beside;
action_handler live_members; /* opens the marking of lanes, and closes it */
action_handler live_member;  /* the selected lane joins or leaves */
action_handler live_prompt;  /* for a setting; 1: the argument's, 2: the inputs', begun already */
action_handler live_which;   /* for lanes and what they are to get */
action_handler live_accept, live_complete, live_confirm;

#endif
