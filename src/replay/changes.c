/*
 * A replay cannot run anything, so a change is a request that its owner carries out. This file has
 * the requests, their prompts, and the comparison of the old recording with the new one.
 */
#include "replay/changes.h"

#include "base/unused.h"
#include "replay/keys/handlers.h"
#include "replay/pages/rounds.h"
#include "replay/predict.h"

#include <stdio.h>
#include <string.h>

/* A count typed by mistake must not take forever. */
#define AMOUNT_MOST 1000000L

void replay_set_live(struct replay *replay, bool on) {
    replay->live.on = on;
}

struct live_ask replay_take_ask(struct replay *replay) {
    const struct live_ask ask = replay->live.ask;
    replay->live.ask = (struct live_ask){LIVE_NOTHING, 0};
    return ask;
}

static bool ask(struct replay *replay, enum live_change change, long amount) {
    if (!replay->live.on)
        return false;
    replay->live.ask = (struct live_ask){change, amount};
    replay->live.complaint[0] = '\0';
    return true;
}

/* ---- a new recording under the same cursor ---- */

static bool same_result(const struct lane_outcome *x, const struct lane_outcome *y) {
    return x->has_value == y->has_value && x->value == y->value;
}

/* The lane's group; -1 if the width leaves it undefined. */
static int group_of(const struct warp_operation *operation, int lane) {
    const int width = operation->width[lane];
    return warp_width_is_defined(width) ? lane / width : -1;
}

/* Compares a lane that calls in at least one of the two recordings. A lane that appeared or
 * disappeared differs in everything. */
static void compare_lane(const struct cursor *was, const struct cursor *is, int lane,
                         struct live_altered *altered) {
    const struct warp_operation *a = &was->step.operation, *b = &is->step.operation;
    const struct lane_outcome *x = &was->outcome[lane], *y = &is->outcome[lane];
    const uint32_t bit = UINT32_C(1) << lane;
    const bool moved = (a->present ^ b->present) & bit;
    const bool status = moved || x->status != y->status;
    if (moved || a->in[lane] != b->in[lane])
        altered->in |= bit;
    if (moved || a->op != b->op || a->arg[lane] != b->arg[lane] ||
        x->address.target != y->address.target)
        altered->formula |= bit;
    if (status || x->address.source != y->address.source)
        altered->reads |= bit;
    if (status || !same_result(x, y))
        altered->out |= bit;
}

/* The differences that a picture shows. */
static struct live_altered altered_between(const struct cursor *was, const struct cursor *is) {
    const struct warp_operation *a = &was->step.operation, *b = &is->step.operation;
    struct live_altered altered = {0};
    if (!was->has_step || !is->has_step)
        return altered;
    const bool grouped = warp_op_info(a->op)->is_shuffle && warp_op_info(b->op)->is_shuffle;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (grouped && group_of(a, lane) != group_of(b, lane))
            altered.group |= UINT32_C(1) << lane;
        if ((a->present | b->present) >> lane & 1)
            compare_lane(was, is, lane, &altered);
    }
    return altered;
}

static bool any_altered(const struct live_altered *altered) {
    return altered->group | altered->in | altered->formula | altered->reads | altered->out;
}

void replay_show(struct replay *replay, const struct trace *trace) {
    struct cursor *cursor = &replay->cursor;
    const struct cursor was = *cursor;
    struct trace_warp warp;
    const enum prompt open = replay->input.prompt;
    if (open == PROMPT_PREDICT)
        asking_end(&replay->asking, &replay->input);
    replay->asking.state = PREDICTION_NONE;
    if (cursor_init(cursor, trace, NULL) != 0)
        return;
    cursor->phase_kept = was.phase_kept;
    cursor->phase = was.phase;
    if (!cursor_find_warp(trace, was.warp.launch, was.warp.block, was.warp.warp, &warp))
        warp = cursor->warp;
    cursor_go(cursor, &warp, was.position, NULL);
    cursor_set_phase(cursor, was.phase_kept);
    replay->in_rounds = rounds_at_cursor(cursor);
    replay->search = (struct replay_search){0};
    replay->live.complaint[0] = '\0';
    replay->live.changed = true;
    replay->live.altered = altered_between(&was, cursor);
    replay->live.altered_left = any_altered(&replay->live.altered) ? LIVE_ALTERED_MILLIS : 0;
}

void replay_grow(struct replay *replay, const struct trace *trace, bool goes_on,
                 uint64_t happened) {
    struct cursor *cursor = &replay->cursor;
    const struct cursor was = *cursor;
    struct trace_warp warp;
    replay->goes_on = goes_on;
    replay->happened = happened;
    if (trace == was.trace)
        return;
    cursor->trace = trace;
    if (!cursor_find_warp(trace, was.warp.launch, was.warp.block, was.warp.warp, &warp) &&
        !trace_warp(trace, 0, &warp))
        return;
    if (replay->line.warp == was.warp.index) /* warps are numbered as they are found */
        replay->line.warp = warp.index;
    cursor_go(cursor, &warp, was.position, NULL);
    cursor->phase = was.phase;
    cursor->phase_kept = was.phase_kept;
    cursor->listing = !goes_on && !trace_warps_listed(trace);
    replay->in_rounds = rounds_at_cursor(cursor);
}

/* ---- messages ---- */

void replay_complain(struct replay *replay, const char *why) {
    snprintf(replay->live.complaint, sizeof replay->live.complaint, "%s", why);
}

void replay_ask_confirm(struct replay *replay, const char *question) {
    input_open(&replay->input, PROMPT_CONFIRM);
    replay_complain(replay, question);
}

void replay_set_completion(struct replay *replay, const char *line, const char *choices) {
    input_set(&replay->input, line);
    snprintf(replay->live.choices, sizeof replay->live.choices, "%s", choices);
}

uint32_t replay_points(const struct replay *replay) {
    const struct live_altered altered = replay_altered(replay);
    const enum phase phase = replay->cursor.phase;
    return replay->points | altered.in | altered.reads |
           (phase >= PHASE_ADDRESS ? altered.formula : 0) | (phase >= PHASE_MOVE ? altered.out : 0);
}

struct live_altered replay_altered(const struct replay *replay) {
    return replay->live.altered_left > 0 ? replay->live.altered : (struct live_altered){0};
}

uint32_t replay_altered_lanes(const struct replay *replay) {
    const struct live_altered *altered = &replay->live.altered;
    return altered->in | altered->reads | altered->out;
}

bool live_tick(struct replay *replay, long milliseconds) {
    struct replay_live *live = &replay->live;
    if (live->altered_left <= 0)
        return false;
    live->altered_left -= milliseconds;
    if (live->altered_left > 0)
        return false;
    live->altered_left = 0;
    return true;
}

long live_wait(const struct replay *replay) {
    return replay->live.altered_left > 0 ? replay->live.altered_left : -1;
}

/* ---- handlers ---- */

static long clamp_amount(long count) {
    return count < 1 ? 1 : count < AMOUNT_MOST ? count : AMOUNT_MOST;
}

#define CHANGE(NAME, WHAT, SIGN)                                                                   \
    bool NAME(struct replay *replay, long count) {                                                 \
        return ask(replay, WHAT, SIGN clamp_amount(count));                                        \
    }
CHANGE(live_argument_up, LIVE_ARGUMENT, +)
CHANGE(live_argument_down, LIVE_ARGUMENT, -)
CHANGE(live_width_up, LIVE_WIDTH, +)
CHANGE(live_width_down, LIVE_WIDTH, -)
CHANGE(live_operation_next, LIVE_OPERATION, +)
CHANGE(live_operation_previous, LIVE_OPERATION, -)
CHANGE(live_type_next, LIVE_TYPE, +)
CHANGE(live_type_previous, LIVE_TYPE, -)
CHANGE(live_schedule_next, LIVE_SCHEDULE, +)
CHANGE(live_schedule_previous, LIVE_SCHEDULE, -)
CHANGE(live_threads_up, LIVE_THREADS, +)
CHANGE(live_threads_down, LIVE_THREADS, -)
CHANGE(live_undo, LIVE_UNDO, +)
CHANGE(live_redo, LIVE_UNDO, -)
CHANGE(live_copy, LIVE_COPY, +)
CHANGE(live_beside, LIVE_BESIDE, +)

bool live_members(struct replay *replay, long argument UNUSED) {
    const bool open = replay->input.prompt == PROMPT_MEMBERS;
    if (!replay->live.on)
        return false;
    asking_end(&replay->asking, &replay->input);
    input_open(&replay->input, open ? PROMPT_NONE : PROMPT_MEMBERS);
    return true;
}

bool live_member(struct replay *replay, long argument UNUSED) {
    return replay->input.prompt == PROMPT_MEMBERS && ask(replay, LIVE_MEMBER, replay->lane);
}

bool live_prompt(struct replay *replay, long begun) {
    if (!replay->live.on)
        return false;
    asking_end(&replay->asking, &replay->input);
    input_open(&replay->input, PROMPT_SETTING);
    replay->live.complaint[0] = replay->live.choices[0] = '\0';
    return begun ? ask(replay, LIVE_COMPLETE, begun) : true;
}

/* Opens the prompt empty; the source of the selected lane is shown beside it as an example. */
bool live_which(struct replay *replay, long argument UNUSED) {
    const struct cursor *cursor = &replay->cursor;
    struct replay_live *live = &replay->live;
    if (!live->on)
        return false;
    asking_end(&replay->asking, &replay->input);
    input_open(&replay->input, PROMPT_WHICH);
    live->complaint[0] = live->choices[0] = '\0';
    if (cursor->has_step && warp_op_info(cursor->step.operation.op)->is_shuffle &&
        cursor->outcome[replay->lane].status != LANE_ABSENT)
        snprintf(live->choices, sizeof live->choices, "%d<%d", replay->lane,
                 cursor->outcome[replay->lane].address.source);
    return true;
}

bool live_accept(struct replay *replay, long count) {
    switch (replay->input.prompt) {
    case PROMPT_SETTING:
        return ask(replay, LIVE_TYPED, 0);
    case PROMPT_WHICH:
        return ask(replay, LIVE_WHICH, 0);
    case PROMPT_STOP:
        return play_stop_accept(replay, count);
    case PROMPT_WATCH:
        return watched_accept(replay, count);
    default:
        return find_accept(replay, count);
    }
}

bool live_complete(struct replay *replay, long argument UNUSED) {
    if (replay->input.prompt == PROMPT_STOP || replay->input.prompt == PROMPT_WATCH)
        return watched_complete(replay);
    return replay->input.prompt == PROMPT_SETTING && ask(replay, LIVE_COMPLETE, 0);
}

bool live_confirm(struct replay *replay, long argument UNUSED) {
    if (replay->input.prompt != PROMPT_CONFIRM)
        return false;
    input_close(&replay->input);
    return ask(replay, LIVE_CONFIRM, 0);
}
