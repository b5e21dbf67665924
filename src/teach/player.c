/* Keys, clicks and time, and where they lead. */
#include "teach/player.h"

#include "base/memory.h"
#include "base/message.h"
#include "teach/scene.h"
#include "teach/stage.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPEED_LIMIT  4
#define LEAST_MILLIS 2000 /* a picture without words is looked at as long */
#define TRIES        2

const struct lesson_beat *player_beat(const struct player *player) {
    return &player->lesson->beats[player->beat];
}

bool player_asks(const struct player *player) {
    return player_beat(player)->ask.kind != QUESTION_NONE;
}

void player_say(struct player *player, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(player->message, sizeof player->message, format, arguments);
    va_end(arguments);
    size_t end = sizeof player->message - 1;
    if (length <= (int)end)
        return;
    while (end > 0 && (player->message[end - 1] & 0xc0) == 0x80)
        end--;
    player->message[end > 0 ? end - 1 : 0] = '\0'; /* the character that was begun */
}

enum action_place player_place(const struct player *player) {
    return player->state == PLAYER_ASKING ? ACTION_PLACE_QUESTION : ACTION_PLACE_LESSON;
}

/* ---- a beat ------------------------------------------------------------------------------------
 */

static void reach(struct player *player, enum beat_result result) {
    if (player->results[player->beat] < result)
        player->results[player->beat] = result;
}

static size_t last_line(const struct player *player) {
    return player->narration.count > 0 ? player->narration.count - 1 : 0;
}

/* Puts the question: the picture hides the answer. Whether the prompt is open is another matter. */
static bool put_question(struct player *player) {
    struct error err = ERROR_INIT;
    if (replay_ask(&player->replay, &player_beat(player)->ask, &err) == 0)
        return true;
    err.text[strcspn(err.text, "\n")] = '\0';
    player_say(player, "%s", err.text);
    player->settled = true; /* a lesson that was not checked: it must not stop here */
    return false;
}

static void close_prompt(struct player *player) {
    player->replay.prompt = PROMPT_NONE;
    player->replay.input[0] = '\0';
}

void player_open_question(struct player *player) {
    player->settled = false;
    player->tries = 0;
    player->hinted = player->correction = false;
    player->answer[0] = '\0';
    player_speak(player, NULL, NULL);
    player->state = put_question(player) ? PLAYER_ASKING : PLAYER_TELLING;
}

/* What belongs to the picture of the beat, put there anew; lane and view as the beat has them. */
static bool set_scene(struct player *player) {
    struct error err = ERROR_INIT;
    int speed = player->replay.speed;
    const struct lesson_show *show = &player_beat(player)->show;
    if (scene_open(&player->replay, player->traces[show->run], show, &err) != 0) {
        err.text[strcspn(err.text, "\n")] = '\0';
        player_say(player, "%s", err.text);
        return false;
    }
    player->replay.speed = speed;
    return true;
}

/* The answer of a settled question, on the picture. */
static void show_answer(struct player *player, const char *typed) {
    struct replay *replay = &player->replay;
    if (!put_question(player))
        return;
    snprintf(replay->input, sizeof replay->input, "%s", typed);
    if (!*typed || replay_answer(replay) == ANSWER_UNREADABLE)
        replay_reveal(replay);
    replay->hide = 0; /* it was hidden for the question's sake */
}

void player_settle(struct player *player, const char *typed) {
    char reason[320];
    show_answer(player, typed);
    player->settled = true;
    player->correction = false;
    player->state = PLAYER_ANSWERED;
    player->phase = player->replay.phase;
    player->scroll = 0;
    player_speak(player, lesson_part(player->lesson, player->beat, player->language, LESSON_ANSWER),
                 answer_reason(replay_subject(&player->replay), &player_beat(player)->ask, reason,
                               sizeof reason));
    player_say(player, "%s", player->replay.message);
    player->reading = player_reading_said(player);
    player->play_elapsed = 0;
}

static void show_phase(struct player *player, enum phase phase) {
    player->phase = phase;
    replay_set_phase(&player->replay, phase);
    player->reading = player->play_elapsed = 0;
}

static void show_line(struct player *player, size_t line) {
    player->line = line;
    player->scroll = 0;
    player->reading = player_reading_narration(player);
    player->play_elapsed = 0;
}

/* The state of a beat that one comes to, its question settled or not. */
static void begin(struct player *player, bool at_end) {
    const struct lesson_show *show = &player_beat(player)->show;
    show_line(player, at_end ? last_line(player) : 0);
    if (!player_asks(player)) {
        player->state = PLAYER_TELLING;
        show_phase(player, at_end ? scene_phase_last(show) : scene_phase_first(show));
    } else if (player->settled) {
        player_settle(player, "");
        player->message[0] = player->replay.message[0] = '\0';
    } else if (put_question(player)) {
        bool spoken_first = player->presenting && player->line < last_line(player);
        player->state = spoken_first ? PLAYER_TELLING : PLAYER_ASKING;
        if (spoken_first)
            close_prompt(player);
    }
    player->reading = player_reading_narration(player);
}

void player_enter(struct player *player, size_t beat, bool at_end) {
    enum view_kind view = player->replay.view;
    bool same_view =
        strcmp(player_beat(player)->show.view, player->lesson->beats[beat].show.view) == 0;
    player->beat = beat;
    player->exploring = player->goto_open = player->hinted = player->correction = false;
    player->tries = 0;
    player->scroll = 0;
    player->answer[0] = player->message[0] = '\0';
    player->state = PLAYER_TELLING;
    player->settled = !player_asks(player) || player->results[beat] >= BEAT_REVEALED;
    if (!set_scene(player))
        return;
    if (same_view)
        player->replay.view = view; /* who prefers another view keeps it while the beats do */
    player->phase = player->replay.phase;
    reach(player, BEAT_SEEN);
    player_texts(player);
    begin(player, at_end);
}

void player_finish(struct player *player) {
    player->state = PLAYER_FINISHED;
    player->finished = true;
    player->playing = false;
    player->scroll = 0;
}

/* ---- beginning and end -------------------------------------------------------------------------
 */

/* Whether the recordings have what each beat shows. */
static int check(const struct player *player, struct error *err) {
    for (size_t i = 0; i < player->lesson->beat_count; i++) {
        const struct lesson_beat *beat = &player->lesson->beats[i];
        const struct trace *trace = player->traces[beat->show.run];
        struct replay replay;
        struct error why = ERROR_INIT;
        if (!trace)
            return error_set(err, ERROR_USAGE, _("beat '%s': its recording is missing"), beat->id);
        if (scene_open(&replay, trace, &beat->show, &why) != 0)
            return error_set(err, ERROR_USAGE, _("beat '%s': %s"), beat->id, why.text);
    }
    return 0;
}

static bool find_beat(const struct lesson *lesson, const char *id, size_t *beat) {
    for (size_t i = 0; i < lesson->beat_count; i++)
        if (strcmp(lesson->beats[i].id, id) == 0) {
            *beat = i;
            return true;
        }
    return false;
}

bool player_find_beat(const struct lesson *lesson, const char *wanted, size_t *beat) {
    char *end;
    unsigned long number = strtoul(wanted, &end, 10);
    if (isdigit((unsigned char)*wanted) && !*end && number >= 1 && number <= lesson->beat_count) {
        *beat = number - 1;
        return true;
    }
    return find_beat(lesson, wanted, beat);
}

int player_init(struct player *player, const struct lesson *lesson, struct trace *const *traces,
                const char *language, const char *beat, struct error *err) {
    size_t first = 0;
    memset(player, 0, sizeof *player);
    player->lesson = lesson;
    player->traces = traces;
    player->language = language ? lesson_language_find(lesson, language) : 0;
    if (lesson->beat_count == 0)
        return error_set(err, ERROR_USAGE, _("the lesson has no beat"));
    if (check(player, err) != 0)
        return -1;
    if (beat)
        find_beat(lesson, beat, &first);
    player->results = memory_zeroed(lesson->beat_count, sizeof *player->results);
    player->beat = first;
    if (set_scene(player)) /* so that there is a view to be kept */
        player_enter(player, first, false);
    return 0;
}

void player_release(struct player *player) {
    player_texts_release(player);
    free(player->results);
    player->results = NULL;
}

/* ---- going on and back -------------------------------------------------------------------------
 */

/* The next phase in that direction within the beat. */
static bool step_phase(struct player *player, int direction) {
    const struct lesson_show *show = &player_beat(player)->show;
    int first = scene_phase_first(show), last = scene_phase_last(show);
    for (int phase = (int)player->phase + direction; phase >= first && phase <= last;
         phase += direction)
        if (phase_applies(player->replay.step.operation.op, (enum phase)phase)) {
            show_phase(player, (enum phase)phase);
            return true;
        }
    return false;
}

static void say_answer_first(struct player *player) {
    player_say(player, "%s", _("answer first; Tab gives a hint, Escape shows the answer"));
}

static void go_on(struct player *player) {
    bool tells = player->state == PLAYER_TELLING;
    if (player->state == PLAYER_FINISHED) {
        player_say(player, "%s", _("this is the end: Enter leaves the lesson, Left goes back"));
    } else if (player->state == PLAYER_ASKING) {
        say_answer_first(player);
    } else if (tells && player->presenting && player->line < last_line(player)) {
        show_line(player, player->line + 1);
    } else if (!player->settled) {
        player_open_question(player);
    } else if (step_phase(player, 1)) {
        return;
    } else if (player->beat + 1 < player->lesson->beat_count) {
        player_enter(player, player->beat + 1, false);
    } else {
        player_finish(player);
    }
}

static void go_back(struct player *player) {
    bool spoken_first = player->presenting && last_line(player) > 0;
    if (player->state == PLAYER_FINISHED) {
        player_enter(player, player->beat, true);
    } else if (player->settled && step_phase(player, -1)) {
        return;
    } else if (player->state == PLAYER_ASKING && spoken_first) {
        player->state = PLAYER_TELLING;
        close_prompt(player);
        show_line(player, last_line(player));
    } else if (player->state == PLAYER_TELLING && player->presenting && player->line > 0) {
        show_line(player, player->line - 1);
    } else if (player->beat > 0) {
        player_enter(player, player->beat - 1, true);
    } else {
        player_say(player, "%s", _("this is the beginning"));
    }
}

bool player_go(struct player *player, size_t beat) {
    if (beat >= player->lesson->beat_count)
        return false;
    player->black = player->replay.help = false;
    player_enter(player, beat, false);
    return true;
}

/* ---- exploring ---------------------------------------------------------------------------------
 */

static bool explores(enum action action) {
    switch (action) {
    case ACTION_PHASE_NEXT:
    case ACTION_PHASE_PREVIOUS:
    case ACTION_PHASE_GO:
    case ACTION_OPERATION_NEXT:
    case ACTION_OPERATION_PREVIOUS:
    case ACTION_OPERATION_FIRST:
    case ACTION_OPERATION_LAST:
    case ACTION_OPERATION_GO:
    case ACTION_WARP_NEXT:
    case ACTION_WARP_PREVIOUS:
    case ACTION_BLOCK_NEXT:
    case ACTION_BLOCK_PREVIOUS:
    case ACTION_FIND:
    case ACTION_FIND_NEXT:
    case ACTION_PREDICT:
        return true;
    default:
        return false;
    }
}

/* False, with the reason said, while a question is to be answered. */
static bool explore(struct player *player) {
    if (!player->settled) {
        say_answer_first(player);
        return false;
    }
    player->exploring = true;
    player->playing = false;
    player->replay.hide = 0;
    player->replay.points = 0;
    return true;
}

static void come_back(struct player *player) {
    char answer[REPLAY_INPUT_SIZE];
    enum phase phase = player->phase;
    player->exploring = false;
    memcpy(answer, player->answer, sizeof answer);
    if (!set_scene(player))
        return;
    if (player_asks(player) && player->state != PLAYER_TELLING)
        show_answer(player, answer);
    replay_set_phase(&player->replay, phase);
    player->replay.message[0] = '\0';
}

/* What the replay has to say is said. */
static void take_message(struct player *player) {
    if (player->replay.message[0])
        player_say(player, "%s", player->replay.message);
    player->quit = player->quit || player->replay.quit;
    player->replay.quit = false;
}

static void replay_gets(struct player *player, const char *key) {
    replay_key(&player->replay, key);
    take_message(player);
}

/* ---- the question ------------------------------------------------------------------------------
 */

void player_correct(struct player *player) {
    const char *belief =
        lesson_belief(player->lesson, player->beat, player->language, player->answer);
    char hint[320];
    player->correction = true;
    player->scroll = 0;
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
        reach(player, BEAT_REVEALED);
        player_settle(player, player->answer);
        return;
    }
    player_correct(player);
    player_say(player, _("%s is not it: try once more"), message(player->answer));
    if (question_is_set(&player_beat(player)->ask))
        player->replay.input_kept = true;
    else
        player->replay.input[0] = '\0';
}

static void answer(struct player *player) {
    char normal[ANSWER_TEXT];
    struct replay *replay = &player->replay;
    enum answer_verdict verdict = answer_judge(replay_subject(replay), &replay->question,
                                               replay->input, replay->marks, normal);
    if (verdict == ANSWER_UNREADABLE) {
        replay_answer(replay); /* says what can be read */
        take_message(player);
        return;
    }
    snprintf(player->answer, sizeof player->answer, "%.*s", REPLAY_INPUT_SIZE - 1, normal);
    if (verdict == ANSWER_WRONG) {
        answer_wrong(player);
        return;
    }
    bool first = player->tries == 0 && !player->hinted;
    if (player->results[player->beat] < BEAT_REVEALED) /* else it is asked again, for practice */
        reach(player, first ? BEAT_RIGHT : BEAT_HINTED);
    player_settle(player, player->answer);
}

static void give_hint(struct player *player) {
    player->hinted = true;
    player->scroll = 0;
}

static void reveal(struct player *player) {
    reach(player, BEAT_REVEALED);
    player->answer[0] = '\0';
    player_settle(player, "");
}

static void finish_if_last(struct player *player) {
    if (player->beat + 1 == player->lesson->beat_count && player->settled)
        player->finished = true;
}

/* ---- the prompt for a beat ---------------------------------------------------------------------
 */

static void open_goto(struct player *player) {
    player->goto_open = true;
    player->goto_input[0] = '\0';
}

static void go_to_input(struct player *player) {
    char input[sizeof player->goto_input];
    size_t beat;
    memcpy(input, player->goto_input, sizeof input);
    player->goto_open = false;
    if (!*input)
        return;
    if (player_find_beat(player->lesson, input, &beat))
        player_go(player, beat);
    else
        player_say(player, _("%s: the beats are 1 to %zu"), input, player->lesson->beat_count);
}

static void goto_key(struct player *player, const char *key) {
    size_t length = strlen(player->goto_input);
    if (strcmp(key, "Enter") == 0)
        go_to_input(player);
    else if (strcmp(key, "Escape") == 0)
        player->goto_open = false;
    else if (strcmp(key, "Backspace") == 0 && length > 0)
        player->goto_input[length - 1] = '\0';
    else if (strcmp(key, "Backspace") == 0)
        player->goto_open = false;
    else if (key[1] == '\0' && (isalnum((unsigned char)*key) || *key == '-' || *key == '_') &&
             length + 1 < sizeof player->goto_input)
        snprintf(player->goto_input + length, 2, "%s", key);
}

/* ---- time --------------------------------------------------------------------------------------
 */

static long interval(const struct player *player) {
    long time = player->reading > LEAST_MILLIS ? player->reading : LEAST_MILLIS;
    return player->speed >= 0 ? time >> player->speed : time << -player->speed;
}

/* Whether time leads on: at a question it waits for the learner. */
static bool runs(const struct player *player) {
    return player->playing && !player->black && !player->goto_open && !player->exploring &&
           !player->replay.help &&
           (player->state == PLAYER_TELLING || player->state == PLAYER_ANSWERED);
}

static void toggle_play(struct player *player) {
    player->playing = !player->playing && player->state != PLAYER_FINISHED;
    player->play_elapsed = 0;
    if (player->state == PLAYER_FINISHED)
        player_say(player, "%s", _("this is the end: R begins the lesson again"));
    else
        player_say(player, "%s",
                   player->playing ? _("goes on by itself, and waits at questions: a stops it")
                                   : _("stopped: Right goes on"));
}

static void change_speed(struct player *player, int change) {
    int speed = player->speed + change;
    player->speed = speed > SPEED_LIMIT ? SPEED_LIMIT : speed < -SPEED_LIMIT ? -SPEED_LIMIT : speed;
    if (player->speed >= 0)
        player_say(player, _("speed: %d times"), 1 << player->speed);
    else
        player_say(player, _("speed: 1/%d"), 1 << -player->speed);
}

bool player_tick(struct player *player, long milliseconds) {
    bool changed = replay_tick(&player->replay, milliseconds);
    if (changed && player->exploring)
        take_message(player);
    if (!runs(player))
        return changed;
    player->play_elapsed += milliseconds;
    if (player->play_elapsed < interval(player))
        return changed;
    /* A screen that was away for long goes on from where it was: one stop at a time is seen. */
    player->play_elapsed = 0;
    player->message[0] = '\0';
    go_on(player);
    finish_if_last(player);
    return true;
}

long player_wait(const struct player *player) {
    long wait = replay_wait(&player->replay);
    if (!runs(player))
        return wait;
    long left = interval(player) - player->play_elapsed;
    left = left > 0 ? left : 0;
    return wait < 0 || left < wait ? left : wait;
}

/* ---- actions -----------------------------------------------------------------------------------
 */

static void restart(struct player *player) {
    memset(player->results, 0, player->lesson->beat_count * sizeof *player->results);
    player->before_asked = player->before_right = 0;
    player->before_beats = 0;
    player_enter(player, 0, false);
}

static void go_further(struct player *player) {
    if (player->exploring)
        come_back(player);
    else if (player->state == PLAYER_ASKING)
        answer(player);
    else if (player->state == PLAYER_FINISHED)
        player->quit = true;
    else
        go_on(player);
}

/* The question of the beat again, or of what one explores. */
static void predict(struct player *player) {
    bool again = !player->exploring && player_asks(player) && player->state == PLAYER_ANSWERED;
    if (again) {
        if (!set_scene(player))
            return;
        show_phase(player, player->replay.phase);
        player_open_question(player);
    } else if (explore(player)) {
        replay_apply(&player->replay, ACTION_PREDICT, 0);
        take_message(player);
    }
}

/* The player's own actions; false for those of the replay. */
static bool act(struct player *player, enum action action, long argument) {
    bool asking = player->state == PLAYER_ASKING;
    switch (action) {
    case ACTION_BEAT_NEXT:
        go_on(player);
        break;
    case ACTION_BEAT_PREVIOUS:
        go_back(player);
        break;
    case ACTION_BEAT_GO:
        if (argument >= 0)
            player_go(player, (size_t)argument);
        break;
    case ACTION_BEAT_PROMPT:
        open_goto(player);
        break;
    case ACTION_CONTINUE:
        go_further(player);
        break;
    case ACTION_HINT:
        if (asking)
            give_hint(player);
        break;
    case ACTION_REVEAL:
        if (asking)
            reveal(player);
        break;
    case ACTION_MARK:
        if (asking)
            replay_gets(player, "Space");
        break;
    case ACTION_BLACK:
        player->black = true;
        break;
    case ACTION_SCROLL_DOWN:
        player->scroll++;
        break;
    case ACTION_SCROLL_UP:
        player->scroll -= player->scroll > 0;
        break;
    case ACTION_RESTART:
        restart(player);
        break;
    case ACTION_PREDICT:
        predict(player);
        break;
    case ACTION_PLAY:
        if (player->exploring)
            return false;
        toggle_play(player);
        break;
    case ACTION_FASTER:
    case ACTION_SLOWER:
        if (player->exploring)
            return false;
        change_speed(player, action == ACTION_FASTER ? 1 : -1);
        break;
    case ACTION_QUIT:
        player->quit = true;
        break;
    default:
        return false;
    }
    return true;
}

/* A click on a phase that the beat walks through is no exploring, nor is the wheel. */
static bool within_beat(struct player *player, enum action action, long argument) {
    const struct lesson_show *show = &player_beat(player)->show;
    if (!player->settled || player->exploring)
        return false;
    if (action == ACTION_PHASE_NEXT || action == ACTION_PHASE_PREVIOUS) {
        step_phase(player, action == ACTION_PHASE_NEXT ? 1 : -1);
        return true;
    }
    if (action != ACTION_PHASE_GO || argument < (long)scene_phase_first(show) ||
        argument > (long)scene_phase_last(show) ||
        !phase_applies(player->replay.step.operation.op, (enum phase)argument))
        return false;
    show_phase(player, (enum phase)argument);
    return true;
}

static void apply(struct player *player, enum action action, long argument) {
    if (player->black) {
        player->black = action == ACTION_NONE || action == ACTION_REDRAW;
        return;
    }
    if (action != ACTION_NONE && action != ACTION_REDRAW) {
        player->goto_open = false;
        if (action != ACTION_HELP)
            player->replay.help = false;
    }
    if (act(player, action, argument) || within_beat(player, action, argument))
        return;
    if (action == ACTION_CANCEL && player->exploring && player->replay.prompt == PROMPT_NONE) {
        come_back(player);
        return;
    }
    if (action == ACTION_CANCEL && player->state == PLAYER_ASKING)
        return; /* it would end the question */
    if (explores(action) && !player->exploring && !explore(player))
        return;
    /* A question that is hidden still, behind what is said first, is not answered by clicks. */
    if (action == ACTION_LANE_GO && !player->settled && player->state == PLAYER_TELLING) {
        player->replay.lane = argument >= 0 && argument < WARP_LANES ? (int)argument : 0;
        return;
    }
    replay_apply(&player->replay, action, argument);
    take_message(player);
}

/* Prose that is made anew lies elsewhere, so that the bytes tell of every change. */
static bool changed_since(const struct player *player, const struct player *was) {
    return memcmp(player, was, sizeof *was) != 0;
}

bool player_apply(struct player *player, enum action action, long argument) {
    struct player was;
    memcpy(&was, player, sizeof was);
    player->message[0] = '\0';
    /* The wheel goes on in the lesson, as Right does. */
    if (!player->exploring && action == ACTION_PHASE_NEXT)
        action = ACTION_BEAT_NEXT;
    else if (!player->exploring && action == ACTION_PHASE_PREVIOUS)
        action = ACTION_BEAT_PREVIOUS;
    apply(player, action, argument);
    finish_if_last(player);
    return action == ACTION_REDRAW || changed_since(player, &was);
}

/* ---- keys --------------------------------------------------------------------------------------
 */

/* Whether a key of the table, which could be typed too, is meant as the table has it. */
static bool is_command(const struct player *player, const char *key) {
    const struct replay *replay = &player->replay;
    bool empty = replay->input[0] == '\0';
    const struct warp_type_info *type = warp_type_info(replay->step.operation.type);
    if (strcmp(key, "Space") == 0)
        return false; /* the replay's prompt knows marks from blanks */
    if (strcmp(key, ".") == 0)
        return empty && !(replay->question.kind == QUESTION_VALUE && type && type->is_floating);
    if (strcmp(key, "q") == 0)
        return empty;
    return true;
}

static void question_key(struct player *player, const char *key) {
    const struct action_info *info = action_for_key_at(ACTION_PLACE_QUESTION, key);
    const struct replay *replay = &player->replay;
    bool empty = replay->input[0] == '\0', set = question_is_set(&replay->question);
    if (strcmp(key, "?") == 0 && empty && set)
        player->replay.help = true; /* elsewhere it says "undefined" */
    else if (strcmp(key, "F1") == 0)
        player->replay.help = true;
    else if (strcmp(key, "a") == 0 && empty && !set)
        toggle_play(player);
    else if (!info || !is_command(player, key) || !act(player, info->action, info->argument))
        replay_gets(player, key);
}

static void exploring_key(struct player *player, const char *key) {
    const struct action_info *info = action_for_key_at(ACTION_PLACE_LESSON, key);
    bool counting = player->replay.counting;
    if (player->replay.prompt != PROMPT_NONE)
        replay_gets(player, key);
    else if (strcmp(key, "Enter") == 0 || (strcmp(key, "Escape") == 0 && !counting))
        come_back(player);
    else if (info && (info->action == ACTION_BEAT_PROMPT || info->action == ACTION_BLACK ||
                      info->action == ACTION_SCROLL_DOWN || info->action == ACTION_SCROLL_UP ||
                      info->action == ACTION_RESTART))
        act(player, info->action, 0);
    else
        replay_gets(player, key);
}

static void lesson_key(struct player *player, const char *key) {
    const struct action_info *info = action_for_key_at(ACTION_PLACE_LESSON, key);
    struct replay *replay = &player->replay;
    if (info && act(player, info->action, info->argument)) {
        if (!player->exploring && replay->prompt == PROMPT_NONE) {
            replay->counting = replay->count_doubtful = false; /* what is typed is no count here */
            replay->count = 0;
        }
        return;
    }
    if (info && explores(info->action) && !explore(player))
        return;
    replay_gets(player, key);
}

/* As a replay's: any key leaves the help screen, some do no more. */
static bool help_takes(struct player *player, const char *key) {
    static const char *const closing[] = {"?", "F1", "q", "Escape", "Enter", "Space", NULL};
    if (!player->replay.help || strcmp(key, "Ctrl-L") == 0)
        return false;
    player->replay.help = false;
    for (int i = 0; closing[i]; i++)
        if (strcmp(key, closing[i]) == 0)
            return true;
    return false;
}

static void press(struct player *player, const char *key) {
    if (strcmp(key, "Ctrl-L") == 0)
        return;
    if (player->black)
        player->black = false;
    else if (help_takes(player, key))
        return;
    else if (player->goto_open)
        goto_key(player, key);
    else if (player->exploring)
        exploring_key(player, key);
    else if (player->state == PLAYER_ASKING)
        question_key(player, key);
    else
        lesson_key(player, key);
}

bool player_key(struct player *player, const char *key) {
    struct player was;
    memcpy(&was, player, sizeof was);
    player->message[0] = '\0';
    player->replay.message[0] = '\0';
    press(player, key);
    finish_if_last(player);
    return strcmp(key, "Ctrl-L") == 0 || changed_since(player, &was);
}
