/*
 * Time passes only through play_tick(), which gets the milliseconds, so that tests play without
 * waiting.
 */
#include "replay/keys/handlers.h"
#include "replay/lines.h"

#include "base/message.h"
#include "base/unused.h"
#include "replay/keys/action.h"

#include <string.h>

#define SPEED_LIMIT       4
#define PHASE_MILLISECOND 1000

static long interval(const struct replay *replay) {
    return replay->speed >= 0 ? PHASE_MILLISECOND >> replay->speed
                              : (long)PHASE_MILLISECOND << -replay->speed;
}

bool play_toggle(struct replay *replay, long argument UNUSED) {
    struct cursor *cursor = &replay->cursor;
    replay->playing = !replay->playing;
    replay->play_elapsed = 0;
    if (!replay->playing)
        return true;
    asking_end(&replay->asking, &replay->input);
    if (replay_moves_by_line(replay)) {
        if (lines_at_end(replay))
            lines_go(replay, 0);
    } else if (cursor_at_end(cursor)) {
        cursor->phase_kept = PHASE_BEFORE;
        replay_go(replay, &cursor->warp, 0);
    }
    return true;
}

int play_speed(int speed, int change) {
    speed += change;
    return speed > SPEED_LIMIT ? SPEED_LIMIT : speed < -SPEED_LIMIT ? -SPEED_LIMIT : speed;
}

static bool change_speed(struct replay *replay, int change) {
    int was = replay->speed;
    replay->speed = play_speed(was, change);
    long time = interval(replay);
    if (time >= PHASE_MILLISECOND)
        replay_set_message(replay, _("speed: a phase every %ld s"), time / PHASE_MILLISECOND);
    else
        replay_set_message(replay, _("speed: %ld phases a second"), PHASE_MILLISECOND / time);
    return replay->speed != was;
}

bool play_faster(struct replay *replay, long argument UNUSED) {
    return change_speed(replay, 1);
}

bool play_slower(struct replay *replay, long argument UNUSED) {
    return change_speed(replay, -1);
}

/* ---- where play stops ---- */

bool play_stop_open(struct replay *replay, long argument UNUSED) {
    replay->playing = false;
    input_open(&replay->input, PROMPT_STOP);
    input_set(&replay->input, replay->stop);
    return true;
}

bool play_stop_accept(struct replay *replay, long argument UNUSED) {
    struct input *input = &replay->input;
    unsigned long number;
    if (input->text[0] && !lines_can_find(replay, input->text) &&
        !lines_read_number(input->text, &number)) {
        if (replay_lines(replay))
            replay_set_message(replay, _("neither a line nor a condition on variables"));
        else
            replay_set_message(
                replay,
                _("a condition needs local variables (view %d); here give a line, such as line 12"),
                VIEW_VARIABLES + 1);
        return false;
    }
    memcpy(replay->stop, input->text, sizeof replay->stop);
    input_close(input);
    if (replay->stop[0])
        replay_set_message(replay, _("play stops at %s: %s runs to it, %s plays"), replay->stop,
                           action_key(ACTION_MODE_REPLAY, ACTION_RUN),
                           action_key(ACTION_MODE_REPLAY, ACTION_PLAY));
    else
        replay_set_message(replay, _("play stops only at the end"));
    return true;
}

/* True if the operation at the cursor is on the line where play stops: for recordings whose only
 * lines are those of operations. */
static bool operation_stops(const struct replay *replay) {
    const struct cursor *cursor = &replay->cursor;
    const struct trace_site *site = trace_site(cursor->trace, cursor->step.site);
    unsigned long number;
    return cursor->has_step && site && lines_read_number(replay->stop, &number) &&
           site->line == number;
}

/* True if play stops at one of the lines after `before` up to the current one, or at the operation
 * just reached. */
static bool stops(struct replay *replay, size_t before, uint64_t position) {
    if (!replay->stop[0])
        return false;
    if (!replay_lines(replay))
        return replay->cursor.position != position && operation_stops(replay);
    const size_t here = replay_line(replay);
    for (size_t at = before + 1; at <= here; at++)
        if (lines_stop(replay, replay->stop, at))
            return true;
    return false;
}

static void say_end(struct replay *replay) {
    replay_set_message(replay,
                       move_is_listed(replay)
                           ? _("played to the end of this warp: %s plays it again")
                           : _("played to the end of this warp so far: %s plays it "
                               "again"),
                       action_key(ACTION_MODE_REPLAY, ACTION_PLAY));
}

bool play_run(struct replay *replay, long count) {
    const struct trace_lines *lines = replay_lines(replay);
    const uint64_t last = replay->cursor.warp.steps - 1;
    if (!replay->stop[0])
        return move_phase_next(replay, count);
    replay->playing = false;
    asking_end(&replay->asking, &replay->input);
    if (lines) {
        size_t at = replay_line(replay) + 1;
        while (at < lines->count && !lines_stop(replay, replay->stop, at))
            at++;
        if (at < lines->count)
            replay_set_message(replay, _("stopped at %s"), replay->stop);
        else
            replay_set_message(replay, _("%s: not found later in this warp"), replay->stop);
        return at < lines->count && lines_go(replay, at);
    }
    const struct trace_warp warp = replay->cursor.warp;
    const uint64_t from = replay->cursor.position;
    for (uint64_t at = from + 1; at <= last; at++) {
        replay_go(replay, &warp, at);
        if (!operation_stops(replay))
            continue;
        replay_set_message(replay, _("stopped at %s"), replay->stop);
        return true;
    }
    replay_go(replay, &warp, from);
    replay_set_message(replay, _("%s: not found at any later operation of this warp"),
                       replay->stop);
    return false;
}

bool play_tick(struct replay *replay, long milliseconds) {
    struct error err = ERROR_INIT;
    struct cursor *cursor = &replay->cursor;
    if (!replay->playing)
        return false;
    replay->play_elapsed += milliseconds;
    if (replay->play_elapsed < interval(replay))
        return false;
    /* A screen that was not shown for a long time goes on where it was, phase by phase. */
    replay->play_elapsed %= interval(replay);
    replay->message[0] = '\0';
    const bool lines = replay_moves_by_line(replay);
    const size_t before = replay_line(replay);
    const uint64_t position = cursor->position;
    bool moved = lines ? lines_step(replay, 1, 1) : cursor_step(cursor, 1, &err);
    if (moved && !cursor->has_step)
        replay_set_message(replay, "%s", err.text);
    if (moved && stops(replay, before, position)) {
        replay->playing = false;
        replay_set_message(replay, _("stopped at %s"), replay->stop);
        return true;
    }
    if (!moved || (lines ? lines_at_end(replay) : cursor_at_end(cursor))) {
        replay->playing = false;
        say_end(replay);
    }
    return true;
}

long play_wait(const struct replay *replay) {
    return replay->playing ? interval(replay) - replay->play_elapsed : -1;
}
