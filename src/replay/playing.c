#include "replay/handlers.h"
#include "replay/lines.h"

#include "base/message.h"
#include "base/unused.h"
#include "replay/action.h"

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
    if (replay_goes_by_line(replay)) {
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
        replay_say(replay, _("speed: a phase every %ld s"), time / PHASE_MILLISECOND);
    else
        replay_say(replay, _("speed: %ld phases a second"), PHASE_MILLISECOND / time);
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
    if (!replay_goes_by_line(replay)) {
        replay_say(replay, _("play stops at lines where there are local variables: view %d"),
                   VIEW_VARIABLES + 1);
        return false;
    }
    replay->playing = false;
    input_open(&replay->input, PROMPT_STOP);
    input_set(&replay->input, replay->stop);
    return true;
}

bool play_stop_accept(struct replay *replay, long argument UNUSED) {
    struct input *input = &replay->input;
    if (input->text[0] && !lines_can_find(replay, input->text)) {
        replay_say(replay, _("neither a line nor a condition over variables"));
        return false;
    }
    memcpy(replay->stop, input->text, sizeof replay->stop);
    input_close(input);
    if (replay->stop[0])
        replay_say(replay, _("play stops at %s: %s plays"), replay->stop,
                   action_key(ACTION_PLACE_REPLAY, ACTION_PLAY));
    else
        replay_say(replay, _("play stops at the end alone"));
    return true;
}

bool play_tick(struct replay *replay, long milliseconds) {
    struct error err = ERROR_INIT;
    struct cursor *cursor = &replay->cursor;
    if (!replay->playing)
        return false;
    replay->play_elapsed += milliseconds;
    if (replay->play_elapsed < interval(replay))
        return false;
    /* A screen that was away for long continues where it was, one visible phase at a time. */
    replay->play_elapsed %= interval(replay);
    replay->message[0] = '\0';
    const bool lines = replay_goes_by_line(replay);
    bool moved = lines ? lines_by(replay, 1, 1) : cursor_step(cursor, 1, &err);
    if (moved && !cursor->has_step)
        replay_say(replay, "%s", err.text);
    if (moved && lines && lines_stop(replay, replay->stop)) {
        replay->playing = false;
        replay_say(replay, _("stopped at %s"), replay->stop);
        return true;
    }
    if (!moved || (lines ? lines_at_end(replay) : cursor_at_end(cursor))) {
        replay->playing = false;
        replay_say(replay,
                   move_is_listed(replay)
                       ? _("played to the end of this warp: %s plays it again")
                       : _("played to the end of this warp so far: %s plays it again"),
                   action_key(ACTION_PLACE_REPLAY, ACTION_PLAY));
    }
    return true;
}

long play_wait(const struct replay *replay) {
    return replay->playing ? interval(replay) - replay->play_elapsed : -1;
}
