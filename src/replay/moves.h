/*
 * moves.h - the table's handlers that move through a recording; action.h says what a handler is.
 *
 * `count` 0 counts as 1. A movement ends what was asked, and says when it comes to an end.
 */
#ifndef SHFLVIZ_REPLAY_MOVES_H
#define SHFLVIZ_REPLAY_MOVES_H

#include "replay/state.h"

#include <stdbool.h>

bool move_phase_next(struct replay *replay, long count);
bool move_phase_previous(struct replay *replay, long count);
bool move_phase_go(struct replay *replay, long phase);
bool move_operation_next(struct replay *replay, long count);
bool move_operation_previous(struct replay *replay, long count);
bool move_operation_first(struct replay *replay, long number); /* 9g goes to the 9th */
bool move_operation_last(struct replay *replay, long number);
bool move_operation_go(struct replay *replay, long position);
bool move_lane_next(struct replay *replay, long count);
bool move_lane_previous(struct replay *replay, long count);
bool move_lane_go(struct replay *replay, long lane);
bool move_lane_click(struct replay *replay, long lane); /* answers where a question is open */
bool move_warp_next(struct replay *replay, long count);
bool move_warp_previous(struct replay *replay, long count);
bool move_block_next(struct replay *replay, long count);
bool move_block_previous(struct replay *replay, long count);

/* False while only some of the recording's warps and operations are listed: an end is one so far.
 */
bool move_is_listed(const struct replay *replay);

#endif
