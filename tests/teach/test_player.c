/* Lessons played by key scripts. */
#include "teach/player.h"

#include "keys.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Five beats over two recordings: xor 3 in groups of 16, a sum in five xors and a watched value.
 * Lane 5 reads 5 ^ 3 = 6. After the first round of the sum lane 1 holds 1 + 17 = 18. */
static const char english[] = "---\n"
                              "title: Xor\n"
                              "kernel: xor\n"
                              "launch: --mask 3 --width 16\n"
                              "kernel sum: reduce\n"
                              "launch sum: --width 32\n"
                              "---\n"
                              "\n"
                              "## Everyone has a value {#start}\n"
                              "\n"
                              "```show\n"
                              "phase: before..address\n"
                              "lane: 5\n"
                              "```\n"
                              "\n"
                              "Lane 5 holds {{in 5}}.\n"
                              "\n"
                              "A second line.\n"
                              "\n"
                              "### Notes\n"
                              "\n"
                              "Say five.\n"
                              "\n"
                              "## Who gives? {#who}\n"
                              "\n"
                              "```show\n"
                              "phase: before..after\n"
                              "```\n"
                              "\n"
                              "```ask\n"
                              "source of lane 5\n"
                              "```\n"
                              "\n"
                              "Write 5 in binary.\n"
                              "\n"
                              "### Question\n"
                              "\n"
                              "Whom does lane 5 read?\n"
                              "\n"
                              "### Hint\n"
                              "\n"
                              "5 is 101.\n"
                              "\n"
                              "### If 8\n"
                              "\n"
                              "8 is a sum.\n"
                              "\n"
                              "### Answer\n"
                              "\n"
                              "So it is lane {{source 5}}.\n"
                              "\n"
                              "## Two reads {#set}\n"
                              "\n"
                              "```show\n"
                              "phase: before\n"
                              "lane: 0\n"
                              "```\n"
                              "\n"
                              "```ask\n"
                              "readers of lane 0\n"
                              "```\n"
                              "\n"
                              "Mark them.\n"
                              "\n"
                              "## A round {#round}\n"
                              "\n"
                              "```show\n"
                              "run: sum\n"
                              "step: 2\n"
                              "phase: before..after\n"
                              "lane: 1\n"
                              "hide: out\n"
                              "mark: 0-3\n"
                              "```\n"
                              "\n"
                              "Lane 1 holds {{in 1}}.\n"
                              "\n"
                              "## The end {#end}\n"
                              "\n"
                              "```show\n"
                              "phase: before\n"
                              "```\n"
                              "\n"
                              "That is all.\n";

struct session {
    struct lesson *lesson;
    struct trace *traces[2];
    struct player player;
};

static bool press(void *player, const char *key) {
    return player_key(player, player_press(player, key));
}

static bool pass(void *player, long milliseconds) {
    return player_tick(player, milliseconds);
}

static void go(struct session *session, const char *keys) {
    keys_run(&session->player, press, pass, keys);
}

static void open_at(struct session *session, const char *beat) {
    struct error err = ERROR_INIT;
    struct lesson_source source = {"en", "en.md", english};
    if (lesson_parse(&session->lesson, "test", &source, 1, &err) != 0)
        fail_msg("%s", err.text);
    session->traces[0] = sample_open("xor-3-w16");
    session->traces[1] = sample_open("reduce");
    if (player_init(&session->player, session->lesson, session->traces, "en", beat, &err) != 0)
        fail_msg("%s", err.text);
}

/* The session's player after a key script, from the first beat. */
static struct player *after(struct session *session, const char *keys) {
    open_at(session, NULL);
    go(session, keys);
    return &session->player;
}

static void done(struct session *session) {
    player_release(&session->player);
    trace_close(session->traces[0]);
    trace_close(session->traces[1]);
    lesson_free(session->lesson);
}

static void prose_text(const struct prose *prose, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < prose->count; i++)
        for (size_t k = 0; k < prose->paragraphs[i].span_count; k++)
            length +=
                (size_t)snprintf(buffer + length, size - length, "%s%s",
                                 i > 0 && k == 0 ? " / " : "", prose->paragraphs[i].spans[k].text);
}

static void is_said(const struct prose *prose, const char *text) {
    char buffer[512];
    prose_text(prose, buffer, sizeof buffer);
    assert_string_equal(buffer, text);
}

static void says(const struct player *player, const char *words) {
    if (!strstr(player->message, words))
        fail_msg("said \"%s\", expected \"%s\"", player->message, words);
}

static void right_key_steps_through_lines_phases_and_beats(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        int beat;
        enum player_state state;
        enum phase phase;
    } expected[] = {
        {"", 0, PLAYER_TELLING, PHASE_BEFORE},
        {"Right", 0, PLAYER_TELLING, PHASE_ADDRESS},
        {"Right Right", 1, PLAYER_ASKING, PHASE_BEFORE},
        {"Space Enter", 1, PLAYER_ASKING, PHASE_BEFORE},
        /* A question is not skipped. */
        {"Right Right Right Right PageDown", 1, PLAYER_ASKING, PHASE_BEFORE},
        /* After an answer, the picture is at the reason, and continues from there. */
        {"Right Right 6 Enter", 1, PLAYER_ANSWERED, PHASE_RANGE},
        {"Right Right 6 Enter Right", 1, PLAYER_ANSWERED, PHASE_MOVE},
        {"Right Right 6 Enter Right Right", 1, PLAYER_ANSWERED, PHASE_AFTER},
        {"Right Right 6 Enter Right Right Right", 2, PLAYER_ASKING, PHASE_BEFORE},
        {":4 Enter Right Right Right Right", 3, PLAYER_TELLING, PHASE_AFTER},
        {":4 Enter Right Right Right Right Right", 4, PLAYER_TELLING, PHASE_BEFORE},
        {":5 Enter Right", 4, PLAYER_FINISHED, PHASE_BEFORE},
        {":5 Enter Right Right Right", 4, PLAYER_FINISHED, PHASE_BEFORE},
        /* Going back. */
        {"Left", 0, PLAYER_TELLING, PHASE_BEFORE},
        {"Right Left", 0, PLAYER_TELLING, PHASE_BEFORE},
        {"Right Right Left", 0, PLAYER_TELLING, PHASE_ADDRESS},
        {"Right Right 6 Enter Left", 1, PLAYER_ANSWERED, PHASE_ADDRESS},
        {"Right Right 6 Enter Left Left Left", 0, PLAYER_TELLING, PHASE_ADDRESS},
        {":5 Enter Right Left", 4, PLAYER_TELLING, PHASE_BEFORE},
        {":5 Enter Left", 3, PLAYER_TELLING, PHASE_AFTER},
        /* On return the answer is visible. */
        {"Right Right 6 Enter Right Right Right Left", 1, PLAYER_ANSWERED, PHASE_RANGE},
        /* A question that was skipped by number is still open. */
        {":3 Enter Left", 1, PLAYER_ASKING, PHASE_BEFORE},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct session session;
        const struct player *player = after(&session, expected[i].keys);
        if ((int)player->beat != expected[i].beat || player->state != expected[i].state ||
            player->replay.cursor.phase != expected[i].phase)
            fail_msg("\"%s\": beat %zu, state %d, phase %d", expected[i].keys, player->beat,
                     (int)player->state, (int)player->replay.cursor.phase);
        done(&session);
    }
}

static void texts_come_with_their_values(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, "");
    is_said(&player->narration, "Lane 5 holds 5. / A second line.");
    is_said(&player->notes, "Say five.");
    assert_int_equal(player->replay.lane, 5);
    go(&session, "Right Right");
    is_said(&player->question, "Whom does lane 5 read?");
    is_said(&player->hint, "5 is 101.");
    is_said(&player->notes, "");
    is_said(&player->said, "");
    go(&session, "6 Enter");
    is_said(&player->said, "So it is lane 6.");
    says(player, "6, right: lane 5: 5^3=6: reads lane 6");
    go(&session, ":set Enter");
    is_said(&player->question, "Which lanes read lane 0?");
    assert_true(player->hint.count > 0); /* the program's own hint */
    go(&session, ":4 Enter");
    is_said(&player->narration, "Lane 1 holds 18."); /* 1 + 17 */
    assert_int_equal(player->replay.cursor.position, 1);
    assert_int_equal(player->replay.hide, LESSON_HIDE_OUT);
    assert_int_equal(player->replay.points, 0xf);
    go(&session, ":5 Enter");
    assert_int_equal(player->replay.hide, 0);
    assert_int_equal(player->replay.points, 0);
    done(&session);
}

static void a_wrong_answer_has_a_second_try(void **state) {
    (void)state;
    struct session session;
    /* A known belief is corrected, and nothing is shown yet. */
    struct player *player = after(&session, "Right Right 8 Enter");
    assert_int_equal(player->state, PLAYER_ASKING);
    assert_true(player->correction);
    assert_false(player->hinted);
    assert_int_equal(player->tries, 1);
    is_said(&player->said, "8 is a sum.");
    says(player, "8 is not right");
    assert_string_equal(player->replay.input.text, "");
    assert_int_equal(replay_shown_phase(&player->replay), PHASE_BEFORE);
    go(&session, "6 Enter");
    assert_int_equal(player->state, PLAYER_ANSWERED);
    assert_int_equal(player->results[1], BEAT_HINTED);
    assert_int_equal(player->replay.asking.state, PREDICTION_RIGHT);
    assert_false(player->correction);
    done(&session);
    /* An unknown belief gets the hint. */
    player = after(&session, "Right Right 7 Enter");
    is_said(&player->said, "5 is 101.");
    assert_true(player->hinted);
    go(&session, "9 Enter");
    assert_int_equal(player->state, PLAYER_ANSWERED);
    assert_int_equal(player->results[1], BEAT_REVEALED);
    assert_int_equal(player->replay.asking.state, PREDICTION_WRONG);
    is_said(&player->said, "So it is lane 6.");
    says(player, "9, wrong: lane 5: 5^3=6: reads lane 6");
    done(&session);
    /* A second wrong answer is corrected, too, before the right answer is explained. */
    player = after(&session, "Right Right 7 Enter 8 Enter");
    assert_int_equal(player->state, PLAYER_ANSWERED);
    is_said(&player->said, "8 is a sum. / So it is lane 6.");
    done(&session);
    /* A question that is asked again has two tries again. */
    player = after(&session, "Right Right 8 Enter 9 Enter p");
    assert_int_equal(player->state, PLAYER_ASKING);
    assert_int_equal(player->tries, 0);
    go(&session, "8 Enter");
    assert_int_equal(player->state, PLAYER_ASKING);
    assert_true(player->correction);
    done(&session);
    /* An unreadable answer does not count as a try. */
    player = after(&session, "Right Right 32 Enter");
    assert_int_equal(player->tries, 0);
    says(player, "0 to 31");
    done(&session);
    player = after(&session, "Right Right Enter Enter");
    assert_int_equal(player->tries, 0);
    assert_int_equal(player->state, PLAYER_ASKING);
    done(&session);
}

static void hints_and_answers_can_be_requested(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, "Right Right Tab");
    assert_true(player->hinted);
    assert_int_equal(player->state, PLAYER_ASKING);
    go(&session, "6 Enter");
    assert_int_equal(player->results[1], BEAT_HINTED);
    done(&session);
    player = after(&session, "Right Right Escape Escape");
    assert_int_equal(player->state, PLAYER_ANSWERED);
    assert_int_equal(player->results[1], BEAT_REVEALED);
    assert_int_equal(player->replay.asking.state, PREDICTION_SHOWN);
    assert_int_equal(player->replay.asking.right, 1u << 6);
    is_said(&player->said, "So it is lane 6.");
    /* p repeats the question, for practice: earlier results stay. */
    go(&session, "p");
    assert_int_equal(player->state, PLAYER_ASKING);
    assert_int_equal(replay_shown_phase(&player->replay), PHASE_BEFORE);
    go(&session, "6 Enter");
    assert_int_equal(player->state, PLAYER_ANSWERED);
    assert_int_equal(player->results[1], BEAT_REVEALED);
    done(&session);
    /* At the end p asks the missed questions, one after the other. A right answer at this point
     * counts as found with help, and known questions are not asked. */
    player = after(&session, "Right Right 6 Enter :3 Enter Escape Escape");
    size_t last = player->lesson->beat_count;
    for (int i = 0; i < 99 && player->state != PLAYER_FINISHED; i++) {
        if (player->state == PLAYER_ASKING)
            go(&session, "Escape Escape");
        go(&session, "Right");
    }
    assert_int_equal(player->results[2], BEAT_REVEALED);
    size_t missed = player_missed(player, 0);
    assert_true(missed > 0 && missed < last);
    go(&session, "p");
    assert_int_equal(player->state, PLAYER_ASKING);
    assert_int_equal(player->beat, 2);
    go(&session, "3 Enter");
    assert_int_equal(player->results[2], BEAT_HINTED);
    assert_int_equal(player_missed(player, 0), missed - 1);
    done(&session);
    /* i shows the notes; the next beat is shown without them. */
    player = after(&session, "i");
    assert_true(player->aside);
    go(&session, "Right Right");
    assert_false(player->aside);
    done(&session);
    /* If the answer has no text, the reason is given. */
    player = after(&session, ":3 Enter Escape Escape");
    is_said(&player->said, "lane 3: 3^3=0: reads lane 0");
    done(&session);
}

static void sets_are_typed_marked_and_clicked(void **state) {
    (void)state;
    struct session session;
    /* Only lane 3 reads lane 0, since 3 ^ 3 = 0. */
    struct player *player = after(&session, ":3 Enter Down Down Down Space");
    assert_int_equal(player->replay.asking.marks, 1u << 3);
    assert_string_equal(player->replay.input.text, "3");
    go(&session, "Enter");
    assert_int_equal(player->results[2], BEAT_RIGHT);
    done(&session);
    player = after(&session, ":3 Enter");
    player_apply(player, ACTION_LANE_GO, 3);
    player_apply(player, ACTION_LANE_GO, 4);
    assert_string_equal(player->replay.input.text, "3-4");
    go(&session, "Enter");
    /* A wrong set stays marked, to be corrected. */
    assert_int_equal(player->tries, 1);
    assert_int_equal(player->replay.asking.marks, 3u << 3);
    player_apply(player, ACTION_LANE_GO, 4);
    player_apply(player, ACTION_CONTINUE, 0);
    assert_int_equal(player->state, PLAYER_ANSWERED);
    assert_int_equal(player->results[2], BEAT_HINTED);
    done(&session);
    player = after(&session, ":3 Enter 3 Enter");
    assert_int_equal(player->results[2], BEAT_RIGHT);
    done(&session);
}

static void moving_away_explores_and_enter_returns(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, ":4 Enter Right n");
    assert_true(player->exploring);
    assert_int_equal(player->replay.cursor.position, 2);
    assert_int_equal(player->replay.hide, 0);
    /* While exploring, all keys are those of a replay. */
    go(&session, "Right Right Tab 3j");
    assert_int_equal(player->replay.cursor.phase, PHASE_MOVE);
    assert_int_equal(player->replay.view, VIEW_WIRES);
    assert_int_equal(player->beat, 3);
    go(&session, "Enter");
    assert_false(player->exploring);
    assert_int_equal(player->replay.cursor.position, 1);
    assert_int_equal(player->replay.cursor.phase, PHASE_ADDRESS);
    assert_int_equal(player->replay.hide, LESSON_HIDE_OUT);
    assert_int_equal(player->replay.points, 0xf);
    assert_int_equal(player->replay.lane, 1);
    go(&session, "G Escape Right");
    assert_int_equal(player->beat, 3);
    assert_int_equal(player->replay.cursor.phase, PHASE_RANGE);
    /* While exploring, a learner's own question ends with its answer, and exploring continues. */
    go(&session, "n p 16 Enter");
    assert_true(player->exploring);
    assert_int_equal(player->replay.asking.state, PREDICTION_WRONG);
    go(&session, "Enter");
    assert_false(player->exploring);
    done(&session);
    /* The answer is shown again afterwards. */
    player = after(&session, "Right Right 9 Enter 9 Enter");
    player_apply(player, ACTION_PHASE_GO, PHASE_AFTER); /* the beat itself gets to this phase */
    assert_false(player->exploring);
    go(&session, "g");
    assert_true(player->exploring);
    go(&session, "Enter");
    assert_int_equal(player->state, PLAYER_ANSWERED);
    assert_int_equal(player->replay.asking.state, PREDICTION_WRONG);
    assert_int_equal(player->replay.asking.marks, 1u << 9);
    assert_int_equal(player->replay.cursor.phase, PHASE_AFTER);
    done(&session);
    /* Nothing ahead is shown while a question is open. */
    player = after(&session, "Right Right");
    player_apply(player, ACTION_PHASE_GO, PHASE_AFTER);
    player_apply(player, ACTION_OPERATION_NEXT, 1);
    player_apply(player, ACTION_PHASE_NEXT, 1);
    assert_false(player->exploring);
    assert_int_equal(player->state, PLAYER_ASKING);
    assert_int_equal(replay_shown_phase(&player->replay), PHASE_BEFORE);
    assert_true(replay_hides(&player->replay, REPLAY_HIDES_OUT));
    done(&session);
}

static void beats_are_reached_by_number_and_name(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, ":");
    assert_true(player->goto_open);
    go(&session, "Escape");
    assert_false(player->goto_open);
    go(&session, ":2 Enter");
    assert_int_equal(player->beat, 1);
    assert_int_equal(player->state, PLAYER_ASKING);
    go(&session, ":end Enter"); /* a question can be left this way, too */
    assert_int_equal(player->beat, 4);
    go(&session, ":6 Enter");
    says(player, "6: parts are numbered 1 to 5");
    assert_int_equal(player->beat, 4);
    go(&session, ":0 Enter");
    says(player, "1 to 5");
    go(&session, ":12 Backspace Enter");
    assert_int_equal(player->beat, 0);
    go(&session, ": Enter");
    assert_int_equal(player->beat, 0);
    assert_false(player->goto_open);
    player_apply(player, ACTION_BEAT_GO, 3);
    assert_int_equal(player->beat, 3);
    assert_false(player_go(player, 5));
    done(&session);
}

static void the_screen_can_be_black(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, ".");
    assert_true(player->black);
    go(&session, "Right"); /* any key only brings back the picture */
    assert_false(player->black);
    assert_int_equal(player->replay.cursor.phase, PHASE_BEFORE);
    go(&session, ":2 Enter . .");
    assert_false(player->black);
    assert_int_equal(player->state, PLAYER_ASKING);
    done(&session);
}

static void a_presentation_speaks_line_by_line(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, "");
    player->presenting = true;
    go(&session, "Right");
    assert_int_equal(player->line, 1);
    assert_int_equal(player->replay.cursor.phase, PHASE_BEFORE);
    go(&session, "Right");
    assert_int_equal(player->replay.cursor.phase, PHASE_ADDRESS);
    go(&session, "Left Left");
    assert_int_equal(player->line, 0);
    assert_int_equal(player->replay.cursor.phase, PHASE_BEFORE);
    done(&session);
}

static void autoplay_goes_at_reading_speed(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, "");
    assert_int_equal(player_wait(player), -1);
    go(&session, "a");
    /* "Lane 5 holds 5." and "A second line." are 29 letters: 1.93 s; the minimum is 2 s. */
    assert_int_equal(player_wait(player), 2000);
    go(&session, "+1999ms");
    assert_int_equal(player->replay.cursor.phase, PHASE_BEFORE);
    go(&session, "+1ms");
    assert_int_equal(player->replay.cursor.phase, PHASE_ADDRESS);
    assert_int_equal(player_wait(player), 2000); /* a picture without new words */
    go(&session, "+2000ms");
    assert_int_equal(player->state, PLAYER_ASKING);
    /* The player waits for the class as long as necessary. */
    assert_int_equal(player_wait(player), -1);
    go(&session, "+900000ms");
    assert_int_equal(player->state, PLAYER_ASKING);
    go(&session, "6 Enter");
    assert_int_equal(player_wait(player), 2000);
    go(&session, "+");
    assert_int_equal(player_wait(player), 1000);
    go(&session, "- - -");
    assert_int_equal(player_wait(player), 8000);
    go(&session, "+ +");
    assert_int_equal(player->speed, 0);
    go(&session, "a");
    assert_false(player->playing);
    assert_int_equal(player_wait(player), -1);
    /* Plays to the end, and no further. */
    go(&session, ":4 Enter a +2000ms +2000ms +2000ms +2000ms +2000ms");
    assert_int_equal(player->beat, 4);
    go(&session, "+2000ms");
    assert_int_equal(player->state, PLAYER_FINISHED);
    assert_false(player->playing);
    done(&session);
    /* A black screen, help, the prompt and exploring pause the lesson. */
    player = after(&session, "a .");
    assert_int_equal(player_wait(player), -1);
    go(&session, ". ?");
    assert_int_equal(player_wait(player), -1);
    go(&session, "? :");
    assert_int_equal(player_wait(player), -1);
    go(&session, "Escape n");
    assert_int_equal(player_wait(player), -1);
    done(&session);
}

/* 15 letters or 5 Chinese characters a second; 。 and full-width digits count as Chinese, too. */
static void reading_time_depends_on_the_script(void **state) {
    (void)state;
    static const struct {
        const char *text;
        long milliseconds;
    } expected[] = {{"abcde fghij.klm", 1000},
                    {"abc", 200},
                    {"每个通道读", 1000},
                    {"每个通道读它的邻居。", 2000},
                    {"\xef\xbc\x95 lane", 200 + 5 * 1000 / 15},
                    {"每个通道读abc", 1200}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char lesson[400];
        struct session session;
        struct error err = ERROR_INIT;
        struct lesson_source source = {"en", "en.md", lesson};
        snprintf(lesson, sizeof lesson,
                 "---\ntitle: T\nkernel: xor\nlaunch: --mask 3\n---\n\n## A {#a}\n\n%s\n",
                 expected[i].text);
        if (lesson_parse(&session.lesson, "test", &source, 1, &err) != 0)
            fail_msg("%s", err.text);
        session.traces[0] = sample_open("xor-3-w16");
        session.traces[1] = NULL;
        assert_int_equal(
            player_init(&session.player, session.lesson, session.traces, "en", NULL, &err), 0);
        assert_int_equal(session.player.reading, expected[i].milliseconds);
        done(&session);
    }
}

/* The key for the class works only on a screen with a class: a player alone ignores it. */
static void keys_without_effect_do_not_redraw(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, "");
    assert_false(player_key(player, player_press(player, "@")));
    assert_false(player_key(player, player_press(player, "Escape")));
    assert_true(player_key(player, player_press(player, "Ctrl-L")));
    assert_true(player_key(player, player_press(player, "+")));
    assert_true(player_key(player, player_press(player, "G")));
    assert_false(player_key(player, player_press(player, "G"))); /* already at the end */
    done(&session);
}

/* After a jump to the end the lesson is not finished; next time, the skipped part is shown. */
static void a_jump_to_the_end_finishes_nothing(void **state) {
    (void)state;
    struct session session;
    struct lesson_progress progress;
    struct text questions = TEXT_INIT;
    struct player *player = after(&session, ":5 Enter Right Right Right Right");
    assert_int_equal(player->state, PLAYER_FINISHED);
    assert_true(player_first_unseen(player) < player->lesson->beat_count);
    player_progress(player, &progress, &questions);
    assert_int_equal(progress.seen, 2);
    assert_int_equal(progress.asked, 0);
    assert_false(progress.finished);
    assert_string_equal(progress.beat, "who");
    done(&session);
    text_release(&questions);
}

static void results_are_kept(void **state) {
    (void)state;
    struct session session;
    struct lesson_progress progress;
    struct text questions = TEXT_INIT;
    struct player *player = after(&session, "Right Right 6 Enter");
    player_progress(player, &progress, &questions);
    assert_string_equal(progress.lesson, "test");
    assert_string_equal(progress.beat, "who");
    assert_int_equal(progress.beats, 5);
    assert_int_equal(progress.seen, 2);
    assert_int_equal(progress.asked, 1);
    assert_int_equal(progress.right, 1);
    assert_false(progress.finished);
    go(&session, ":3 Enter 4 Enter 4 Enter Right Right Right Right Right Right");
    player_progress(player, &progress, &questions);
    assert_int_equal(progress.seen, 5);
    assert_int_equal(progress.asked, 2);
    assert_int_equal(progress.right, 1);
    assert_true(progress.finished);
    assert_string_equal(progress.questions, "+who -set");
    go(&session, "Right");
    player_progress(player, &progress, &questions);
    assert_string_equal(progress.beat, "");
    go(&session, "Enter");
    assert_true(player->quit);
    done(&session);
    /* Later the lesson continues from there. */
    open_at(&session, "set");
    assert_int_equal(session.player.beat, 2);
    struct lesson_progress before = {.beat = (char *)"set", .asked = 1, .right = 1};
    player_remember(&session.player, &before);
    go(&session, "3 Enter");
    player_progress(&session.player, &progress, &questions);
    assert_int_equal(progress.seen, 3);
    assert_int_equal(progress.asked, 2);
    assert_int_equal(progress.right, 2);
    done(&session);
    /* The lesson has fewer questions before that beat than it once had. */
    open_at(&session, "set");
    before = (struct lesson_progress){.beat = (char *)"set", .asked = 4, .right = 3};
    player_remember(&session.player, &before);
    player_progress(&session.player, &progress, &questions);
    assert_int_equal(progress.asked, 1);
    assert_int_equal(progress.right, 1);
    done(&session);
    text_release(&questions);
}

/* Questions that were missed in an earlier session are asked again: a finished lesson begins at its
 * end page, which asks them. */
static void missed_questions_come_back(void **state) {
    (void)state;
    struct session session;
    struct lesson_progress progress;
    struct text questions = TEXT_INIT;
    struct lesson_progress before = {.beat = (char *)"",
                                     .finished = true,
                                     .asked = 2,
                                     .right = 1,
                                     .questions = (char *)"+who -set -gone"};
    open_at(&session, "");
    struct player *player = &session.player;
    player_remember(player, &before);
    assert_int_equal(player->state, PLAYER_FINISHED);
    assert_int_equal(player_missed(player, 0), 1);
    go(&session, "Left");
    assert_int_equal(player->beat, 4); /* the last beat */
    go(&session, "Right p");
    assert_int_equal(player->state, PLAYER_ASKING);
    assert_int_equal(player->beat, 2);
    go(&session, "3 Enter Right");
    assert_int_equal(player->state, PLAYER_FINISHED);
    assert_int_equal(player_missed(player, 0), 0);
    player_progress(player, &progress, &questions);
    assert_string_equal(progress.questions, "+who ~set");
    assert_int_equal(progress.right, 1);
    go(&session, "R"); /* from the beginning: every question is asked */
    assert_int_equal(player->beat, 0);
    player_progress(player, &progress, &questions);
    assert_string_equal(progress.questions, "");
    done(&session);
    /* In the middle of a lesson, answered questions stay answered, and skipped ones count as
     * missed. */
    open_at(&session, "round");
    before = (struct lesson_progress){
        .beat = (char *)"round", .asked = 1, .right = 1, .questions = (char *)"+who"};
    player_remember(player, &before);
    assert_int_equal(player->beat, 3);
    assert_int_equal(player_missed(player, 0), 1);
    player_progress(player, &progress, &questions);
    assert_int_equal(progress.asked, 1);
    assert_int_equal(progress.right, 1);
    done(&session);
    text_release(&questions);
}

/* A view chosen while looking around ends with the next beat, which has the view that its
 * author chose; a question that is asked again and answered correctly counts as right. */
static void looking_around_has_no_lasting_effect(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, "Right Right 6 Enter 4");
    assert_int_equal(player->replay.view, VIEW_SOURCE);
    for (int i = 0; i < 9 && player->beat == 1; i++)
        go(&session, "Right");
    assert_int_equal(player->beat, 2);
    assert_int_equal(player->replay.view, VIEW_LANES);
    done(&session);
    player = after(&session, "Right Right Escape Escape");
    assert_int_equal(player->replay.asking.state, PREDICTION_SHOWN);
    go(&session, "p 6 Enter");
    assert_int_equal(player->replay.asking.state, PREDICTION_RIGHT);
    says(player, "6, right");
    done(&session);
}

/* Input is not lost: a letter that is a key elsewhere is typed, help opens and closes, Escape
 * clears the input before it asks for confirmation. */
static void typing_comes_before_keys(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, "Right Right 1 q");
    assert_false(player->quit);
    assert_string_equal(player->replay.input.text, "1q");
    go(&session, "F1");
    assert_true(player->replay.help);
    go(&session, "F1");
    assert_false(player->replay.help);
    assert_string_equal(player->replay.input.text, "1q");
    go(&session, "Escape");
    assert_string_equal(player->replay.input.text, "");
    assert_int_equal(player->state, PLAYER_ASKING);
    go(&session, "?");
    assert_true(player->replay.help);
    go(&session, "? q");
    assert_true(player->quit);
    done(&session);
    /* There is one page of keys, even where the kernel can be changed. */
    player = after(&session, "");
    replay_set_live(&player->replay, true);
    go(&session, "? ?");
    assert_false(player->replay.help);
    done(&session);
    /* A blank at the beginning of an answer is ignored, so that it need not be deleted; a blank
     * within an answer is typed. */
    player = after(&session, "Right Right Space Space");
    assert_string_equal(player->replay.input.text, "");
    go(&session, "1 Space");
    assert_string_equal(player->replay.input.text, "1 ");
    go(&session, "Escape Space Escape Escape");
    assert_int_equal(player->replay.asking.state, PREDICTION_SHOWN);
    done(&session);
}

/* The collected results: the first result of each question, and whether a later answer was
 * right. */
static void answers_are_collected(void **state) {
    (void)state;
    struct session session;
    struct results kept = {0};
    open_at(&session, NULL);
    session.player.kept = &kept;
    go(&session, "Right Right 32 Enter Escape 8 Enter 6 Enter"); /* 32 is not a lane: no answer */
    go(&session, ":3 Enter Escape Escape");
    assert_int_equal(results_settled(&kept), 2);
    const struct result *who = &kept.result[0], *set = &kept.result[1];
    assert_string_equal(who->where, "who");
    assert_string_equal(who->question, "source of lane 5");
    assert_string_equal(who->op, "xor");
    assert_int_equal(who->answers, 2);
    assert_string_equal(who->answer[0], "8");
    assert_string_equal(who->answer[1], "6");
    assert_string_equal(who->right, "6");
    assert_true(who->is_right);
    assert_false(who->first_try || who->hinted || who->shown);
    assert_string_equal(set->where, "set");
    assert_string_equal(set->right, "3");
    assert_int_equal(set->answers, 0);
    assert_true(set->shown);
    assert_false(set->is_right || set->mended);
    go(&session, "p 3 Enter"); /* asked again */
    assert_int_equal(results_settled(&kept), 2);
    assert_true(kept.result[1].mended);
    assert_false(kept.result[1].is_right);
    assert_int_equal(kept.result[1].answers, 0);
    results_release(&kept);
    done(&session);
    /* A right answer on the first try differs from a right answer after a hint. */
    open_at(&session, NULL);
    session.player.kept = &kept;
    go(&session, "Right Right 6 Enter :3 Enter Tab 3 Enter");
    assert_int_equal(kept.count, 2);
    assert_true(kept.result[0].first_try);
    assert_true(kept.result[1].is_right && kept.result[1].hinted);
    assert_false(kept.result[1].first_try);
    results_release(&kept);
    done(&session);
}

static void a_second_terminal_follows(void **state) {
    (void)state;
    static const char *const scripts[] = {
        "",
        "Right",
        "Right Right",
        "Right Right Tab",
        "Right Right 8 Enter",
        "Right Right 7 Enter 9 Enter",
        "Right Right 6 Enter Right 2 Escape Escape Escape",
        "Right Right Escape Escape",
        ":3 Enter Down Space Down Space",
        ":4 Enter Right n Right j j",
        ":4 Enter Right",
        ":5 Enter Right",
        "Right .",
    };
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct session first, second;
        char position[PLAYER_POSITION_SIZE], again[PLAYER_POSITION_SIZE];
        struct error err = ERROR_INIT;
        const struct player *leader = after(&first, scripts[i]);
        struct player *follower = after(&second, "Right Right 4 Enter");
        player_position(leader, position);
        if (player_follow(follower, position, &err) != 0)
            fail_msg("%s", err.text);
        assert_string_equal(player_position(follower, again), position);
        assert_int_equal(follower->state, leader->state);
        assert_int_equal(follower->black, leader->black);
        assert_int_equal(follower->replay.asking.state, leader->replay.asking.state);
        assert_int_equal(follower->replay.asking.marks, leader->replay.asking.marks);
        assert_int_equal(replay_shown_phase(&follower->replay),
                         replay_shown_phase(&leader->replay));
        char a[512], b[512];
        prose_text(&leader->said, a, sizeof a);
        prose_text(&follower->said, b, sizeof b);
        assert_string_equal(a, b);
        done(&first);
        done(&second);
    }
}

/* Lanes can be marked only where a set is asked for. */
static void a_follower_marks_no_lanes_of_a_source(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, "Right Right");
    char position[PLAYER_POSITION_SIZE];
    assert_int_equal(player->replay.asking.question.kind, QUESTION_SOURCE);
    player_position(player, position);
    char *marks = strstr(position, "marks 0");
    assert_non_null(marks);
    marks[strlen("marks ")] = 'f';
    assert_int_equal(player_follow(player, position, NULL), 0);
    assert_int_equal(player->replay.asking.marks, 0);
    assert_string_equal(player->replay.input.text, "");
    done(&session);
}

static void an_invalid_position_is_refused(void **state) {
    (void)state;
    struct session session;
    struct player *player = after(&session, "Right");
    char was[PLAYER_POSITION_SIZE], now[PLAYER_POSITION_SIZE], bad[PLAYER_POSITION_SIZE];
    static const char *const replacements[][2] = {
        {"beat 0", "beat 9"},   {"id start", "id other"}, {"state telling", "state asleep"},
        {"phase 1", "phase 7"}, {"lane 5", "lane 32"},    {"state telling", "state asking"},
    };
    player_position(player, was);
    for (size_t i = 0; i < sizeof replacements / sizeof *replacements; i++) {
        const char *at = strstr(was, replacements[i][0]);
        assert_non_null(at);
        snprintf(bad, sizeof bad, "%.*s%s%s", (int)(at - was), was, replacements[i][1],
                 at + strlen(replacements[i][0]));
        struct error err = ERROR_INIT;
        assert_int_equal(player_follow(player, bad, &err), -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_string_equal(player_position(player, now), was);
    }
    assert_int_equal(player_follow(player, "", NULL), -1);
    assert_int_equal(player_follow(player, "beat 0 id start", NULL), -1);
    done(&session);
}

/* A small random number generator, so that a failure can be repeated (Numerical Recipes'
 * constants). */
static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* After any random keys the beat exists, the answer to an open question is hidden, and another
 * player can follow the position. */
static void no_keys_break_it(void **state) {
    (void)state;
    static const char *const keys[] = {
        "Right",   "Right", "Left", "Space", "Enter",     "Enter",    "Escape", "Tab",
        "BackTab", "Down",  "Up",   "n",     "N",         "w",        "b",      "p",
        "/",       ";",     "?",    "F1",    ":",         ".",        "a",      "+",
        "-",       "1",     "2",    "3",     "6",         "0",        "J",      "K",
        "o",       "u",     "R",    "j",     "g",         "G",        "Ctrl-L", "x",
        "Home",    "End",   "=",    ",",     "Backspace", "PageDown", "PageUp"};
    uint32_t seed = 7;
    struct session session, second;
    struct player *player = after(&session, ""), *follower = after(&second, "");
    for (int i = 0; i < 20000; i++) {
        char position[PLAYER_POSITION_SIZE], again[PLAYER_POSITION_SIZE];
        struct error err = ERROR_INIT;
        uint32_t drawn = next_random(&seed);
        if (i % 1000 == 0)
            player->presenting = !player->presenting;
        if (drawn % 10 == 0)
            player_apply(player, (enum action)(drawn / 16 % ACTION_COUNT),
                         (long)(next_random(&seed) % 40) - 2);
        else
            player_key(player, player_press(player, keys[drawn % (sizeof keys / sizeof *keys)]));
        player_tick(player, (long)(next_random(&seed) % 900));
        assert_true(player->beat < 5);
        assert_true(player->replay.cursor.has_step);
        assert_true(player->scroll >= 0);
        if (!player->settled)
            assert_int_equal(player->replay.asking.state, PREDICTION_ASKED);
        if (!player->settled)
            assert_int_equal(replay_shown_phase(&player->replay), PHASE_BEFORE);
        assert_int_equal(player->state == PLAYER_ASKING,
                         !player->exploring && player->replay.input.prompt == PROMPT_PREDICT);
        player_position(player, position);
        if (player_follow(follower, position, &err) != 0)
            fail_msg("%d: %s", i, err.text);
        assert_string_equal(player_position(follower, again), position);
        player->quit = false;
    }
    done(&session);
    done(&second);
}

static void a_recording_that_lacks_a_beat_is_refused(void **state) {
    (void)state;
    struct session session;
    struct error err = ERROR_INIT;
    after(&session, "");
    struct trace *one[2] = {session.traces[0], session.traces[0]}, *none[2] = {one[0], NULL};
    struct player player;
    assert_int_equal(player_init(&player, session.lesson, one, "en", NULL, &err), -1);
    assert_non_null(strstr(err.text, "part 'round'"));
    player_release(&player);
    assert_int_equal(player_init(&player, session.lesson, none, "en", NULL, &err), -1);
    assert_non_null(strstr(err.text, "missing"));
    player_release(&player);
    done(&session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_key_steps_through_lines_phases_and_beats),
        cmocka_unit_test(texts_come_with_their_values),
        cmocka_unit_test(a_wrong_answer_has_a_second_try),
        cmocka_unit_test(hints_and_answers_can_be_requested),
        cmocka_unit_test(sets_are_typed_marked_and_clicked),
        cmocka_unit_test(moving_away_explores_and_enter_returns),
        cmocka_unit_test(beats_are_reached_by_number_and_name),
        cmocka_unit_test(the_screen_can_be_black),
        cmocka_unit_test(a_presentation_speaks_line_by_line),
        cmocka_unit_test(autoplay_goes_at_reading_speed),
        cmocka_unit_test(reading_time_depends_on_the_script),
        cmocka_unit_test(keys_without_effect_do_not_redraw),
        cmocka_unit_test(a_jump_to_the_end_finishes_nothing),
        cmocka_unit_test(results_are_kept),
        cmocka_unit_test(missed_questions_come_back),
        cmocka_unit_test(looking_around_has_no_lasting_effect),
        cmocka_unit_test(typing_comes_before_keys),
        cmocka_unit_test(answers_are_collected),
        cmocka_unit_test(a_second_terminal_follows),
        cmocka_unit_test(a_follower_marks_no_lanes_of_a_source),
        cmocka_unit_test(an_invalid_position_is_refused),
        cmocka_unit_test(no_keys_break_it),
        cmocka_unit_test(a_recording_that_lacks_a_beat_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
