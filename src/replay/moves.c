/*
 * The movements of keys and clicks by phase, operation, lane, warp and block, and the message at
 * each end. cursor.h moves; this file decides what a movement means for counts, predictions and
 * views.
 */
#include "replay/keys/handlers.h"

#include "base/message.h"
#include "replay/keys/action.h"
#include "replay/lines.h"
#include "replay/pages/block.h"
#include "replay/predict.h"
#include "replay/replay.h"

#define PHASES_LIMIT 10000L /* each step is decoded: a mistyped count must not take forever */

#define MOVE(NAME, BY, DIRECTION)                                                                  \
    bool NAME(struct replay *replay, long count) {                                                 \
        return BY(replay, count, DIRECTION);                                                       \
    }

bool move_is_listed(const struct replay *replay) {
    return trace_warps_listed(replay->cursor.trace);
}

/* Reports the end of the warp's operations, and what can be done there. */
static void say_last_operation(struct replay *replay) {
    const struct cursor *cursor = &replay->cursor;
    bool more = trace_warp_count(cursor->trace) > cursor->warp.index + 1;
    if (cursor->has_step && cursor->step.operation.unfinished)
        replay_set_message(replay,
                           _("the run ended here: these lanes wait for lanes that never come"));
    else
        replay_set_message(replay,
                           move_is_listed(replay)
                               ? more ? _("last operation of this warp: %s shows the next warp")
                                      : _("last operation of this warp")
                           : more ? _("last operation of this warp so far: %s shows the next warp")
                                  : _("last operation of this warp so far"),
                           action_key(ACTION_MODE_REPLAY, ACTION_WARP_NEXT));
}

static void say_end(struct replay *replay, int direction) {
    if (direction > 0)
        say_last_operation(replay);
    else
        replay_set_message(replay, _("first operation of this warp"));
}

/* ---- phases ---- */

static bool step_phase(struct replay *replay, long count, int direction) {
    struct error err = ERROR_INIT;
    bool changed = asking_end(&replay->asking, &replay->input);
    if (replay_moves_by_line(replay))
        return lines_step(replay, count, direction) || changed;
    count = count < 1 ? 1 : count < PHASES_LIMIT ? count : PHASES_LIMIT;
    for (; count > 0; count--) {
        if (!cursor_step(&replay->cursor, direction, &err)) {
            say_end(replay, direction);
            return changed;
        }
        changed = true;
        if (!replay->cursor.has_step)
            replay_set_message(replay, "%s", err.text);
    }
    return changed;
}

MOVE(move_phase_next, step_phase, 1)
MOVE(move_phase_previous, step_phase, -1)

bool move_phase_go(struct replay *replay, long phase) {
    bool ended = asking_end(&replay->asking, &replay->input);
    bool moved =
        phase >= 0 && phase < PHASE_COUNT && cursor_set_phase(&replay->cursor, (enum phase)phase);
    return ended || moved;
}

/* ---- operations ---- */

bool move_operation_go(struct replay *replay, long position) {
    const struct trace_warp *warp = &replay->cursor.warp;
    uint64_t last = warp->steps - 1, wanted = position < 0 ? 0 : (uint64_t)position;
    bool changed = replay_go(replay, warp, wanted > last ? last : wanted);
    if (wanted > last)
        replay_set_message(replay,
                           move_is_listed(replay)
                               ? _("this warp has %llu operations: this is the last")
                               : _("this warp has %llu operations so far: this is the last"),
                           (unsigned long long)warp->steps);
    return changed;
}

bool move_operation_first(struct replay *replay, long number) {
    if (replay_moves_by_line(replay))
        return lines_go(replay, number > 0 ? (size_t)number - 1 : 0);
    return move_operation_go(replay, number > 0 ? number - 1 : 0);
}

bool move_operation_last(struct replay *replay, long number) {
    if (replay_moves_by_line(replay))
        return lines_go(replay, number > 0 ? (size_t)number - 1 : SIZE_MAX);
    if (number > 0)
        return move_operation_go(replay, number - 1);
    return replay_go(replay, &replay->cursor.warp, replay->cursor.warp.steps - 1);
}

/* The number of movements: `count`, or as many as are left; 0 counts as 1. */
static uint64_t clamp_count(long count, uint64_t left) {
    uint64_t wanted = count > 0 ? (uint64_t)count : 1;
    return wanted < left ? wanted : left;
}

/* The neighbour of a step among those of all warps of its block; false if there is none. */
static bool next_block_step(const struct cursor *cursor, uint64_t here, int direction,
                            uint64_t *found) {
    bool any = false;
    for (uint32_t i = 0; i < BLOCK_WARPS; i++) {
        struct trace_warp warp;
        uint64_t low = 0;
        if (!cursor_find_warp(cursor->trace, cursor->warp.launch, cursor->warp.block, i, &warp))
            continue;
        for (uint64_t high = warp.steps; low < high;) {
            const uint64_t middle = low + (high - low) / 2;
            if (trace_warp_step(cursor->trace, &warp, middle) < here + (direction > 0))
                low = middle + 1;
            else
                high = middle;
        }
        if (direction > 0 ? low == warp.steps : low == 0)
            continue;
        const uint64_t step = trace_warp_step(cursor->trace, &warp, direction > 0 ? low : low - 1);
        if (!any || (direction > 0 ? step < *found : step > *found))
            *found = step;
        any = true;
    }
    return any;
}

/* In the view of a block, its warps move on together, in the order of the recording. */
static bool step_all_warps(struct replay *replay, long count, int direction) {
    uint64_t step = 0;
    bool changed = false;
    count = count < 1 ? 1 : count < PHASES_LIMIT ? count : PHASES_LIMIT;
    for (; count > 0; count--) {
        if (!next_block_step(&replay->cursor, replay->cursor.step.number, direction, &step)) {
            replay_set_message(replay, direction > 0 ? _("last operation of this block")
                                                     : _("first operation of this block"));
            return changed;
        }
        changed = replay_go_step(replay, step);
        cursor_set_phase(&replay->cursor, PHASE_AFTER);
    }
    return changed;
}

static bool step_operation(struct replay *replay, long count, int direction) {
    if (replay_view(replay) == VIEW_BLOCK)
        return step_all_warps(replay, count, direction);
    if (replay_moves_by_line(replay))
        return lines_step_operation(replay, count, direction);
    const struct cursor *cursor = &replay->cursor;
    uint64_t left = direction > 0 ? cursor->warp.steps - 1 - cursor->position : cursor->position;
    uint64_t steps = clamp_count(count, left);
    bool changed =
        steps > 0 && replay_go(replay, &cursor->warp,
                               direction > 0 ? cursor->position + steps : cursor->position - steps);
    if (clamp_count(count, UINT64_MAX) > left)
        say_end(replay, direction);
    return changed;
}

MOVE(move_operation_next, step_operation, 1)
MOVE(move_operation_previous, step_operation, -1)

/* ---- lanes ---- */

bool move_lane_go(struct replay *replay, long wanted) {
    int lane = wanted < 0 ? 0 : wanted >= WARP_LANES ? WARP_LANES - 1 : (int)wanted;
    if (replay->asking.state == PREDICTION_ASKED)
        return predict_lane_go(replay, lane);
    if (lane == replay->lane)
        return false;
    if (!replay->asking.fixed)
        asking_end(&replay->asking, &replay->input);
    replay->lane = lane;
    return true;
}

bool move_lane_click(struct replay *replay, long lane) {
    bool marks = replay->asking.state == PREDICTION_ASKED && lane >= 0 && lane < WARP_LANES;
    return marks ? predict_lane_click(replay, (int)lane) : move_lane_go(replay, lane);
}

static bool step_lane(struct replay *replay, long count, int direction) {
    int edge = direction > 0 ? WARP_LANES - 1 : 0;
    count = count < 1 ? 1 : count;
    if (replay->lane == edge)
        replay_set_message(
            replay, direction > 0 ? _("lane %d is the last") : _("lane %d is the first"), edge);
    return move_lane_go(replay, count > WARP_LANES ? edge : replay->lane + direction * count);
}

MOVE(move_lane_next, step_lane, 1)
MOVE(move_lane_previous, step_lane, -1)

/* ---- warps and blocks ---- */

/* Goes to a warp, at the same operation as in the previous one, and reports its number. */
static bool go_warp(struct replay *replay, const struct trace_warp *warp) {
    const struct cursor *cursor = &replay->cursor;
    const struct trace_launch *launch = trace_launch(cursor->trace, warp->launch);
    bool changed = replay_go(replay, warp, cursor->position);
    if (!cursor->has_step)
        return changed;
    if (launch)
        replay_set_message(replay, _("block %llu, warp %u of %s"),
                           (unsigned long long)cursor->warp.block, cursor->warp.warp,
                           launch->kernel);
    else
        replay_set_message(replay, _("block %llu, warp %u of the recording"),
                           (unsigned long long)cursor->warp.block, cursor->warp.warp);
    return changed;
}

static bool step_warp(struct replay *replay, long count, int direction) {
    const struct cursor *cursor = &replay->cursor;
    uint64_t at = cursor->warp.index;
    uint64_t steps =
        clamp_count(count, direction > 0 ? trace_warp_count(cursor->trace) - 1 - at : at);
    struct trace_warp warp;
    if (steps > 0 && trace_warp(cursor->trace, direction > 0 ? at + steps : at - steps, &warp))
        return go_warp(replay, &warp);
    replay_set_message(replay, direction < 0            ? _("first warp of this recording")
                               : move_is_listed(replay) ? _("last warp of this recording")
                                                        : _("last warp of this recording so far"));
    return false;
}

MOVE(move_warp_next, step_warp, 1)
MOVE(move_warp_previous, step_warp, -1)

static bool step_block(struct replay *replay, long count, int direction) {
    const struct trace *trace = replay->cursor.trace;
    struct trace_warp warp = replay->cursor.warp, next;
    if (!cursor_find_block(trace, &warp, direction, &next)) {
        replay_set_message(replay, direction < 0 ? _("first block of this recording")
                                   : move_is_listed(replay)
                                       ? _("last block of this recording")
                                       : _("last block of this recording so far"));
        return false;
    }
    do {
        warp = next;
    } while (--count > 0 && cursor_find_block(trace, &warp, direction, &next));
    return go_warp(replay, &warp);
}

MOVE(move_block_next, step_block, 1)
MOVE(move_block_previous, step_block, -1)
