/* Keys and clicks of a player, and their effects. */
#include "base/message.h"
#include "base/unused.h"
#include "replay/keys/handlers.h"
#include "replay/whose.h"
#include "teach/scene.h"
#include "teach/stage.h"

#include <ctype.h>
#include <string.h>

enum action_mode player_key_mode(const struct player *player) {
    return player->state == PLAYER_ASKING ? ACTION_MODE_QUESTION : ACTION_MODE_LESSON;
}

/* ---- actions of the replay ---- */

/* True if the replay may act: leaves the beat's picture if necessary. */
static bool may_act(struct player *player, enum action action) {
    bool leaves = action_flags(action) & ACTION_LEAVES_BEAT && !player->exploring;
    return !leaves || player_explore(player);
}

static bool apply_to_replay(struct player *player, enum action action, long argument) {
    if (!may_act(player, action))
        return false;
    bool changed = replay_apply(&player->replay, action, argument);
    player_take_message(player);
    return changed || action_flags(action) & ACTION_LEAVES_BEAT;
}

static bool key_to_replay(struct player *player, struct press press) {
    bool changed = replay_key(&player->replay, press);
    player_take_message(player);
    return changed;
}

/* ---- actions ---- */

typedef bool player_handler(struct player *player, long argument);

static bool go_on(struct player *player, long argument UNUSED) {
    player_go_on(player);
    return true;
}

static bool go_back(struct player *player, long argument UNUSED) {
    player_go_back(player);
    return true;
}

static bool go_to_beat(struct player *player, long beat) {
    return beat >= 0 && player_go(player, (size_t)beat);
}

static bool open_goto(struct player *player, long argument UNUSED) {
    player->goto_open = true;
    player->goto_input[0] = '\0';
    return true;
}

/* Leaves the end page for the exercise, or for the next lesson. */
static bool leave_for(struct player *player, bool practice) {
    player->quit = true;
    *(practice ? &player->wants_practice : &player->wants_next) = true;
    return true;
}

static bool continue_lesson(struct player *player, long argument UNUSED) {
    if (player->exploring)
        player_come_back(player);
    else if (player->state == PLAYER_ASKING)
        player_answer(player);
    else if (player->state == PLAYER_FINISHED)
        return leave_for(player, player->practice && !player->next_first);
    else
        player_go_on(player);
    return true;
}

/* At the end, opens the second of the two things that follow, skipping the first; before that, goes
 * to the next operation, as in a replay. */
static bool next(struct player *player, long argument) {
    const bool practice = player->next_first && player->practice;
    if (player->state != PLAYER_FINISHED || (!practice && !player->next))
        return apply_to_replay(player, ACTION_OPERATION_NEXT, argument);
    return leave_for(player, practice);
}

static bool hint(struct player *player, long argument UNUSED) {
    if (player->state == PLAYER_ASKING)
        player_hint(player);
    return true;
}

static bool reveal(struct player *player, long argument UNUSED) {
    if (player->state == PLAYER_ASKING)
        player_reveal(player);
    return true;
}

static bool black(struct player *player, long argument UNUSED) {
    player->black = true;
    return true;
}

static bool scroll_down(struct player *player, long argument UNUSED) {
    player->scroll++;
    replay_scroll(&player->replay, 1);
    return true;
}

static bool scroll_up(struct player *player, long argument UNUSED) {
    if (player->scroll == 0)
        return false;
    player->scroll--;
    replay_scroll(&player->replay, -1);
    return true;
}

static bool restart(struct player *player, long argument UNUSED) {
    player_restart(player);
    return true;
}

static bool aside(struct player *player, long argument UNUSED) {
    player->aside = !player->aside;
    return true;
}

/* Asks the beat's question again, or one about the explored picture; at the end, a missed one. */
static bool predict(struct player *player, long unused) {
    if (player->state == PLAYER_FINISHED)
        return player_retry_missed(player, 0);
    if (player->exploring || !player_asks(player) || player->state != PLAYER_ANSWERED)
        return apply_to_replay(player, ACTION_PREDICT, unused);
    player_ask_again(player);
    return true;
}

static bool toggle_play(struct player *player, long unused) {
    if (player->exploring)
        return apply_to_replay(player, ACTION_PLAY, unused);
    player->playing = !player->playing && player->state != PLAYER_FINISHED;
    player->play_elapsed = 0;
    if (player->state == PLAYER_FINISHED)
        player_say(player, _("this is the end: %s begins the lesson again"),
                   action_key(ACTION_MODE_LESSON, ACTION_RESTART));
    else if (player->playing)
        player_say(player, _("the lesson advances by itself and waits at questions: %s stops it"),
                   action_key(ACTION_MODE_LESSON, ACTION_PLAY));
    else
        player_say(player, _("stopped: press %s to continue"),
                   action_key(ACTION_MODE_LESSON, ACTION_BEAT_NEXT));
    return true;
}

static bool change_speed(struct player *player, int change) {
    int was = player->speed;
    player->speed = play_speed(was, change);
    if (player->speed >= 0)
        player_say(player, _("speed: %dx"), 1 << player->speed);
    else
        player_say(player, _("speed: 1/%d"), 1 << -player->speed);
    return player->speed != was;
}

static bool faster(struct player *player, long unused) {
    return player->exploring ? apply_to_replay(player, ACTION_FASTER, unused)
                             : change_speed(player, 1);
}

static bool slower(struct player *player, long unused) {
    return player->exploring ? apply_to_replay(player, ACTION_SLOWER, unused)
                             : change_speed(player, -1);
}

static bool leave(struct player *player, long argument UNUSED) {
    player->quit = true;
    return true;
}

/* Shows a phase of the beat without leaving the beat. */
static bool go_to_phase(struct player *player, long phase) {
    const struct lesson_show *show = &player_beat(player)->show;
    if (!player->settled || player->exploring || phase < (long)scene_phase_first(show) ||
        phase > (long)scene_phase_last(show) ||
        !phase_applies(player->replay.cursor.step.operation.op, (enum phase)phase))
        return apply_to_replay(player, ACTION_PHASE_GO, phase);
    player_show_phase(player, (enum phase)phase);
    return true;
}

/* A question that is still hidden behind narration cannot be answered by clicks. */
static bool go_to_lane(struct player *player, long lane) {
    if (player->settled || player->state != PLAYER_TELLING)
        return apply_to_replay(player, ACTION_LANE_GO, lane);
    replay_set_lane(&player->replay, lane >= 0 && lane < WARP_LANES ? (int)lane : 0);
    return true;
}

static bool cancel(struct player *player, long unused) {
    if (player->state == PLAYER_ASKING)
        return false; /* it would end the question */
    if (!player->exploring || player->replay.input.prompt != PROMPT_NONE ||
        player->replay.live.complaint[0])
        return apply_to_replay(player, ACTION_CANCEL, unused);
    if (!whose_close(&player->replay))
        player_come_back(player);
    return true;
}

/* The player's own handlers; all others are the replay's. */
static player_handler *const handlers[ACTION_COUNT] = {
    [ACTION_BEAT_NEXT] = go_on,
    [ACTION_BEAT_PREVIOUS] = go_back,
    [ACTION_BEAT_GO] = go_to_beat,
    [ACTION_BEAT_PROMPT] = open_goto,
    [ACTION_CONTINUE] = continue_lesson,
    [ACTION_OPERATION_NEXT] = next,
    [ACTION_HINT] = hint,
    [ACTION_REVEAL] = reveal,
    [ACTION_BLACK] = black,
    [ACTION_SCROLL_DOWN] = scroll_down,
    [ACTION_SCROLL_UP] = scroll_up,
    [ACTION_ASIDE] = aside,
    [ACTION_RESTART] = restart,
    [ACTION_PREDICT] = predict,
    [ACTION_PLAY] = toggle_play,
    [ACTION_FASTER] = faster,
    [ACTION_SLOWER] = slower,
    [ACTION_QUIT] = leave,
    [ACTION_PHASE_GO] = go_to_phase,
    [ACTION_LANE_GO] = go_to_lane,
    [ACTION_CANCEL] = cancel,
};

static bool act(struct player *player, enum action action, long argument) {
    return handlers[action] ? handlers[action](player, argument)
                            : apply_to_replay(player, action, argument);
}

static bool apply(struct player *player, enum action action, long argument) {
    if (action == ACTION_NONE || action == ACTION_REDRAW)
        return action == ACTION_REDRAW;
    if (player->black) {
        player->black = false;
        return true;
    }
    bool closed = player->goto_open;
    player->goto_open = false;
    if (action != ACTION_HELP)
        closed = replay_close_help(&player->replay) || closed;
    return act(player, action, argument) || closed;
}

bool player_apply(struct player *player, enum action action, long argument) {
    struct old_message was = message_begin(player->message);
    /* The wheel moves through the lesson, as Right does. */
    if (!player->exploring && action == ACTION_PHASE_NEXT)
        action = ACTION_BEAT_NEXT;
    else if (!player->exploring && action == ACTION_PHASE_PREVIOUS)
        action = ACTION_BEAT_PREVIOUS;
    bool changed = apply(player, action, argument);
    player_note_end(player);
    return changed || message_changed(&was, player->message);
}

/* ---- keys ---- */

/* The player's own actions while the picture is explored; all others are the replay's. */
static bool is_own_action(const struct player *player, enum action action) {
    const struct replay *replay = &player->replay;
    if (replay->input.prompt != PROMPT_NONE)
        return false;
    switch (action) {
    case ACTION_CANCEL: /* first drops a half-typed count, then ends exploring */
        return !replay->input.count.typed;
    case ACTION_BEAT_PROMPT: /* a setting can be typed; other beats can be reached from the lesson
                              */
        return !replay->live.on;
    case ACTION_CONTINUE:
    case ACTION_BLACK:
    case ACTION_SCROLL_DOWN:
    case ACTION_SCROLL_UP:
    case ACTION_RESTART:
        return true;
    default:
        return false;
    }
}

static struct press exploring_press(const struct player *player, const char *key) {
    const struct press press = action_press(ACTION_MODE_LESSON, key);
    return is_own_action(player, press.info->action) ? press : replay_press(&player->replay, key);
}

struct press player_press(const struct player *player, const char *key) {
    const struct replay *replay = &player->replay;
    if (player->black)
        return action_press(ACTION_MODE_LESSON, key);
    return replay_help_press(replay, player->goto_open   ? action_press(ACTION_MODE_PROMPT, key)
                                     : player->exploring ? exploring_press(player, key)
                                     : player->state == PLAYER_ASKING
                                         ? replay_press(replay, key)
                                         : action_press(ACTION_MODE_LESSON, key));
}

static bool go_to_input(struct player *player) {
    size_t beat;
    player->goto_open = false;
    if (!player->goto_input[0])
        return true;
    if (player_find_beat(player->lesson, player->goto_input, &beat))
        player_go(player, beat);
    else
        player_say(player, _("%s: parts are numbered 1 to %zu"), player->goto_input,
                   player->lesson->beat_count);
    return true;
}

static bool goto_key(struct player *player, struct press press) {
    const enum action action = press.info->action;
    const char *key = press.key;
    if (action == ACTION_ACCEPT)
        return go_to_input(player);
    if (action == ACTION_ERASE || action == ACTION_CANCEL) {
        player->goto_open =
            action == ACTION_ERASE && line_erase(player->goto_input, press.info->argument);
        return true;
    }
    bool of_an_id = isalnum((unsigned char)*key) || *key == '-' || *key == '_';
    return of_an_id && line_type(player->goto_input, sizeof player->goto_input, key);
}

static bool exploring_key(struct player *player, struct press press) {
    return is_own_action(player, press.info->action)
               ? act(player, press.info->action, press.info->argument)
               : key_to_replay(player, press);
}

static bool question_key(struct player *player, struct press press) {
    if (press.info->action != ACTION_REVEAL)
        player->reveal_asked = false;
    if (handlers[press.info->action])
        return handlers[press.info->action](player, press.info->argument);
    return key_to_replay(player, press);
}

static bool lesson_key(struct player *player, struct press press) {
    const struct action_info *info = press.info;
    struct replay *replay = &player->replay;
    if (handlers[info->action]) {
        bool changed = handlers[info->action](player, info->argument);
        if (!player->exploring && replay->input.prompt == PROMPT_NONE)
            replay_drop_count(replay); /* a count has no effect here */
        return changed;
    }
    const bool can = replay_allows(replay, info);
    if (can && !may_act(player, info->action))
        return false;
    bool changed = replay_command(replay, ACTION_MODE_LESSON, press);
    player_take_message(player);
    return changed || (can && info->flags & ACTION_LEAVES_BEAT);
}

static bool dispatch_key(struct player *player, struct press press) {
    return player->goto_open                ? goto_key(player, press)
           : player->exploring              ? exploring_key(player, press)
           : player->state == PLAYER_ASKING ? question_key(player, press)
                                            : lesson_key(player, press);
}

bool player_key(struct player *player, struct press press) {
    if (press.info->action == ACTION_REDRAW)
        return true;
    struct old_message was = message_begin(player->message);
    replay_clear_message(&player->replay);
    bool changed = player->black || player->replay.help;
    if (player->black)
        player->black = false; /* any key lights the screen again */
    else if (!replay_help_takes(&player->replay, press))
        changed = dispatch_key(player, press) || changed;
    player_note_end(player);
    return changed || message_changed(&was, player->message);
}
