/*
 * move.h - how the parts of a replay move it; not for other folders.
 */
#ifndef SHFLVIZ_REPLAY_MOVE_H
#define SHFLVIZ_REPLAY_MOVE_H

#include "replay/replay.h"

/* One line for the person, cut at the size of the field. */
void replay_say(struct replay *replay, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Goes to the operation at `position` of `warp` and decodes it. A prediction ends. */
void replay_go(struct replay *replay, const struct trace_warp *warp, uint64_t position);

/* False while only some of the recording's warps and operations are listed: an end is one so far.
 */
bool replay_is_listed(const struct replay *replay);

/* Asks about the selected lane; says why if there is nothing to ask. */
void predict_ask(struct replay *replay);
/* One key while a question is open. */
void predict_key(struct replay *replay, const char *key);
/* A lane is chosen, by a click: marked, answered or asked about, as the question is. */
void predict_lane(struct replay *replay, int lane);
/* Selects a lane while a question is open, which then may be about that lane. */
void predict_select(struct replay *replay, int lane);
void predict_end(struct replay *replay);

/* A key typed at a prompt changes replay->input. */
void replay_type(struct replay *replay, const char *key);

/* Looks for replay->find from the current place on; says so if it is not there. */
void find_next(struct replay *replay);

#endif
