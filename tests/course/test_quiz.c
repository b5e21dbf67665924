/*
 * A quiz over each lesson's recordings, played for twenty questions by the oracle: all its answers
 * are right, and the quiz gets as hard as it can.
 */
#include "launch/course.h"
#include "oracle.h"
#include "teach/quiz.h"
#include "view/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define QUESTIONS 20

static void type(struct quiz *quiz, const char *text) {
    for (; *text; text++) {
        const char key[2] = {*text, '\0'};
        quiz_key(quiz, quiz_press(quiz, key));
    }
}

static void draw(const struct quiz *quiz, const char *lesson) {
    static const int sizes[][2] = {{80, 24}, {60, 20}, {120, 40}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct grid grid;
        grid_init(&grid, sizes[i][0], sizes[i][1], false);
        view_draw_quiz(&grid, quiz);
        if (grid.failed_to_fit)
            fail_msg("%s: cut at %dx%d", lesson, grid.columns, grid.rows);
        grid_release(&grid);
    }
}

static void play(const char *lesson, const struct trace *trace, uint64_t seed) {
    struct quiz quiz;
    struct error err = ERROR_INIT;
    if (quiz_init(&quiz, trace, seed, 1, &err) != 0)
        return; /* a recording about which nothing can be asked */
    for (unsigned asked = 1; asked <= QUESTIONS; asked++) {
        char answer[ORACLE_TEXT];
        draw(&quiz, lesson);
        oracle_answer(&quiz.replay.cursor.step.operation, &quiz.question, answer);
        type(&quiz, answer);
        quiz_key(&quiz, quiz_press(&quiz, "Enter"));
        if (!quiz.answered || quiz.asked != asked || quiz.right != asked)
            fail_msg("%s, question %u: '%s' was taken for wrong: %s", lesson, asked, answer,
                     quiz.message);
        draw(&quiz, lesson);
        quiz_key(&quiz, quiz_press(&quiz, "Enter"));
    }
    assert_int_equal(quiz.level, QUIZ_LEVELS);
}

static void every_recording_can_be_asked_about(void **state) {
    (void)state;
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        struct course_recordings recordings;
        struct error err = ERROR_INIT;
        if (course_record(lesson, NULL, &recordings, &err) != 0)
            fail_msg("%s: %s", lesson->name, err.text);
        for (size_t run = 0; run < recordings.count; run++)
            play(lesson->name, recordings.traces[run], i * 31 + run);
        course_release(&recordings);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_recording_can_be_asked_about)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
