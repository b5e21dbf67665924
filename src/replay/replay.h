/*
 * replay.h - a view of a recording: the position, the selection, hidden parts.
 *
 * A replay borrows a trace and owns nothing of significant size itself, so it does not grow with
 * the trace. It knows nothing of screens and clocks; time is passed to replay_tick(). Its fields
 * (state.h) are read by everyone and assigned in src/replay alone, so a script of keys is a
 * complete test.
 */
#ifndef SHFLVIZ_REPLAY_REPLAY_H
#define SHFLVIZ_REPLAY_REPLAY_H

#include "base/error.h"
#include "replay/changes.h"
#include "replay/keys/action.h"
#include "replay/keys/handlers.h"
#include "replay/predict.h"
#include "replay/state.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Begins at the first operation of the first warp, in phase `before`, at lane 0, in the view of
 * lanes. The trace must outlive the replay. Fails if the trace has no step at all.
 */
int replay_init(struct replay *replay, const struct trace *trace, struct error *err);

/* Goes to an operation of a warp, both given by number in the recording. Lane, view and phase
 * are kept; an open question ends. False, with nothing changed, if there is no such operation.
 * `position` UINT64_MAX is the last. */
bool replay_go_position(struct replay *replay, uint32_t launch, uint64_t block, uint32_t warp,
                        uint64_t position);

/* Chooses a phase, like cursor_set_phase(); an open question stays open. */
bool replay_set_phase(struct replay *replay, enum phase phase);

/* Settings of a lesson or a quiz: the selected lane (an open question stays open), the view, the
 * speed, the parts that the picture hides, and the lanes that it points at. */
void replay_set_lane(struct replay *replay, int lane);
void replay_set_view(struct replay *replay, enum view_kind view);
/* Sets the expressions beside the local variables, "sum, mine + other". */
void replay_set_watched(struct replay *replay, const char *expressions);
/* Scrolls a page that is too long for the screen (the explanation); up if negative. */
void replay_scroll(struct replay *replay, int lines);
/* Explains the signs until the first key is pressed, which also has its usual effect. */
void replay_set_legend(struct replay *replay);
void replay_set_speed(struct replay *replay, int speed);
void replay_set_picture(struct replay *replay, unsigned hide, uint32_t points);
/* A matrix of the step's instruction, "C", in place of a view; "" for none. */
void replay_set_matrix(struct replay *replay, const char *matrix, enum replay_matrix as);

/* Does one action. `argument` is the target of a ..._GO, else a count (0 counts as 1). Closes the
 * help screen first, so that the effect of a click there is visible. True if anything visible
 * changed. */
bool replay_apply(struct replay *replay, enum action action, long argument);

/* The current meaning of the key. In a question a character may be part of the answer, whatever it
 * is bound to. */
struct press replay_press(const struct replay *replay, const char *key);
/* One press, with counts ("3n"), prompts and the help screen taken into account. */
bool replay_key(struct replay *replay, struct press press);

/* Like replay_key(), for a screen that embeds a replay and has no prompt open; `mode` is the mode
 * that has the screen's help key. */
bool replay_command(struct replay *replay, enum action_mode mode, struct press press);

/* The mode of the replay's keys while the help screen is closed; the help screen lists the keys of
 * that mode. */
enum action_mode replay_key_mode(const struct replay *replay);
/* True if the replay can do the action of the row: a recording cannot be changed. */
bool replay_allows(const struct replay *replay, const struct action_info *info);

/* The press as the replay's help screen alters it, if that is open. */
struct press replay_help_press(const struct replay *replay, struct press press);
/* Closes the help screen, if it is open. True if the press has no other effect. */
bool replay_help_takes(struct replay *replay, struct press press);
/* Closes the help screen; true if it was open. */
bool replay_close_help(struct replay *replay);
/* Drops a half-typed count. */
bool replay_drop_count(struct replay *replay);
/* Empties the message. */
void replay_clear_message(struct replay *replay);
/* Takes the user's request to leave; true if there was one. */
bool replay_take_quit(struct replay *replay);
/* The same for the request to see the recording as a whole. */
enum replay_overview replay_take_overview(struct replay *replay);
/* Goes to a step of the recording, by its number. False if no listed warp has it. */
bool replay_go_step(struct replay *replay, uint64_t step);

/* Lets time pass: play advances, and another piece of a recording without an index is listed. True
 * if anything visible changed. */
bool replay_tick(struct replay *replay, long milliseconds);

/* Milliseconds until the next tick does something, or -1 if none ever does (nothing plays, no
 * count is ambiguous, all warps are listed). A front end must not wait longer than this for a key,
 * and passes the elapsed time to replay_tick() before each key. */
long replay_wait(const struct replay *replay);

#endif
