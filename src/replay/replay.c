/*
 * The dispatch from actions to the functions that perform them, by a table, and the keys that are
 * handled before any action: digits, counts, prompts and the help.
 */
#include "replay/replay.h"

#include "base/message.h"
#include "replay/keys/handlers.h"
#include "replay/pages/rounds.h"

#include <string.h>

int replay_init(struct replay *replay, const struct trace *trace, struct error *err) {
    memset(replay, 0, sizeof *replay);
    if (cursor_init(&replay->cursor, trace, err) != 0)
        return -1;
    if (!replay->cursor.has_step) /* shows the reason */
        replay_go(replay, &replay->cursor.warp, 0);
    replay->in_rounds = rounds_at_cursor(&replay->cursor);
    replay->all_rounds = replay->cursor.has_step && rounds_only(&replay->cursor);
    return 0;
}

/* ---- set up by a lesson or a quiz ---- */

/* In the view of variables, going to an operation means going to the line that makes it. */
static void forget_line(struct replay *replay) {
    replay->line.warp = UINT64_MAX;
}

bool replay_go_position(struct replay *replay, uint32_t launch, uint64_t block, uint32_t warp,
                        uint64_t position) {
    struct trace_warp found;
    if (!cursor_find_warp(replay->cursor.trace, launch, block, warp, &found) ||
        (position != UINT64_MAX && position >= found.steps))
        return false;
    forget_line(replay);
    replay_go(replay, &found, position == UINT64_MAX ? found.steps - 1 : position);
    return true;
}

bool replay_set_phase(struct replay *replay, enum phase phase) {
    return cursor_set_phase(&replay->cursor, phase);
}

void replay_set_lane(struct replay *replay, int lane) {
    replay->lane = lane >= 0 && lane < WARP_LANES ? lane : 0;
}

void replay_set_view(struct replay *replay, enum view_kind view) {
    replay->view = view;
    replay->view_kept = true;
    replay->scroll = 0;
}

void replay_scroll(struct replay *replay, int lines) {
    int scroll = replay->scroll + lines;
    replay->scroll = scroll < 0 ? 0 : scroll;
}

void replay_set_legend(struct replay *replay) {
    replay->legend = true;
}

void replay_set_speed(struct replay *replay, int speed) {
    replay->speed = speed;
}

void replay_set_picture(struct replay *replay, unsigned hide, uint32_t points) {
    replay->hide = hide;
    replay->points = points;
}

void replay_set_matrix(struct replay *replay, const char *matrix, enum replay_matrix as) {
    snprintf(replay->matrix, sizeof replay->matrix, "%s", matrix);
    replay->matrix_as = as;
}

void replay_clear_message(struct replay *replay) {
    replay->message[0] = '\0';
}

bool replay_take_quit(struct replay *replay) {
    bool quit = replay->quit;
    replay->quit = false;
    return quit;
}

enum replay_overview replay_take_overview(struct replay *replay) {
    enum replay_overview overview = replay->overview;
    replay->overview = REPLAY_NO_OVERVIEW;
    return overview;
}

bool replay_go_step(struct replay *replay, uint64_t step) {
    struct trace_warp warp;
    uint64_t position;
    if (!trace_warp_of_step(replay->cursor.trace, step, &warp, &position))
        return false;
    forget_line(replay);
    replay_go(replay, &warp, position);
    return true;
}

/* ---- actions ---- */

static bool run(struct replay *replay, enum action action, long argument) {
    action_handler *handler = action_run(action);
    return handler && handler(replay, argument);
}

bool replay_apply(struct replay *replay, enum action action, long argument) {
    struct old_message was = message_begin(replay->message);
    bool changed = action == ACTION_REDRAW || replay->legend;
    replay->legend = replay->legend && (action == ACTION_NONE || action == ACTION_REDRAW);
    find_stop(replay);
    /* A click on the help screen closes it, then performs the action that was clicked. */
    if (action != ACTION_NONE && action != ACTION_HELP && action != ACTION_REDRAW)
        changed = replay_close_help(replay) || changed;
    changed = run(replay, action, argument) || changed;
    return changed || message_changed(&was, replay->message);
}

/* ---- keys ---- */

bool replay_drop_count(struct replay *replay) {
    return count_drop(&replay->input.count);
}

enum action_mode replay_key_mode(const struct replay *replay) {
    switch (replay->input.prompt) {
    case PROMPT_FIND:
    case PROMPT_STOP:
    case PROMPT_WATCH:
    case PROMPT_SETTING:
    case PROMPT_WHICH:
        return ACTION_MODE_PROMPT;
    case PROMPT_MEMBERS:
        return ACTION_MODE_MEMBERS;
    case PROMPT_CONFIRM:
        return ACTION_MODE_CONFIRM;
    case PROMPT_PREDICT:
        return replay->asking.fixed ? ACTION_MODE_QUESTION : ACTION_MODE_PREDICT;
    default:
        return ACTION_MODE_REPLAY;
    }
}

/* True if the key belongs to the answer of the open question. */
static bool is_answer_key(const struct replay *replay, struct press press) {
    if (press.info->action == ACTION_MARK)
        return !question_is_set(&replay->asking.question);
    bool typed = replay->input.text[0] &&
                 (press.info->flags & ACTION_EMPTY || question_is_code(&replay->asking.question));
    return key_types(press.key) && (typed || predict_may_begin(replay, press.key));
}

/* Pressing help again shows the keys that change the scene; a lesson and a quiz have no such
 * page. */
static bool turns_help_page(const struct replay *replay, struct press press) {
    return replay->help && replay->live.on && !replay->help_live &&
           press.info->action == ACTION_HELP && replay_key_mode(replay) == ACTION_MODE_REPLAY;
}

struct press replay_press(const struct replay *replay, const char *key) {
    const enum action_mode mode = replay_key_mode(replay);
    const bool asked = mode == ACTION_MODE_QUESTION || mode == ACTION_MODE_PREDICT;
    struct press press = action_press(mode, key);
    if (mode == ACTION_MODE_MEMBERS && press.info == &action_nothing)
        press = action_press(ACTION_MODE_REPLAY, key);
    if (asked && press.info->action != ACTION_NONE && is_answer_key(replay, press))
        press = (struct press){key, &action_nothing, key_types(key)};
    return action_help_press(replay->help && !turns_help_page(replay, press), press);
}

static bool type(struct replay *replay, const char *key) {
    return replay->asking.state == PREDICTION_ASKED ? predict_type(replay, key)
                                                    : input_type(&replay->input, key);
}

/* Performs the action of a row, in a mode where counts may be typed. */
static bool run_row(struct replay *replay, const struct action_info *info) {
    struct count *count = &replay->input.count;
    bool counted = count->typed;
    if (!(info->flags & ACTION_COUNTED)) {
        count_drop(count);
        return run(replay, info->action, info->argument) || counted;
    }
    int view = (int)replay->view;
    long number = count_take(count, &view);
    if (counted && number != 1 && view == VIEW_LANES)
        replay->view_kept = replay->view_was_kept; /* the digit was not a view's */
    replay->view = (enum view_kind)view;
    return run(replay, info->action, number) || counted;
}

/* A digit that is not bound otherwise is a view's, or part of a count. */
static bool is_digit(struct press press) {
    return press.key[0] >= '0' && press.key[0] <= '9' && press.key[1] == '\0' &&
           (press.info->action == ACTION_NONE || press.info->action == ACTION_VIEW_GO);
}

bool replay_allows(const struct replay *replay, const struct action_info *info) {
    return info->action != ACTION_NONE && info->action != ACTION_ACCEPT &&
           (replay->live.on || !(info->modes >> ACTION_MODE_LIVE & 1));
}

static bool command_key(struct replay *replay, enum action_mode mode, struct press press) {
    const enum action action = press.info->action;
    if (is_digit(press)) {
        int view = (int)replay->view;
        if (!replay->input.count.typed)
            replay->view_was_kept = replay->view_kept;
        count_type(&replay->input.count, press.key[0] - '0',
                   action ? (int)press.info->argument : -1, &view);
        if (action)
            whose_light(replay, (enum view_kind)press.info->argument);
        replay->view_kept = replay->view_kept || action;
        replay->view = (enum view_kind)view;
        return true;
    }
    if (replay_allows(replay, press.info))
        return run_row(replay, press.info);
    if (action == ACTION_NONE)
        replay_set_message(replay, _("%s does nothing: %s shows the keys"), press.key,
                           action_key(mode, ACTION_HELP));
    else if (action != ACTION_ACCEPT) /* accepting once too often needs no message */
        replay_set_message(
            replay, _("%s changes nothing: this is a recording, and is not run again"), press.key);
    return replay_drop_count(replay);
}

bool replay_command(struct replay *replay, enum action_mode mode, struct press press) {
    struct old_message was = message_begin(replay->message);
    bool changed = command_key(replay, mode, press);
    return changed || message_changed(&was, replay->message);
}

bool replay_close_help(struct replay *replay) {
    bool open = replay->help;
    replay->help = replay->help_live = false;
    return open;
}

struct press replay_help_press(const struct replay *replay, struct press press) {
    return action_help_press(replay->help, press);
}

bool replay_help_takes(struct replay *replay, struct press press) {
    return replay_close_help(replay) && press.info->action == ACTION_HELP_CLOSE;
}

bool replay_key(struct replay *replay, struct press press) {
    if (press.info->action == ACTION_REDRAW)
        return true;
    struct old_message was = message_begin(replay->message);
    bool changed = replay->help || replay->live.complaint[0] || replay->legend;
    replay->legend = false;
    if (replay->input.prompt != PROMPT_CONFIRM)
        replay->live.complaint[0] = '\0';
    find_stop(replay);
    if (turns_help_page(replay, press))
        return replay->help_live = true;
    if (replay_help_takes(replay, press))
        return true;
    const enum action_mode mode = replay_key_mode(replay);
    if (mode == ACTION_MODE_REPLAY || mode == ACTION_MODE_MEMBERS)
        changed = command_key(replay, ACTION_MODE_REPLAY, press) || changed;
    else if (press.info->run)
        changed = press.info->run(replay, press.info->argument) || changed;
    else if (mode == ACTION_MODE_CONFIRM)
        changed = look_cancel(replay, 0) || changed;
    else
        changed = type(replay, press.key) || changed;
    return changed || message_changed(&was, replay->message);
}

/* ---- time ---- */

bool replay_tick(struct replay *replay, long milliseconds) {
    bool listed = cursor_list_warps(&replay->cursor);
    bool lapsed = count_lapse(&replay->input.count, milliseconds);
    bool faded = live_tick(replay, milliseconds);
    bool looked = find_tick(replay);
    return play_tick(replay, milliseconds) || listed || lapsed || faded || looked;
}

long replay_wait(const struct replay *replay) {
    const struct count *count = &replay->input.count;
    long wait = play_wait(replay);
    if (replay->cursor.listing || replay->search.goes_on)
        return 0;
    if (count->doubtful) {
        long doubt = COUNT_MILLISECONDS - count->elapsed;
        wait = wait < 0 || doubt < wait ? doubt : wait;
    }
    long marks = live_wait(replay);
    return marks >= 0 && (wait < 0 || marks < wait) ? marks : wait;
}
