/* The position of a player: totals of older files, and valid and invalid positions at the
 * limits. */
#include "teach/player.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Four beats, of which the two in the middle ask a question. */
static const char english[] = "---\ntitle: Xor\nkernel: xor\nlaunch: --mask 3 --width 16\n---\n"
                              "## A {#start}\na\n\nb\n"
                              "## B {#who}\n```ask\nsource of lane 5\n```\nc\n"
                              "## C {#set}\n```ask\nreaders of lane 0\n```\nd\n"
                              "## D {#end}\ne\n";

struct session {
    struct lesson *lesson;
    struct trace *traces[1];
    struct player player;
};

static struct player *open_at(struct session *session, const char *beat) {
    struct error err = ERROR_INIT;
    const struct lesson_source source = {"en", "en.md", english};
    if (lesson_parse(&session->lesson, "test", &source, 1, &err) != 0)
        fail_msg("%s", err.text);
    session->traces[0] = sample_open("xor-3-w16");
    if (player_init(&session->player, session->lesson, session->traces, "en", beat, &err) != 0)
        fail_msg("%s", err.text);
    return &session->player;
}

static void done(struct session *session) {
    player_release(&session->player);
    trace_close(session->traces[0]);
    lesson_free(session->lesson);
}

/* A file's counts beyond its noted questions belong to earlier beats; a question counts once, and
 * no more questions are right than were asked. */
static void totals_of_older_files(void **state) {
    static const struct {
        const char *beat;
        unsigned asked, right;
        const char *questions;
        unsigned asked_now, right_now;
        size_t beats; /* the number that the totals cover */
    } cases[] = {{"end", 0, 0, NULL, 0, 0, 0},        {"end", 1, 1, NULL, 1, 1, 3},
                 {"end", 2, 1, NULL, 2, 1, 3},        {"end", 5, 5, NULL, 2, 2, 3},
                 {"end", 2, 3, NULL, 2, 2, 3},        {"end", 2, 1, "+who", 2, 1, 3},
                 {"end", 2, 2, "+who", 2, 2, 3},      {"end", 1, 0, "+who", 1, 1, 0},
                 {"end", 2, 1, "-who", 2, 1, 3},      {"end", 2, 2, "~who +set", 2, 1, 0},
                 {"end", 2, 0, "-who -set", 2, 0, 0}, {"set", 2, 2, NULL, 1, 1, 2},
                 {"who", 2, 2, NULL, 0, 0, 1},        {"end", 1, 1, "~who", 1, 0, 0},
                 {"end", 3, 1, "-who", 2, 1, 3},      {"set", 2, 1, "+set", 2, 1, 2},
                 {"end", 0, 0, "+who -gone", 1, 1, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct session session;
        struct lesson_progress progress;
        struct text questions = TEXT_INIT;
        char beat[8], noted[16];
        struct lesson_progress before = {
            .beat = strcpy(beat, cases[i].beat), .asked = cases[i].asked, .right = cases[i].right};
        if (cases[i].questions)
            before.questions = strcpy(noted, cases[i].questions);
        struct player *player = open_at(&session, cases[i].beat);
        player_remember(player, &before);
        player_progress(player, &progress, &questions);
        if (progress.asked != cases[i].asked_now || progress.right != cases[i].right_now ||
            player->before_beats != cases[i].beats)
            fail_msg("%zu: %u of %u, of %zu", i, progress.right, progress.asked,
                     player->before_beats);
        assert_string_equal(progress.beat, cases[i].beat);
        assert_int_equal(progress.seen, player->beat + 1);
        assert_int_equal(player_first_unseen(player), player->beat + 1);
        text_release(&questions);
        done(&session);
    }
}

/* A finished lesson is remembered at its end page, with all beats seen. */
static void a_finished_lesson(void **state) {
    struct session session;
    struct lesson_progress progress;
    struct text questions = TEXT_INIT;
    char beat[] = "";
    const struct lesson_progress before = {.beat = beat, .finished = true, .asked = 2, .right = 1};
    struct player *player = open_at(&session, "");
    (void)state;
    player_remember(player, &before);
    assert_int_equal(player->state, PLAYER_FINISHED);
    assert_int_equal(player->before_beats, 4);
    player_progress(player, &progress, &questions);
    assert_true(progress.finished);
    assert_string_equal(progress.beat, "");
    assert_int_equal(progress.seen, 4);
    assert_int_equal(progress.asked, 2);
    assert_int_equal(progress.right, 1);
    text_release(&questions);
    done(&session);
}

/* At the limits of valid values; an invalid position changes nothing. */
static void positions_at_the_edges(void **state) {
    static const struct {
        const char *beat, *line, *state;
        int phase, view, lane, result;
        bool fine;
    } cases[] = {
        {"0 id start", "0", "telling", 0, 0, 0, 0, true},
        {"3 id end", "0", "telling", PHASE_COUNT - 1, VIEW_KIND_COUNT - 1, 31, BEAT_RIGHT, true},
        {"4 id end", "0", "telling", 0, 0, 0, 0, false},
        {"3 id en", "0", "telling", 0, 0, 0, 0, false},
        {"3 id ends", "0", "telling", 0, 0, 0, 0, false},
        {"-1 id end", "0", "telling", 0, 0, 0, 0, false},
        {"0 id start", "0", "telling", -1, 0, 0, 0, false},
        {"0 id start", "0", "telling", PHASE_COUNT, 0, 0, 0, false},
        {"0 id start", "0", "telling", 0, -1, 0, 0, false},
        {"0 id start", "0", "telling", 0, VIEW_KIND_COUNT, 0, 0, false},
        {"0 id start", "0", "telling", 0, 0, -1, 0, false},
        {"0 id start", "0", "telling", 0, 0, 32, 0, false},
        {"0 id start", "0", "telling", 0, 0, 0, -1, false},
        {"0 id start", "0", "telling", 0, 0, 0, BEAT_RIGHT + 1, false},
        {"0 id start", "0", "asking", 0, 0, 0, 0, false},
        {"0 id start", "0", "answered", 0, 0, 0, 0, false},
        {"1 id who", "0", "asking", 0, 0, 0, 0, true},
        {"1 id who", "0", "answered", 0, 0, 0, 0, true},
        {"1 id who", "0", "telling", 0, 0, 0, 0, true},
        {"3 id end", "0", "finished", 0, 0, 0, 0, true},
        {"0 id start", "0", "tellin", 0, 0, 0, 0, false},
        {"0 id start", "x", "telling", 0, 0, 0, 0, false},
    };
    static const enum player_state states[] = {PLAYER_TELLING, PLAYER_ASKING, PLAYER_ANSWERED,
                                               PLAYER_FINISHED};
    static const char *const names[] = {"telling", "asking", "answered", "finished"};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct session session;
        struct error err = ERROR_INIT;
        char was[PLAYER_POSITION_SIZE], now[PLAYER_POSITION_SIZE], text[PLAYER_POSITION_SIZE];
        struct player *player = open_at(&session, "set");
        player_position(player, was);
        snprintf(text, sizeof text,
                 "beat %s line %s state %s phase %d view %d lane %d place 0:0:0:0 tries 0 hint 0 "
                 "explore 0 black 0 result %d marks 0 answer 6\r\n",
                 cases[i].beat, cases[i].line, cases[i].state, cases[i].phase, cases[i].view,
                 cases[i].lane, cases[i].result);
        if (player_follow(player, text, &err) != (cases[i].fine ? 0 : -1))
            fail_msg("%s", text);
        if (cases[i].fine) {
            assert_int_equal(player->beat, cases[i].beat[0] - '0');
            assert_int_equal(player->replay.lane, cases[i].lane);
            assert_int_equal(player->replay.view, cases[i].view);
            for (size_t k = 0; k < COUNT(names); k++)
                if (strcmp(names[k], cases[i].state) == 0)
                    assert_int_equal(player->state, states[k]);
            if (player->state == PLAYER_ASKING || player->state == PLAYER_ANSWERED)
                assert_string_equal(player->answer, "6");
        } else {
            assert_int_equal(err.kind, ERROR_USAGE);
            assert_non_null(strstr(err.text, "is not a position in the lesson test"));
            assert_string_equal(player_position(player, now), was);
        }
        done(&session);
    }
}

/* A line number beyond the narration means its first line; an incomplete number is invalid. */
static void lines_and_ends(void **state) {
    struct session session;
    char text[PLAYER_POSITION_SIZE];
    struct player *player = open_at(&session, NULL);
    (void)state;
    for (unsigned line = 0; line < 4; line++) {
        snprintf(text, sizeof text,
                 "beat 0 id start line %u state telling phase 0 view 0 lane 0 place 0:0:0:0 "
                 "tries 0 hint 0 explore %u black %u result 0 marks 0 answer",
                 line, line % 2, line / 2);
        assert_int_equal(player_follow(player, text, NULL), 0);
        assert_int_equal(player->line, line < 2 ? line : 0); /* "a" and "b" */
        assert_int_equal(player->exploring, line % 2);
        assert_int_equal(player->black, line / 2);
    }
    *strstr(text, " answer") = '\0';
    assert_int_equal(player_follow(player, text, NULL), -1);
    done(&session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_of_older_files),
        cmocka_unit_test(a_finished_lesson),
        cmocka_unit_test(positions_at_the_edges),
        cmocka_unit_test(lines_and_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
