/*
 * The course as a learner plays it: every built-in lesson in every language, with its own
 * recordings, by keys alone. Right answers come from an oracle of the tests' own; the screen is
 * checked at each moment.
 *
 *     test_course [LESSON]        one lesson; without an argument, all of them
 */
#include "base/message.h"
#include "base/text.h"
#include "launch/course.h"
#include "look.h"
#include "oracle.h"
#include "teach/player.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KEYS_MOST 2000 /* for a lesson from end to end; only a defect reaches it */

static const char *wanted; /* set once by main(), because cmocka passes no arguments to its tests */

/* ---- a lesson being played ---- */

struct play {
    const struct lesson *lesson;
    struct trace **traces;
    size_t language;
    struct player player;
};

static void begin(struct play *play, bool presenting) {
    struct error err = ERROR_INIT;
    const char *code = play->lesson->languages[play->language].code;
    if (player_init(&play->player, play->lesson, play->traces, code, NULL, &err) != 0)
        fail_msg("%s: %s", play->lesson->name, err.text);
    play->player.presenting = presenting;
    if (presenting)
        player_go(&play->player, 0);
    look_at(&play->player);
}

static void end(struct play *play) {
    player_release(&play->player);
}

static void press(struct play *play, const char *key) {
    player_key(&play->player, player_press(&play->player, key));
    look_at(&play->player);
}

/* Key by key; a character of several bytes is one key. */
static void type(struct play *play, const char *text) {
    while (*text) {
        char key[8];
        size_t length = 1;
        while ((text[length] & 0xc0) == 0x80 && length < sizeof key - 1)
            length++;
        memcpy(key, text, length);
        key[length] = '\0';
        player_key(&play->player,
                   player_press(&play->player, strcmp(key, " ") == 0 ? "Space" : key));
        text += length;
    }
    look_at(&play->player);
}

static void go_to(struct play *play, size_t beat) {
    char number[24];
    snprintf(number, sizeof number, ":%zu", beat + 1);
    type(play, number);
    press(play, "Enter");
}

static const struct lesson_beat *beat_of(const struct play *play) {
    return &play->lesson->beats[play->player.beat];
}

static const struct warp_operation *operation_of(const struct play *play) {
    return &play->player.replay.cursor.step.operation;
}

static enum beat_result result_of(const struct play *play) {
    return play->player.results[play->player.beat];
}

static unsigned questions(const struct lesson *lesson) {
    unsigned count = 0;
    for (size_t i = 0; i < lesson->beat_count; i++)
        count += lesson->beats[i].ask.kind != QUESTION_NONE;
    return count;
}

static void expect_state(const struct play *play, enum player_state state, const char *after) {
    if (play->player.state != state)
        look_complain(&play->player, "not as expected after %s", after);
}

/* ---- answering ---- */

static char *right_answer(const struct play *play, char buffer[ORACLE_TEXT]) {
    const struct question *ask = &beat_of(play)->ask;
    struct answer answer;
    if (!question_is_code(ask))
        return oracle_answer(operation_of(play), ask, buffer);
    /* tests/explain/test_snippet.c compares code with values worked out by hand. */
    struct subject subject = replay_subject(&play->player.replay);
    buffer[0] = '\0';
    if (answer_of(subject, ask, &answer, NULL) == 0)
        answer_format(subject, ask, &answer, buffer);
    return buffer;
}

/* Words in the language of the lesson. */
static const char *in_words(const char *answer) {
    static const char *const words[] = {"own", "undefined", "none", "all"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(answer, words[i]) == 0)
            return message(answer);
    return answer;
}

static void move_to_lane(struct play *play, int lane) {
    for (int i = 0; i < 64 && play->player.replay.lane != lane; i++)
        player_key(&play->player,
                   player_press(&play->player, play->player.replay.lane < lane ? "Down" : "Up"));
}

static void mark_lanes(struct play *play, uint32_t lanes) {
    for (int lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) {
            move_to_lane(play, lane);
            player_key(&play->player, player_press(&play->player, "Space"));
        }
    look_at(&play->player);
}

/* In English a set is typed; in other languages it is marked, and words are in that language. */
static void answer_right(struct play *play) {
    char answer[ORACLE_TEXT];
    const struct question *ask = &beat_of(play)->ask;
    bool is_set = question_is_set(ask);
    uint32_t lanes = is_set ? oracle_set(operation_of(play), ask) : 0;
    if (lanes && play->language > 0 && play->player.tries == 0)
        mark_lanes(play, lanes);
    else
        type(play, in_words(right_answer(play, answer)));
    press(play, "Enter");
    if (play->player.state != PLAYER_ANSWERED)
        look_complain(&play->player, "'%s' was taken for wrong: %s", right_answer(play, answer),
                      play->player.message);
}

static bool is_belief(const struct play *play, const char *answer) {
    const struct lesson_text *text = &beat_of(play)->text[play->language];
    for (size_t i = 0; i < text->belief_count; i++)
        if (strcmp(text->beliefs[i].answer, answer) == 0)
            return true;
    return false;
}

/* Code that misses the aim, a wrong choice, or the first line of a file. */
static void wrong_code(const struct play *play, char buffer[ORACLE_TEXT]) {
    static const char *const wrong[] = {"a", "b", "c", "a,b", "b,c"};
    const struct question *ask = &beat_of(play)->ask;
    struct subject subject = replay_subject(&play->player.replay);
    snprintf(buffer, ORACLE_TEXT, "%s",
             ask->kind == QUESTION_CALL    ? "up 31 32"
             : ask->kind == QUESTION_BLANK ? "0"
                                           : "1");
    for (size_t i = 0; ask->kind == QUESTION_WHICH && i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(buffer, ORACLE_TEXT, "%s", wrong[i]);
        if (answer_judge(subject, ask, buffer, 0, NULL) == ANSWER_WRONG && !is_belief(play, buffer))
            return;
    }
}

/* A wrong answer that is not one of the lesson's beliefs. */
static void wrong_answer(const struct play *play, char buffer[ORACLE_TEXT]) {
    const struct question *ask = &beat_of(play)->ask;
    const struct warp_operation *operation = operation_of(play);
    struct oracle_lane lanes[32];
    if (question_is_code(ask)) {
        wrong_code(play, buffer);
        return;
    }
    oracle_shuffle(operation, lanes);
    /* For `any` and `all`, all nonzero numbers are the same answer. */
    if (operation->op == WARP_OP_ANY || operation->op == WARP_OP_ALL) {
        snprintf(buffer, ORACLE_TEXT, "%s", is_belief(play, "own") ? "undefined" : "own");
        return;
    }
    for (unsigned i = 0; i < 64; i++) {
        unsigned number = i % 32;
        bool is_right = false;
        if (ask->kind == QUESTION_SOURCE) {
            is_right = !lanes[ask->lane].undefined && lanes[ask->lane].source == (int)number;
            snprintf(buffer, ORACLE_TEXT, "%u", number);
        } else if (ask->kind == QUESTION_VALUE) {
            bool two = operation->type == WARP_TYPE_HALF2 || operation->type == WARP_TYPE_BFLOAT162;
            snprintf(buffer, ORACLE_TEXT, two ? "%u,3" : "%u", 77000 + number);
        } else {
            oracle_lanes(~oracle_set(operation, ask) ^ i, buffer);
        }
        if (!is_right && !is_belief(play, buffer))
            return;
    }
    fail_msg("no answer is wrong");
}

/* ---- texts ---- */

/* Only letters: no blanks, which depend on the language, and no Markdown. */
static void append_letters(struct text *letters, const char *from) {
    for (; *from; from++)
        if (strncmp(from, "```cuda", 7) == 0)
            from += 6;
        else if (!strchr(" \n\r\t*`\\", *from))
            text_append_char(letters, *from);
}

/* True if `said` is this text of the lesson, up to the first placeholder. */
static bool is_said(const struct prose *said, const char *markdown) {
    struct text written = TEXT_INIT, shown = TEXT_INIT;
    append_letters(&written, markdown);
    for (size_t i = 0; i < said->count; i++)
        for (size_t j = 0; j < said->paragraphs[i].span_count; j++)
            append_letters(&shown, said->paragraphs[i].spans[j].text);
    const char *placeholder = strstr(written.data, "{{");
    size_t length = placeholder ? (size_t)(placeholder - written.data) : written.length;
    bool same = (placeholder || shown.length == written.length) &&
                strncmp(shown.data, written.data, length) == 0;
    text_release(&written);
    text_release(&shown);
    return same;
}

static void expect_said(const struct play *play, const char *markdown, const char *what) {
    const struct prose *said = &play->player.said;
    if (markdown ? !is_said(said, markdown) : said->count == 0)
        look_complain(&play->player, "what is said is not the %s", what);
}

/* True if the text names this lane after `word` ("lane 5"), or names no lane at all. */
static bool names_lane(const char *text, const char *word, int lane) {
    bool names = false;
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length) {
        char *end;
        long number = strtol(at + length, &end, 10);
        if (end == at + length)
            continue;
        if (number == lane)
            return true;
        names = true;
    }
    return !names;
}

/* The question is about the lane that its text names. */
static void expect_question(const struct play *play) {
    const struct question *ask = &beat_of(play)->ask;
    const char *text =
        lesson_part(play->lesson, play->player.beat, play->language, LESSON_QUESTION);
    if (text && ask->kind <= QUESTION_READERS &&
        !(names_lane(text, "lane", ask->lane) && names_lane(text, "通道", ask->lane)))
        look_complain(&play->player, "asks about lane %d, and says: %s", ask->lane, text);
}

/* ---- from beginning to end ---- */

static void expect_progress(const struct play *play, bool all_right) {
    struct lesson_progress progress;
    struct text notes = TEXT_INIT;
    unsigned asked = questions(play->lesson);
    player_progress(&play->player, &progress, &notes);
    text_release(&notes);
    if (!progress.finished || progress.beat[0] || progress.seen != play->lesson->beat_count ||
        progress.beats != play->lesson->beat_count || progress.asked != asked ||
        progress.right != (all_right ? asked : 0))
        look_complain(&play->player, "progress: finished %d, %u of %u beats, %u asked, %u right",
                      progress.finished, progress.seen, progress.beats, progress.asked,
                      progress.right);
}

static void go_on(struct play *play) {
    char before[PLAYER_POSITION_SIZE], after[PLAYER_POSITION_SIZE];
    player_position(&play->player, before);
    press(play, play->language > 0 ? "Space" : "Right");
    if (strcmp(before, player_position(&play->player, after)) == 0)
        look_complain(&play->player, "does not go on: %s", play->player.message);
}

/* Plays to the end, answering with `answer`. */
static void play_through(struct play *play, void (*answer)(struct play *play)) {
    for (int i = 0; i < KEYS_MOST && play->player.state != PLAYER_FINISHED; i++)
        if (play->player.state == PLAYER_ASKING)
            answer(play);
        else
            go_on(play);
    expect_state(play, PLAYER_FINISHED, "going on to the end");
}

static void answer_at_once(struct play *play) {
    expect_question(play);
    if (oracle_disagreement(operation_of(play)))
        look_complain(&play->player, "lanes %#x were recorded otherwise than the rules say",
                      (unsigned)oracle_disagreement(operation_of(play)));
    answer_right(play);
    if (result_of(play) != BEAT_RIGHT)
        look_complain(&play->player, "does not count as right on the first try");
}

static void right_through(struct play *play, bool presenting) {
    begin(play, presenting);
    press(play, "F1");
    press(play, "F1");
    play_through(play, answer_at_once);
    expect_progress(play, true);
    press(play, "Right");
    expect_state(play, PLAYER_FINISHED, "Right at the end");
    press(play, "Enter");
    if (!play->player.quit)
        look_complain(&play->player, "Enter at the end does not leave the lesson");
    end(play);
}

/* ---- wrong answers ---- */

static void begin_at(struct play *play, size_t beat) {
    begin(play, false);
    go_to(play, beat);
    if (play->player.beat != beat)
        look_complain(&play->player, "is not beat %zu", beat + 1);
    expect_state(play, PLAYER_ASKING, "going there");
}

/* Wrong, then the hint, then right. */
static void wrong_then_right(struct play *play, size_t beat, const char *answer,
                             const char *correction, const char *what) {
    begin_at(play, beat);
    type(play, "xyz!");
    press(play, "Enter");
    if (play->player.tries != 0 || play->player.state != PLAYER_ASKING)
        look_complain(&play->player, "'xyz!' was read as an answer");
    for (int i = 0; i < 8; i++)
        player_key(&play->player, player_press(&play->player, "Backspace"));
    type(play, answer);
    press(play, "Enter");
    expect_state(play, PLAYER_ASKING, "a wrong answer");
    if (play->player.tries != 1 || !play->player.correction)
        look_complain(&play->player, "'%s' was not taken for wrong", answer);
    expect_said(play, correction, what);
    press(play, "Tab");
    if (!play->player.hinted)
        look_complain(&play->player, "Tab gives no hint");
    answer_right(play);
    if (result_of(play) != BEAT_HINTED)
        look_complain(&play->player, "does not count as answered with help");
    expect_said(play, lesson_part(play->lesson, beat, play->language, LESSON_ANSWER), "answer");
    end(play);
}

/* After two wrong answers the right one is shown; p then asks the question again. */
static void wrong_twice(struct play *play, size_t beat) {
    char answer[ORACLE_TEXT];
    begin_at(play, beat);
    for (int i = 0; i < 2; i++) {
        wrong_answer(play, answer);
        type(play, answer);
        press(play, "Enter");
    }
    expect_state(play, PLAYER_ANSWERED, "two wrong answers");
    if (result_of(play) != BEAT_REVEALED)
        look_complain(&play->player, "does not count as shown");
    press(play, "p");
    expect_state(play, PLAYER_ASKING, "p");
    answer_right(play);
    if (result_of(play) != BEAT_REVEALED)
        look_complain(&play->player, "counts as more than shown");
    end(play);
}

static void wrong_first(struct play *play) {
    for (size_t beat = 0; beat < play->lesson->beat_count; beat++) {
        const struct lesson_text *text = &play->lesson->beats[beat].text[play->language];
        char answer[ORACLE_TEXT];
        if (play->lesson->beats[beat].ask.kind == QUESTION_NONE)
            continue;
        for (size_t i = 0; i < text->belief_count; i++)
            wrong_then_right(play, beat, text->beliefs[i].answer, text->beliefs[i].text,
                             "belief's");
        begin_at(play, beat);
        wrong_answer(play, answer);
        end(play);
        wrong_then_right(play, beat, answer,
                         question_is_code(&play->lesson->beats[beat].ask)
                             ? NULL /* the effect of the code */
                             : lesson_part(play->lesson, beat, play->language, LESSON_HINT),
                         "hint");
        wrong_twice(play, beat);
    }
}

/* ---- shown, and back ---- */

static void show_me(struct play *play) {
    press(play, "F1");
    press(play, "F1");
    press(play, "Escape");
    expect_state(play, PLAYER_ASKING, "Escape");
    press(play, "Escape");
    expect_state(play, PLAYER_ANSWERED, "a second Escape");
    if (result_of(play) != BEAT_REVEALED)
        look_complain(&play->player, "does not count as shown");
    expect_said(play, lesson_part(play->lesson, play->player.beat, play->language, LESSON_ANSWER),
                "answer");
}

/* Goes from the end to the beginning, beat by beat. */
static void go_back(struct play *play) {
    size_t beat = play->lesson->beat_count - 1;
    for (int i = 0; i < KEYS_MOST; i++) {
        char before[PLAYER_POSITION_SIZE], after[PLAYER_POSITION_SIZE];
        player_position(&play->player, before);
        press(play, "Left");
        if (strcmp(before, player_position(&play->player, after)) == 0)
            break;
        if (play->player.beat != beat && play->player.beat + 1 != beat)
            look_complain(&play->player, "Left leaves out beat %zu", beat);
        beat = play->player.beat;
    }
    if (beat != 0)
        look_complain(&play->player, "Left does not lead to the beginning");
}

static void show_and_go_back(struct play *play, bool presenting) {
    begin(play, presenting);
    play_through(play, show_me);
    expect_progress(play, false);
    go_back(play);
    play_through(play, show_me); /* a settled question is not asked again */
    expect_progress(play, false);
    end(play);
}

/* ---- jumps ---- */

static void expect_beat(const struct play *play, size_t beat) {
    if (play->player.beat != beat || play->player.goto_open)
        look_complain(&play->player, "is not beat %zu", beat + 1);
}

static void jump(struct play *play, bool presenting) {
    size_t count = play->lesson->beat_count;
    begin(play, presenting);
    for (size_t from = 0; from < count; from++)
        for (size_t to = 0; to < count; to++) {
            go_to(play, from);
            expect_beat(play, from);
            go_to(play, to);
            expect_beat(play, to);
        }
    press(play, ":");
    type(play, play->lesson->beats[0].id);
    press(play, "Enter");
    expect_beat(play, 0);
    press(play, ".");
    if (!play->player.black)
        look_complain(&play->player, "the screen is not black");
    press(play, ".");
    end(play);
}

/* ---- by itself ---- */

static void autoplay(struct play *play, bool presenting) {
    unsigned waited = 0;
    begin(play, presenting);
    press(play, "a");
    for (int i = 0; i < KEYS_MOST && play->player.state != PLAYER_FINISHED; i++) {
        long wait = player_wait(&play->player);
        if (play->player.state == PLAYER_ASKING) {
            waited++;
            player_tick(&play->player, 3600000);
            expect_state(play, PLAYER_ASKING, "an hour at a question");
            press(play, "Escape");
            press(play, "Escape");
            expect_state(play, PLAYER_ANSWERED, "Escape");
        } else if (wait < 0) {
            break;
        } else {
            player_tick(&play->player, wait);
            look_at(&play->player);
        }
    }
    expect_state(play, PLAYER_FINISHED, "time alone");
    if (waited != questions(play->lesson))
        look_complain(&play->player, "waited at %u of %u questions", waited,
                      questions(play->lesson));
    end(play);
}

/* ---- a lesson ---- */

static void play_language(struct play *play) {
    message_language_use(play->lesson->languages[play->language].code);
    for (int presenting = 0; presenting < 2; presenting++) {
        right_through(play, presenting);
        show_and_go_back(play, presenting);
        jump(play, presenting);
        autoplay(play, presenting);
    }
    wrong_first(play);
    message_language_use("en");
}

static void play_lesson(const struct lesson *lesson) {
    struct course_recordings recordings;
    struct error err = ERROR_INIT;
    if (course_record(lesson, NULL, &recordings, &err) != 0)
        fail_msg("%s: %s", lesson->name, err.text);
    for (size_t language = 0; language < lesson->language_count; language++) {
        struct play play = {.lesson = lesson, .traces = recordings.traces, .language = language};
        play_language(&play);
    }
    course_release(&recordings);
}

static void every_lesson_is_played_to_its_end(void **state) {
    (void)state;
    size_t played = 0;
    for (size_t i = 0; i < lesson_built_in_count(); i++)
        if (!wanted || strcmp(lesson_built_in(i)->name, wanted) == 0) {
            play_lesson(lesson_built_in(i));
            played++;
        }
    assert_true(played > 0);
    print_message("%zu lessons, %u screens\n", played, look_count());
    assert_int_equal(look_wrong(), 0);
}

/* The languages are those of the program's messages. */
static void every_lesson_is_in_every_language(void **state) {
    (void)state;
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        for (const char *const *code = message_languages(); *code; code++)
            if (strcmp(lesson->languages[lesson_language_find(lesson, *code)].code, *code) != 0)
                fail_msg("%s is not in '%s'", lesson->name, *code);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lesson_is_in_every_language),
        cmocka_unit_test(every_lesson_is_played_to_its_end),
    };
    setlocale(LC_CTYPE, "C.UTF-8"); /* for wcwidth() */
    if (argc > 1)
        wanted = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
