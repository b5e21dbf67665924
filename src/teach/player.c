/* A player's beats: the position, and how to move from it. */
#include "teach/player.h"

#include "base/memory.h"
#include "base/message.h"
#include "teach/scene.h"
#include "teach/stage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_MILLIS 2000 /* how long a picture without words is shown */

/* ---- a beat ---- */

const struct lesson_run *player_changeable_run(const struct player *player) {
    const struct lesson_run *run = &player->lesson->runs[player_beat(player)->show.run];
    return run->kernel && !strchr(run->kernel, '.') ? run : NULL;
}

void player_allow_changes(struct player *player) {
    player->live = true;
    replay_set_live(&player->replay, player_changeable_run(player));
}

/* Sets up the picture of the beat, with the beat's lane and view. */
static bool set_scene(struct player *player) {
    struct error err = ERROR_INIT;
    int speed = player->replay.speed;
    const struct lesson_show *show = &player_beat(player)->show;
    if (scene_open(&player->replay, player->traces[show->run], show, &err) != 0) {
        player_say_error(player, &err);
        return false;
    }
    replay_set_speed(&player->replay, speed);
    replay_set_live(&player->replay, player->live && player_changeable_run(player));
    return true;
}

void player_show_phase(struct player *player, enum phase phase) {
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

/* Sets the state of a beat on arrival, with its question settled or not. */
static void begin(struct player *player, bool at_end) {
    const struct lesson_show *show = &player_beat(player)->show;
    show_line(player, at_end ? player_last_line(player) : 0);
    if (!player_asks(player)) {
        player->state = PLAYER_TELLING;
        player_show_phase(player, at_end ? scene_phase_last(show) : scene_phase_first(show));
    } else if (player->settled) {
        player_settle(player, "");
        player->message[0] = '\0';
        replay_clear_message(&player->replay);
    } else if (player_put_question(player)) {
        bool spoken_first = player->presenting && player->line < player_last_line(player);
        player->state = spoken_first ? PLAYER_TELLING : PLAYER_ASKING;
        if (spoken_first)
            replay_leave_prompt(&player->replay);
    }
    player->reading = player_reading_narration(player);
}

void player_enter(struct player *player, size_t beat, bool at_end) {
    player->beat = beat;
    player->exploring = player->goto_open = player->hinted = player->correction = false;
    player->aside = false;
    player->tries = 0;
    player->scroll = 0;
    player->answer[0] = player->message[0] = '\0';
    player->state = PLAYER_TELLING;
    player->settled = !player_asks(player) || player->results[beat] >= BEAT_REVEALED;
    if (!set_scene(player))
        return;
    player->phase = player->replay.cursor.phase;
    if (player->results[beat] < BEAT_SEEN)
        player->results[beat] = BEAT_SEEN;
    player_make_texts(player);
    begin(player, at_end);
}

void player_finish(struct player *player) {
    player->state = PLAYER_FINISHED;
    player->finished = true;
    player->playing = false;
    player->scroll = 0;
}

/* ---- beginning and end ---- */

/* Checks that the recordings have the content of each beat. */
static int check(const struct player *player, struct error *err) {
    for (size_t i = 0; i < player->lesson->beat_count; i++) {
        const struct lesson_beat *beat = &player->lesson->beats[i];
        const struct trace *trace = player->traces[beat->show.run];
        struct replay replay;
        struct error why = ERROR_INIT;
        if (!trace)
            return error_set(err, ERROR_USAGE, _("part '%s': its recording is missing"), beat->id);
        if (scene_open(&replay, trace, &beat->show, &why) != 0)
            return error_set(err, ERROR_USAGE, _("part '%s': %s"), beat->id, why.text);
    }
    return 0;
}

static bool find_beat(const struct lesson *lesson, const char *id, size_t *beat) {
    const struct lesson_beat *found = lesson_beat_named(lesson, id);
    if (found)
        *beat = (size_t)(found - lesson->beats);
    return found;
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
    player->next = lesson_built_in_after(lesson);
    player->traces = traces;
    player->language = language ? lesson_language_find(lesson, language) : 0;
    if (lesson->beat_count == 0)
        return error_set(err, ERROR_USAGE, _("the lesson has no parts"));
    if (check(player, err) != 0)
        return -1;
    if (beat)
        find_beat(lesson, beat, &first);
    player->results = memory_zeroed(lesson->beat_count, sizeof *player->results);
    player->beat = first;
    player_enter(player, first, false);
    return 0;
}

void player_release(struct player *player) {
    player_texts_release(player);
    free(player->results);
    player->results = NULL;
}

void player_note_end(struct player *player) {
    if (player->beat + 1 == player->lesson->beat_count && player->settled)
        player->finished = true;
}

/* ---- forward and back ---- */

/* Goes to the beat's next phase in that direction; false if there is none. */
static bool step_phase(struct player *player, int direction) {
    const struct lesson_show *show = &player_beat(player)->show;
    int phase = cursor_next_phase(&player->replay.cursor, player->phase, direction);
    if (phase < (int)scene_phase_first(show) || phase > (int)scene_phase_last(show))
        return false;
    player_show_phase(player, (enum phase)phase);
    return true;
}

/* While a wrong answer is being corrected, the panel shows the correction. */
static void say_answer_first(struct player *player) {
    if (player->correction)
        return;
    player_say(player, _("answer first; %s gives a hint, %s shows the answer"),
               action_key(ACTION_MODE_QUESTION, ACTION_HINT),
               action_key(ACTION_MODE_QUESTION, ACTION_REVEAL));
}

void player_go_on(struct player *player) {
    bool tells = player->state == PLAYER_TELLING;
    if (player->state == PLAYER_FINISHED) {
        player_say(player,
                   player->practice && !player->next_first
                       ? _("this is the end: %s opens the exercise, %s goes back")
                   : player->next ? _("this is the end: %s opens the next lesson, %s goes back")
                                  : _("this is the end: %s leaves the lesson, %s goes back"),
                   action_key(ACTION_MODE_LESSON, ACTION_CONTINUE),
                   action_key(ACTION_MODE_LESSON, ACTION_BEAT_PREVIOUS));
    } else if (player->state == PLAYER_ASKING) {
        say_answer_first(player);
    } else if (tells && player->presenting && player->line < player_last_line(player)) {
        show_line(player, player->line + 1);
    } else if (!player->settled) {
        player_open_question(player);
    } else if (step_phase(player, 1)) {
        return;
    } else if (player->mending) {
        player_retry_missed(player, player->beat + 1);
    } else if (player->beat + 1 < player->lesson->beat_count) {
        player_enter(player, player->beat + 1, false);
    } else {
        player_finish(player);
    }
}

void player_go_back(struct player *player) {
    bool spoken_first = player->presenting && player_last_line(player) > 0;
    if (player->state == PLAYER_FINISHED) {
        player_enter(player, player->beat, true);
    } else if (player->settled && step_phase(player, -1)) {
        return;
    } else if (player->state == PLAYER_ASKING && spoken_first) {
        player->state = PLAYER_TELLING;
        replay_leave_prompt(&player->replay);
        show_line(player, player_last_line(player));
    } else if (player->state == PLAYER_TELLING && player->presenting && player->line > 0) {
        show_line(player, player->line - 1);
    } else if (player->beat > 0) {
        player_enter(player, player->beat - 1, true);
    } else {
        player_say(player, "%s", _("this is the beginning"));
    }
}

static bool is_missed(const struct player *player, size_t beat) {
    return lesson_asks(player->lesson, beat) && player->results[beat] < BEAT_HINTED &&
           beat >= player->before_beats;
}

size_t player_missed(const struct player *player, size_t from) {
    size_t count = 0;
    for (size_t i = from; i < player->lesson->beat_count; i++)
        count += is_missed(player, i);
    return count;
}

bool player_retry_missed(struct player *player, size_t from) {
    while (from < player->lesson->beat_count && !is_missed(player, from))
        from++;
    player->mending = from < player->lesson->beat_count;
    if (!player->mending) {
        player_finish(player);
        return false;
    }
    player_enter(player, from, false);
    player_ask_again(player);
    return true;
}

bool player_go(struct player *player, size_t beat) {
    if (beat >= player->lesson->beat_count)
        return false;
    player->mending = false;
    player->black = false;
    replay_close_help(&player->replay);
    player_enter(player, beat, false);
    return true;
}

void player_restart(struct player *player) {
    memset(player->results, 0, player->lesson->beat_count * sizeof *player->results);
    player->before_asked = player->before_right = 0;
    player->before_beats = 0;
    player->mending = false;
    player_enter(player, 0, false);
}

/* ---- exploring ---- */

bool player_explore(struct player *player) {
    if (!player->settled) {
        say_answer_first(player);
        return false;
    }
    player->exploring = true;
    player->playing = false;
    replay_set_picture(&player->replay, 0, 0);
    replay_set_matrix(&player->replay, "", REPLAY_MATRIX_VALUES);
    return true;
}

void player_come_back(struct player *player) {
    char answer[REPLAY_INPUT_SIZE];
    enum phase phase = player->phase;
    player->exploring = false;
    memcpy(answer, player->answer, sizeof answer);
    if (!set_scene(player))
        return;
    if (player_asks(player) && player->state != PLAYER_TELLING)
        player_show_answer(player, answer);
    replay_set_phase(&player->replay, phase);
    replay_clear_message(&player->replay);
}

void player_ask_again(struct player *player) {
    if (!set_scene(player))
        return;
    player_show_phase(player, player->replay.cursor.phase);
    player_open_question(player);
}

/* ---- time ---- */

static long interval(const struct player *player) {
    long time = player->reading > LEAST_MILLIS ? player->reading : LEAST_MILLIS;
    return player->speed >= 0 ? time >> player->speed : time << -player->speed;
}

/* True if the lesson advances with time: at a question it waits for the learner. */
static bool is_advancing(const struct player *player) {
    return player->playing && !player->black && !player->goto_open && !player->exploring &&
           !player->replay.help &&
           (player->state == PLAYER_TELLING || player->state == PLAYER_ANSWERED);
}

bool player_tick(struct player *player, long milliseconds) {
    bool changed = replay_tick(&player->replay, milliseconds);
    if (changed && player->exploring)
        player_take_message(player);
    if (!is_advancing(player))
        return changed;
    player->play_elapsed += milliseconds;
    if (player->play_elapsed < interval(player))
        return changed;
    /* After a long interruption, play continues where it was, one visible stop at a time. */
    player->play_elapsed = 0;
    player->message[0] = '\0';
    player_go_on(player);
    player_note_end(player);
    return true;
}

long player_wait(const struct player *player) {
    long wait = replay_wait(&player->replay);
    if (!is_advancing(player))
        return wait;
    long left = interval(player) - player->play_elapsed;
    left = left > 0 ? left : 0;
    return wait < 0 || left < wait ? left : wait;
}
