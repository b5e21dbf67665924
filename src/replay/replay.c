#include "replay/replay.h"

#include "base/message.h"
#include "replay/move.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SPEED_LIMIT       4
#define PHASE_MILLISECOND 1000
#define COUNT_LIMIT       1000000000L
#define LIST_STEPS        8192   /* at a time: a millisecond or two */
#define PHASES_LIMIT      10000L /* each is walked through: a slip of the finger must not hang */

static const char *const view_names[VIEW_KIND_COUNT] = {N_("lanes"), N_("wires"), N_("history"),
                                                        N_("source"), N_("explain")};

const char *view_kind_name(enum view_kind view) {
    return view_names[view];
}

void replay_say(struct replay *replay, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(replay->message, sizeof replay->message, format, arguments);
    va_end(arguments);
    size_t end = sizeof replay->message - 1;
    if (length <= (int)end)
        return;
    while (end > 0 && (replay->message[end - 1] & 0xc0) == 0x80)
        end--; /* not in the middle of a character */
    replay->message[end > 0 ? end - 1 : 0] = '\0';
}

/* ---- places ------------------------------------------------------------------------------------
 */

static void settle_phase(struct replay *replay) {
    enum phase phase = replay->phase_kept;
    while (replay->has_step && !phase_applies(replay->step.operation.op, phase))
        phase--;
    replay->phase = phase;
}

void replay_set_phase(struct replay *replay, enum phase phase) {
    replay->phase_kept = phase;
    settle_phase(replay);
}

static void decode_step(struct replay *replay) {
    uint64_t number = trace_warp_step(replay->trace, &replay->warp, replay->position);
    struct error err = ERROR_INIT;
    replay->has_step = trace_step(replay->trace, number, &replay->step, &err) == 0;
    replay->disagreement = 0;
    if (!replay->has_step) {
        err.text[strcspn(err.text, "\n")] = '\0';
        replay_say(replay, "%s", err.text);
        return;
    }
    warp_outcome(&replay->step.operation, replay->outcome);
    replay->disagreement = warp_disagreement(&replay->step.operation, replay->outcome);
}

void replay_go(struct replay *replay, const struct trace_warp *warp, uint64_t position) {
    replay->warp = *warp;
    replay->position = position < warp->steps ? position : warp->steps - 1;
    predict_end(replay);
    decode_step(replay);
    settle_phase(replay);
}

int replay_init(struct replay *replay, const struct trace *trace, struct error *err) {
    memset(replay, 0, sizeof *replay);
    replay->trace = trace;
    struct trace_warp first;
    if (trace_step_count(trace) == 0 || !trace_warp(trace, 0, &first))
        return error_set(err, ERROR_USAGE,
                         _("the recording has no step\n"
                           "a replay needs at least one recorded warp operation\n"
                           "try `shflviz xor --mask 3 --width 16` to see one"));
    replay->listing = !trace_warps_listed(trace);
    replay_go(replay, &first, 0);
    return 0;
}

/* Where a warp stands in the list: before (-1), at (0) or after (1) the one that is looked for. */
static int order(const struct trace_warp *a, uint32_t launch, uint64_t block, uint32_t warp) {
    if (a->launch != launch)
        return a->launch < launch ? -1 : 1;
    if (a->block != block)
        return a->block < block ? -1 : 1;
    return a->warp < warp ? -1 : a->warp > warp;
}

bool replay_place(struct replay *replay, uint32_t launch, uint64_t block, uint32_t warp,
                  uint64_t position) {
    uint64_t low = 0, high = trace_warp_count(replay->trace);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        struct trace_warp found;
        if (!trace_warp(replay->trace, middle, &found))
            return false;
        int where = order(&found, launch, block, warp);
        if (where == 0) {
            if (position != UINT64_MAX && position >= found.steps)
                return false;
            replay_go(replay, &found, position == UINT64_MAX ? found.steps - 1 : position);
            return true;
        }
        if (where < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* ---- movements ---------------------------------------------------------------------------------
 */

bool replay_is_listed(const struct replay *replay) {
    return trace_warps_listed(replay->trace);
}

/* What a person can do at an end of the warp's operations. */
static void say_last_operation(struct replay *replay) {
    bool more = trace_warp_count(replay->trace) > replay->warp.index + 1;
    if (replay->has_step && replay->step.operation.unfinished) {
        replay_say(replay, _("the run ended here: these lanes wait for lanes that never come"));
        return;
    }
    if (replay_is_listed(replay))
        replay_say(replay, more ? _("last operation of this warp: w shows the next warp")
                                : _("last operation of this warp"));
    else
        replay_say(replay, more ? _("last operation of this warp so far: w shows the next warp")
                                : _("last operation of this warp so far"));
}

static bool phase_step(struct replay *replay, int direction) {
    int phase = (int)replay->phase + direction;
    while (phase >= 0 && phase < PHASE_COUNT && replay->has_step &&
           !phase_applies(replay->step.operation.op, (enum phase)phase))
        phase += direction;
    if (phase >= 0 && phase < PHASE_COUNT && replay->has_step) {
        replay_set_phase(replay, (enum phase)phase);
        return true;
    }
    if (direction > 0 ? replay->position + 1 >= replay->warp.steps : replay->position == 0)
        return false;
    replay->phase_kept = direction > 0 ? PHASE_BEFORE : PHASE_AFTER;
    replay_go(replay, &replay->warp, replay->position + (direction > 0 ? 1 : -1));
    return true;
}

static void move_phase(struct replay *replay, long count, int direction) {
    predict_end(replay);
    count = count < PHASES_LIMIT ? count : PHASES_LIMIT;
    for (; count > 0; count--)
        if (!phase_step(replay, direction)) {
            if (direction > 0)
                say_last_operation(replay);
            else
                replay_say(replay, _("first operation of this warp"));
            return;
        }
}

static void go_operation(struct replay *replay, long position) {
    uint64_t last = replay->warp.steps - 1;
    uint64_t wanted = position < 0 ? 0 : (uint64_t)position;
    replay_go(replay, &replay->warp, wanted > last ? last : wanted);
    if (wanted > last)
        replay_say(replay,
                   replay_is_listed(replay)
                       ? _("this warp has %llu operations: this is the last")
                       : _("this warp has %llu operations so far: this is the last"),
                   (unsigned long long)replay->warp.steps);
}

static void move_operation(struct replay *replay, long count, int direction) {
    uint64_t left = direction > 0 ? replay->warp.steps - 1 - replay->position : replay->position;
    uint64_t steps = (uint64_t)count < left ? (uint64_t)count : left;
    if (steps > 0)
        replay_go(replay, &replay->warp,
                  direction > 0 ? replay->position + steps : replay->position - steps);
    if ((uint64_t)count <= left)
        return;
    if (direction > 0)
        say_last_operation(replay);
    else
        replay_say(replay, _("first operation of this warp"));
}

static void go_lane(struct replay *replay, long lane) {
    lane = lane < 0 ? 0 : lane >= WARP_LANES ? WARP_LANES - 1 : lane;
    if (replay->prediction == PREDICTION_ASKED) {
        predict_select(replay, (int)lane);
        return;
    }
    if (lane != replay->lane && !replay->question_fixed)
        predict_end(replay);
    replay->lane = (int)lane;
}

static void move_lane(struct replay *replay, long count, int direction) {
    int edge = direction > 0 ? WARP_LANES - 1 : 0;
    if (replay->lane == edge)
        replay_say(replay, direction > 0 ? _("lane %d is the last") : _("lane %d is the first"),
                   edge);
    go_lane(replay, count > WARP_LANES ? edge : replay->lane + direction * count);
}

/* Says where a movement between warps has led, or that there is nowhere to go. */
static void say_warp(struct replay *replay) {
    const struct trace_launch *launch = trace_launch(replay->trace, replay->warp.launch);
    if (launch)
        replay_say(replay, _("block %llu, warp %u of %s"), (unsigned long long)replay->warp.block,
                   replay->warp.warp, launch->kernel);
    else
        replay_say(replay, _("block %llu, warp %u of the recording"),
                   (unsigned long long)replay->warp.block, replay->warp.warp);
}

static void move_warp(struct replay *replay, long count, int direction) {
    uint64_t last = trace_warp_count(replay->trace) - 1;
    uint64_t left = direction > 0 ? last - replay->warp.index : replay->warp.index;
    uint64_t steps = (uint64_t)count < left ? (uint64_t)count : left;
    struct trace_warp warp;
    if (steps == 0 ||
        !trace_warp(replay->trace,
                    direction > 0 ? replay->warp.index + steps : replay->warp.index - steps,
                    &warp)) {
        replay_say(replay, direction < 0              ? _("first warp of this recording")
                           : replay_is_listed(replay) ? _("last warp of this recording")
                                                      : _("last warp of this recording so far"));
        return;
    }
    replay_go(replay, &warp, replay->position);
    if (replay->has_step)
        say_warp(replay);
}

static bool same_block(const struct trace_warp *a, const struct trace_warp *b) {
    return a->launch == b->launch && a->block == b->block;
}

/* The warp before or after `warp` in the recording's list. */
static bool next_warp(const struct replay *replay, int direction, struct trace_warp *warp) {
    if (direction < 0 && warp->index == 0)
        return false;
    return trace_warp(replay->trace, direction < 0 ? warp->index - 1 : warp->index + 1, warp);
}

/* Finds the neighbouring block's warp of the same number, or the one nearest to it. */
static bool find_block(const struct replay *replay, const struct trace_warp *from, int direction,
                       struct trace_warp *found) {
    struct trace_warp warp = *from;
    while (same_block(&warp, from))
        if (!next_warp(replay, direction, &warp))
            return false;
    /* Going down the list enters a block at its last warp, going up at its first. */
    *found = warp;
    while (found->warp != from->warp && next_warp(replay, direction, &warp) &&
           same_block(&warp, found) &&
           (direction > 0 ? warp.warp <= from->warp : warp.warp >= from->warp))
        *found = warp;
    return true;
}

static void move_block(struct replay *replay, long count, int direction) {
    struct trace_warp warp = replay->warp, next;
    bool moved = false;
    while (count-- > 0 && find_block(replay, &warp, direction, &next)) {
        warp = next;
        moved = true;
    }
    if (!moved) {
        replay_say(replay, direction < 0              ? _("first block of this recording")
                           : replay_is_listed(replay) ? _("last block of this recording")
                                                      : _("last block of this recording so far"));
        return;
    }
    replay_go(replay, &warp, replay->position);
    if (replay->has_step)
        say_warp(replay);
}

/* ---- playing -----------------------------------------------------------------------------------
 */

static long play_interval(const struct replay *replay) {
    return replay->speed >= 0 ? PHASE_MILLISECOND >> replay->speed
                              : (long)PHASE_MILLISECOND << -replay->speed;
}

static bool at_end(const struct replay *replay) {
    if (replay->position + 1 < replay->warp.steps)
        return false;
    for (int phase = (int)replay->phase + 1; phase < PHASE_COUNT; phase++)
        if (replay->has_step && phase_applies(replay->step.operation.op, (enum phase)phase))
            return false;
    return true;
}

static void toggle_play(struct replay *replay) {
    replay->playing = !replay->playing;
    replay->play_elapsed = 0;
    if (!replay->playing)
        return;
    predict_end(replay);
    if (at_end(replay)) {
        replay->phase_kept = PHASE_BEFORE;
        replay_go(replay, &replay->warp, 0);
    }
}

static void change_speed(struct replay *replay, int change) {
    int speed = replay->speed + change;
    replay->speed = speed > SPEED_LIMIT ? SPEED_LIMIT : speed < -SPEED_LIMIT ? -SPEED_LIMIT : speed;
    long interval = play_interval(replay);
    if (interval >= PHASE_MILLISECOND)
        replay_say(replay, _("speed: a phase every %ld s"), interval / PHASE_MILLISECOND);
    else
        replay_say(replay, _("speed: %ld phases a second"), PHASE_MILLISECOND / interval);
}

static bool count_lapses(struct replay *replay, long milliseconds) {
    if (!replay->count_doubtful)
        return false;
    replay->count_elapsed += milliseconds;
    if (replay->count_elapsed < ACTION_COUNT_MILLISECONDS)
        return false;
    replay->counting = replay->count_doubtful = false;
    replay->count = 0;
    return true;
}

/* Lists some more warps. At the end the warp looked at may have another number and more steps. */
static bool list_warps(struct replay *replay) {
    if (!replay->listing)
        return false;
    uint64_t number = trace_warp_step(replay->trace, &replay->warp, replay->position), position;
    struct trace_warp warp;
    if (trace_warps_list(replay->trace, LIST_STEPS))
        return false;
    replay->listing = false;
    if (trace_warp_of_step(replay->trace, number, &warp, &position)) {
        replay->warp = warp;
        replay->position = position;
    }
    return true;
}

bool replay_tick(struct replay *replay, long milliseconds) {
    bool changed = list_warps(replay);
    changed = count_lapses(replay, milliseconds) || changed;
    if (!replay->playing)
        return changed;
    replay->play_elapsed += milliseconds;
    if (replay->play_elapsed < play_interval(replay))
        return changed;
    /* A screen that was away for long goes on from where it was: one phase at a time is seen. */
    replay->play_elapsed %= play_interval(replay);
    replay->message[0] = '\0';
    if (!phase_step(replay, 1) || at_end(replay)) {
        replay->playing = false;
        replay_say(replay, replay_is_listed(replay)
                               ? _("played to the end of this warp: a plays it again")
                               : _("played to the end of this warp so far: a plays it again"));
    }
    return true;
}

long replay_wait(const struct replay *replay) {
    long wait = -1;
    if (replay->listing)
        return 0;
    if (replay->playing)
        wait = play_interval(replay) - replay->play_elapsed;
    if (replay->count_doubtful) {
        long doubt = ACTION_COUNT_MILLISECONDS - replay->count_elapsed;
        wait = wait < 0 || doubt < wait ? doubt : wait;
    }
    return wait;
}

/* ---- actions -----------------------------------------------------------------------------------
 */

static void cancel(struct replay *replay) {
    if (replay->prompt == PROMPT_PREDICT)
        predict_end(replay);
    replay->prompt = PROMPT_NONE;
    replay->help = false;
}

static void open_find(struct replay *replay) {
    predict_end(replay);
    replay->playing = false;
    replay->prompt = PROMPT_FIND;
    replay->input[0] = '\0';
}

static void apply(struct replay *replay, enum action action, long argument) {
    long count = argument > 0 ? argument : 1;
    switch (action) {
    case ACTION_PHASE_NEXT:
        move_phase(replay, count, 1);
        break;
    case ACTION_PHASE_PREVIOUS:
        move_phase(replay, count, -1);
        break;
    case ACTION_PHASE_GO:
        predict_end(replay);
        if (argument >= 0 && argument < PHASE_COUNT)
            replay_set_phase(replay, (enum phase)argument);
        break;
    case ACTION_OPERATION_NEXT:
        move_operation(replay, count, 1);
        break;
    case ACTION_OPERATION_PREVIOUS:
        move_operation(replay, count, -1);
        break;
    case ACTION_OPERATION_FIRST:
        replay_go(replay, &replay->warp, 0);
        break;
    case ACTION_OPERATION_LAST:
        replay_go(replay, &replay->warp, replay->warp.steps - 1);
        break;
    case ACTION_OPERATION_GO:
        go_operation(replay, argument);
        break;
    case ACTION_LANE_NEXT:
        move_lane(replay, count, 1);
        break;
    case ACTION_LANE_PREVIOUS:
        move_lane(replay, count, -1);
        break;
    case ACTION_LANE_GO:
        if (replay->prediction == PREDICTION_ASKED && argument >= 0 && argument < WARP_LANES)
            predict_lane(replay, (int)argument);
        else
            go_lane(replay, argument);
        break;
    case ACTION_WARP_NEXT:
        move_warp(replay, count, 1);
        break;
    case ACTION_WARP_PREVIOUS:
        move_warp(replay, count, -1);
        break;
    case ACTION_BLOCK_NEXT:
        move_block(replay, count, 1);
        break;
    case ACTION_BLOCK_PREVIOUS:
        move_block(replay, count, -1);
        break;
    case ACTION_VIEW_NEXT:
        replay->view = (replay->view + 1) % VIEW_KIND_COUNT;
        break;
    case ACTION_VIEW_PREVIOUS:
        replay->view = (replay->view + VIEW_KIND_COUNT - 1) % VIEW_KIND_COUNT;
        break;
    case ACTION_VIEW_GO:
        if (argument >= 0 && argument < VIEW_KIND_COUNT)
            replay->view = (enum view_kind)argument;
        break;
    case ACTION_PLAY:
        toggle_play(replay);
        break;
    case ACTION_FASTER:
        change_speed(replay, 1);
        break;
    case ACTION_SLOWER:
        change_speed(replay, -1);
        break;
    case ACTION_PREDICT:
        replay->playing = false;
        predict_ask(replay);
        break;
    case ACTION_FIND:
        open_find(replay);
        break;
    case ACTION_FIND_NEXT:
        predict_end(replay);
        find_next(replay);
        break;
    case ACTION_HELP:
        replay->help = !replay->help;
        break;
    case ACTION_CANCEL:
        cancel(replay);
        break;
    case ACTION_QUIT:
        replay->quit = true;
        break;
    default: /* redraws, and what other screens do */
        break;
    }
}

bool replay_apply(struct replay *replay, enum action action, long argument) {
    struct replay was;
    memcpy(&was, replay, sizeof was);
    replay->message[0] = '\0';
    /* A click on the help screen does what it points at, where it can be seen. */
    if (action != ACTION_NONE && action != ACTION_HELP && action != ACTION_REDRAW)
        replay->help = false;
    apply(replay, action, argument);
    return action == ACTION_REDRAW || memcmp(&was, replay, sizeof was) != 0;
}

/* ---- keys --------------------------------------------------------------------------------------
 */

static void drop_count(struct replay *replay) {
    replay->counting = replay->count_doubtful = false;
    replay->count = replay->count_elapsed = 0;
}

/* One more digit: see action.h for when digits are a count. */
static void type_digit(struct replay *replay, int digit) {
    if (!replay->counting) {
        replay->counting = replay->count_doubtful = true;
        replay->count_view = replay->view;
    }
    replay->count_elapsed = 0;
    if (replay->count < COUNT_LIMIT)
        replay->count = replay->count * 10 + digit;
    if (!replay->count_doubtful)
        return;
    if (digit >= 1 && digit <= VIEW_KIND_COUNT) {
        replay->view = (enum view_kind)(digit - 1);
    } else {
        replay->count_doubtful = false;
        replay->view = replay->count_view;
    }
}

/* The count before a movement, the views it may have shown undone; 0 if none was typed. */
static long take_count(struct replay *replay) {
    long count = replay->counting ? replay->count : 0;
    if (replay->count_doubtful)
        replay->view = replay->count_view;
    drop_count(replay);
    return count;
}

/* Keys that type themselves have one character for a name, in UTF-8; other names are ASCII words.
 */
static bool is_character(const char *key) {
    return key[0] && (key[1] == '\0' || (unsigned char)key[0] >= 0xc2);
}

void replay_type(struct replay *replay, const char *key) {
    size_t length = strlen(replay->input);
    const char *typed = strcmp(key, "Space") == 0 ? " " : key;
    if (strcmp(key, "Backspace") == 0) {
        while (length > 0 && (replay->input[length - 1] & 0xc0) == 0x80)
            length--; /* the bytes of a character behind its first */
        if (length > 0)
            replay->input[length - 1] = '\0';
    } else if (is_character(typed) && length + strlen(typed) < sizeof replay->input) {
        memcpy(replay->input + length, typed, strlen(typed) + 1);
    }
}

static void prompt_key(struct replay *replay, const char *key) {
    if (strcmp(key, "Escape") == 0) {
        cancel(replay);
    } else if (replay->prompt == PROMPT_PREDICT) {
        predict_key(replay, key);
    } else if (strcmp(key, "Enter") != 0) {
        replay_type(replay, key);
    } else {
        replay->prompt = PROMPT_NONE;
        if (replay->input[0])
            memcpy(replay->find, replay->input, sizeof replay->find);
        find_next(replay);
    }
}

static void command_key(struct replay *replay, const char *key) {
    if (key[0] >= '0' && key[0] <= '9' && key[1] == '\0') {
        type_digit(replay, key[0] - '0');
        return;
    }
    const struct action_info *info = action_for_key(key);
    if (!info) {
        drop_count(replay);
        if (strcmp(key, "Enter") != 0)
            replay_say(replay, _("%s does nothing: ? shows the keys"), key);
        return;
    }
    if (!info->movement) {
        drop_count(replay);
        apply(replay, info->action, info->argument);
        return;
    }
    long count = take_count(replay);
    bool to_end = info->action == ACTION_OPERATION_FIRST || info->action == ACTION_OPERATION_LAST;
    if (to_end && count > 0)
        apply(replay, ACTION_OPERATION_GO, count - 1);
    else
        apply(replay, info->action, count);
}

/* The help screen is left by any key; one that has nothing else to do there does no more. */
static bool help_takes(struct replay *replay, const char *key) {
    if (!replay->help || strcmp(key, "Ctrl-L") == 0)
        return false;
    replay->help = false;
    return strcmp(key, "?") == 0 || strcmp(key, "q") == 0 || strcmp(key, "Escape") == 0 ||
           strcmp(key, "Enter") == 0 || strcmp(key, "Space") == 0;
}

bool replay_key(struct replay *replay, const char *key) {
    struct replay was;
    memcpy(&was, replay, sizeof was);
    replay->message[0] = '\0';
    if (replay->prompt != PROMPT_NONE)
        prompt_key(replay, key);
    else if (!help_takes(replay, key))
        command_key(replay, key);
    return strcmp(key, "Ctrl-L") == 0 || memcmp(&was, replay, sizeof was) != 0;
}
