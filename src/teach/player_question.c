/* Questions of a beat: asked, answered, corrected, settled. */
#include "base/message.h"
#include "base/text/utf8.h"
#include "explain/snippet/code_answer.h"
#include "teach/stage.h"

#include <stdarg.h>
#include <string.h>

#define TRIES 2

void player_say(struct player *player, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    utf8_vformat(player->message, sizeof player->message, format, arguments);
    va_end(arguments);
}

void player_say_error(struct player *player, const struct error *err) {
    player_say(player, "%.*s", (int)strcspn(err->text, "\n"), err->text);
}

void player_take_message(struct player *player) {
    if (player->replay.message[0])
        player_say(player, "%s", player->replay.message);
    player->quit = replay_take_quit(&player->replay) || player->quit;
}

static void raise_result(struct player *player, enum beat_result result) {
    if (player->results[player->beat] < result)
        player->results[player->beat] = result;
}

/* Records the outcome of the open question in the collected results. */
static void add_result(struct player *player, struct result how) {
    results_settle(player->kept, player_beat(player)->id, replay_subject(&player->replay),
                   &player_beat(player)->ask, how);
}

bool player_put_question(struct player *player) {
    struct error err = ERROR_INIT;
    if (replay_ask(&player->replay, &player_beat(player)->ask, &err) == 0)
        return true;
    player_say_error(player, &err);
    player->settled = true; /* the lesson was not checked, but must not stop here */
    return false;
}

void player_open_question(struct player *player) {
    player->settled = false;
    player->tries = 0;
    player->hinted = player->correction = player->reveal_asked = false;
    player->answer[0] = '\0';
    player_speak(player, NULL, NULL);
    player->state = player_put_question(player) ? PLAYER_ASKING : PLAYER_TELLING;
}

void player_show_answer(struct player *player, const char *typed) {
    struct replay *replay = &player->replay;
    if (!player_put_question(player))
        return;
    replay_type_answer(replay, typed);
    if (!*typed || replay_answer(replay) == ANSWER_UNREADABLE)
        replay_reveal(replay);
    /* The rest was hidden because of the question; a call that the beat hides stays hidden. */
    replay_set_picture(replay, player_beat(player)->show.hide & LESSON_HIDE_CALL, replay->points);
}

void player_settle(struct player *player, const char *typed) {
    char reason[320];
    struct answer answer;
    const struct question *ask = &player_beat(player)->ask;
    player_show_answer(player, typed);
    player->right[0] = '\0';
    if (answer_of(replay_subject(&player->replay), ask, &answer, NULL) == 0)
        answer_format(replay_subject(&player->replay), ask, &answer, player->right);
    player->settled = true;
    player->reveal_asked = false;
    player->correction = false;
    player->state = PLAYER_ANSWERED;
    player->phase = player->replay.cursor.phase;
    player->scroll = 0;
    player_speak_answer(player, typed,
                        answer_reason(replay_subject(&player->replay), ask, reason, sizeof reason));
    player_say(player, "%s", player->replay.message);
    player->reading = player_reading_said(player);
    player->play_elapsed = 0;
}

/* ---- answering ---- */

void player_correct(struct player *player) {
    const char *belief =
        lesson_belief(player->lesson, player->beat, player->language, player->answer);
    char hint[320];
    const struct question *ask = &player_beat(player)->ask;
    player->correction = true;
    player->scroll = 0;
    if (!belief && question_is_code(ask)) { /* the effect of the typed code */
        code_why_wrong(replay_subject(&player->replay), ask, player->answer, hint, sizeof hint);
        player->hinted = true;
        if (*hint) {
            player_speak(player, NULL, hint);
            return;
        }
    }
    if (!belief) {
        player->hinted = true;
        belief = lesson_part(player->lesson, player->beat, player->language, LESSON_HINT);
    }
    player_speak(
        player, belief,
        answer_hint(replay_subject(&player->replay), &player_beat(player)->ask, hint, sizeof hint));
}

static void answer_wrong(struct player *player) {
    player->tries++;
    if (player->tries >= TRIES) {
        raise_result(player, BEAT_REVEALED);
        add_result(player, (struct result){.hinted = player->hinted});
        player_settle(player, player->answer);
        return;
    }
    player_correct(player);
    player_say(
        player,
        answer_is_part(replay_subject(&player->replay), &player_beat(player)->ask, player->answer)
            ? _("%s is right, but not complete: try once more")
            : _("%s is not right: try once more"),
        message(player->answer));
    replay_ask_again(&player->replay);
}

void player_answer(struct player *player) {
    char normal[ANSWER_TEXT];
    const struct replay *replay = &player->replay;
    enum answer_verdict verdict = answer_judge(replay_subject(replay), &replay->asking.question,
                                               replay->input.text, replay->asking.marks, normal);
    if (verdict == ANSWER_UNREADABLE) {
        replay_answer(&player->replay); /* lists the allowed forms */
        player_take_message(player);
        player->correction = false; /* the message was about another answer */
        return;
    }
    line_set(player->answer, sizeof player->answer, normal);
    results_answer(player->kept, player_beat(player)->id, normal);
    if (verdict == ANSWER_WRONG) {
        answer_wrong(player);
        return;
    }
    bool first = player->tries == 0 && !player->hinted;
    if (player->mending)
        raise_result(player, BEAT_HINTED); /* the question was missed, and is answered now */
    if (player->results[player->beat] <
        BEAT_REVEALED) /* else the question is asked again for practice */
        raise_result(player, first ? BEAT_RIGHT : BEAT_HINTED);
    add_result(player, (struct result){.is_right = true, .hinted = player->hinted});
    player_settle(player, player->answer);
}

void player_hint(struct player *player) {
    player->hinted = true;
    player->scroll = 0;
}

/* Escape first clears the input; then it asks for confirmation before the answer is shown. */
static bool is_confirmed(struct player *player) {
    struct replay *replay = &player->replay;
    if (replay->input.text[0] || replay->asking.marks) {
        replay_type_answer(replay, "");
        return false;
    }
    if (player->reveal_asked)
        return true;
    player->reveal_asked = true;
    player_say(player, _("%s once more shows the answer"),
               action_key(ACTION_MODE_QUESTION, ACTION_REVEAL));
    return false;
}

void player_reveal(struct player *player) {
    if (!is_confirmed(player))
        return;
    raise_result(player, BEAT_REVEALED);
    add_result(player, (struct result){.shown = true, .hinted = player->hinted});
    player->answer[0] = '\0';
    player_settle(player, "");
}
