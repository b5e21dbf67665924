/*
 * The effect of each action on a quiz, and of answers on its score. The recording is one xor with
 * mask 3 in groups of 16, so a lane's source is obvious.
 */
#include "teach/quiz.h"

#include "explain/answer.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ANSWERED = 1, HINTED = 2, HELPS = 4, QUITS = 8 };

static unsigned flags_of(const struct quiz *quiz) {
    return (quiz->answered ? ANSWERED : 0u) | (quiz->hinted ? HINTED : 0u) |
           (quiz->replay.help ? HELPS : 0u) | (quiz->quit ? QUITS : 0u);
}

static const char stay[] = "answer first; Tab gives a hint, Escape shows the answer",
                  next[] = "Enter asks the next question",
                  once_more[] = "Escape once more shows the answer";

/* A row begins with an open question, or with a shown answer. ANY means any phase. */
#define ANY (-1)
static const struct {
    bool answered;
    enum action action;
    long argument;
    bool changed;
    unsigned flags;
    int phase;
    const char *message; /* NULL: any message */
} rows[] = {
    {false, ACTION_NONE, 0, false, 0, PHASE_BEFORE, ""},
    {false, ACTION_REDRAW, 0, true, 0, PHASE_BEFORE, ""},
    {false, ACTION_CANCEL, 0, false, 0, PHASE_BEFORE, ""},
    {false, ACTION_HINT, 0, true, HINTED, PHASE_BEFORE, ""},
    {false, ACTION_REVEAL, 0, true, 0, PHASE_BEFORE, once_more},
    {false, ACTION_QUIT, 0, true, QUITS, PHASE_BEFORE, ""},
    {false, ACTION_HELP, 0, true, HELPS, PHASE_BEFORE, ""},
    {false, ACTION_CONTINUE, 0, true, 0, PHASE_BEFORE, NULL}, /* nothing is typed */
    {false, ACTION_PHASE_NEXT, 1, true, 0, PHASE_BEFORE, stay},
    {false, ACTION_PHASE_PREVIOUS, 1, true, 0, PHASE_BEFORE, stay},
    {false, ACTION_PHASE_GO, 4, true, 0, PHASE_BEFORE, stay},
    {false, ACTION_OPERATION_NEXT, 1, true, 0, PHASE_BEFORE, stay},
    {true, ACTION_NONE, 0, true, ANSWERED, ANY, ""}, /* the message disappears */
    {true, ACTION_HINT, 0, true, ANSWERED, ANY, ""},
    {true, ACTION_REVEAL, 0, true, ANSWERED, ANY, ""},
    {true, ACTION_CONTINUE, 0, true, 0, PHASE_BEFORE, ""},
    {true, ACTION_OPERATION_NEXT, 1, true, ANSWERED, ANY, next},
    {true, ACTION_PHASE_GO, 0, true, ANSWERED, PHASE_BEFORE, ""},
    {true, ACTION_PHASE_GO, 1, true, ANSWERED, PHASE_ADDRESS, ""},
    {true, ACTION_PHASE_GO, 4, true, ANSWERED, PHASE_AFTER, ""},
    {true, ACTION_PHASE_GO, 5, true, ANSWERED, PHASE_RANGE, ""},
    {true, ACTION_PHASE_GO, -1, true, ANSWERED, PHASE_RANGE, ""},
    {true, ACTION_PHASE_NEXT, 1, true, ANSWERED, PHASE_MOVE, ""},
    {true, ACTION_PHASE_PREVIOUS, 1, true, ANSWERED, PHASE_ADDRESS, ""},
    {true, ACTION_QUIT, 0, true, ANSWERED | QUITS, ANY, ""},
};

static struct trace *begin(struct quiz *quiz, int level) {
    struct trace *trace = sample_open("xor-3-w16");
    assert_int_equal(quiz_init(quiz, trace, 7, level, NULL), 0);
    return trace;
}

static void end(struct quiz *quiz, struct trace *trace) {
    quiz_release(quiz);
    trace_close(trace);
}

static void reveal(struct quiz *quiz) {
    quiz_apply(quiz, ACTION_REVEAL, 0);
    quiz_apply(quiz, ACTION_REVEAL, 0);
    assert_true(quiz->answered);
}

static void each_action(void **state) {
    (void)state;
    bool failed = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct quiz quiz;
        struct trace *trace = begin(&quiz, 1);
        if (rows[i].answered)
            reveal(&quiz);
        const bool changed = quiz_apply(&quiz, rows[i].action, rows[i].argument);
        if (changed != rows[i].changed || flags_of(&quiz) != rows[i].flags ||
            (rows[i].phase != ANY && (int)quiz.replay.cursor.phase != rows[i].phase) ||
            (rows[i].message && strcmp(quiz.message, rows[i].message) != 0)) {
            print_error("row %zu: changed %d, flags %u, phase %d, \"%s\"\n", i, changed,
                        flags_of(&quiz), (int)quiz.replay.cursor.phase, quiz.message);
            failed = true;
        }
        end(&quiz, trace);
    }
    assert_false(failed);
}

static void answer_right(struct quiz *quiz) {
    char text[ANSWER_TEXT];
    struct answer answer;
    assert_int_equal(answer_of(replay_subject(&quiz->replay), &quiz->question, &answer, NULL), 0);
    answer_format(replay_subject(&quiz->replay), &quiz->question, &answer, text);
    assert_true(quiz_answer(quiz, text));
}

/* r right, s shown, h right after a hint, t right on the second try, w wrong twice. */
static void play(struct quiz *quiz, char how) {
    if (how == 's') {
        reveal(quiz);
        return;
    }
    if (how == 'h')
        quiz_apply(quiz, ACTION_HINT, 0);
    for (int tries = how == 't' ? 1 : how == 'w' ? 2 : 0; tries > 0; tries--)
        quiz_answer(quiz, "undefined"); /* nothing in this recording is undefined */
    if (how != 'w')
        answer_right(quiz);
}

static void the_score(void **state) {
    static const struct {
        const char *played;
        unsigned asked, right, row;
        int level; /* begins at 2: level 2 has no questions here, so those of level 1 are asked */
        bool was_right;
    } cases[] = {
        {"r", 1, 1, 1, 2, true},      {"rr", 2, 2, 2, 2, true},   {"rrr", 3, 3, 3, 3, true},
        {"rrrr", 4, 4, 4, 3, true},   {"s", 1, 0, 0, 2, false},   {"ss", 2, 0, 0, 1, false},
        {"srs", 3, 1, 0, 2, false},   {"rsrr", 4, 3, 2, 2, true}, {"h", 1, 0, 0, 2, true},
        {"rrh", 3, 2, 0, 2, true},    {"rrhr", 4, 3, 1, 2, true}, {"t", 1, 0, 0, 2, true},
        {"rrtrrr", 6, 5, 3, 3, true}, {"w", 1, 0, 0, 2, false},   {"ww", 2, 0, 0, 1, false},
        {"sss", 3, 0, 0, 1, false},   {"sw", 2, 0, 0, 1, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct quiz quiz;
        struct results results = {0};
        struct trace *trace = begin(&quiz, 2);
        quiz.results = &results;
        const char *played = cases[i].played;
        for (size_t k = 0; played[k]; k++) {
            if (k > 0)
                quiz_apply(&quiz, ACTION_CONTINUE, 0);
            assert_false(quiz.answered);
            assert_int_equal(quiz.tries, 0);
            play(&quiz, played[k]);
        }
        if (quiz.asked != cases[i].asked || quiz.right != cases[i].right ||
            quiz.row != cases[i].row || quiz.level != cases[i].level ||
            quiz.was_right != cases[i].was_right)
            fail_msg("%s: %u of %u, %u in a row, level %d", played, quiz.right, quiz.asked,
                     quiz.row, quiz.level);
        assert_int_equal(results_settled(&results), cases[i].asked);
        results_release(&results);
        end(&quiz, trace);
    }
}

/* A wrong answer gets the hint and a second try; an unreadable answer is not a try. */
static void a_second_try(void **state) {
    (void)state;
    struct quiz quiz;
    struct trace *trace = begin(&quiz, 1);
    quiz_answer(&quiz, "banana");
    assert_int_equal(quiz.tries, 0);
    assert_false(quiz.hinted || quiz.answered);
    quiz_answer(&quiz, "undefined");
    assert_int_equal(quiz.tries, 1);
    assert_true(quiz.hinted);
    assert_string_equal(quiz.message, "undefined is not right: try once more");
    quiz_answer(&quiz, "undefined");
    assert_true(quiz.answered);
    assert_false(quiz.was_right);
    assert_false(quiz_answer(&quiz, "5")); /* nothing is asked */
    end(&quiz, trace);
}

/* Escape first clears the input, then asks for confirmation before the answer is shown. */
static void showing_the_answer_is_confirmed(void **state) {
    (void)state;
    struct quiz quiz;
    struct trace *trace = begin(&quiz, 1);
    quiz_key(&quiz, quiz_press(&quiz, "1"));
    assert_string_equal(quiz.replay.input.text, "1");
    quiz_key(&quiz, quiz_press(&quiz, "Escape"));
    assert_string_equal(quiz.replay.input.text, "");
    assert_string_equal(quiz.message, "");
    quiz_key(&quiz, quiz_press(&quiz, "Escape"));
    assert_string_equal(quiz.message, once_more);
    quiz_key(&quiz, quiz_press(&quiz, "Tab")); /* another action comes in between */
    quiz_key(&quiz, quiz_press(&quiz, "Escape"));
    assert_false(quiz.answered);
    quiz_key(&quiz, quiz_press(&quiz, "Escape"));
    assert_true(quiz.answered);
    end(&quiz, trace);
}

static void it_ends_after_n_questions(void **state) {
    (void)state;
    struct quiz quiz;
    struct trace *trace = begin(&quiz, 1);
    quiz.questions = 2;
    reveal(&quiz);
    quiz_apply(&quiz, ACTION_CONTINUE, 0);
    assert_false(quiz.quit);
    assert_false(quiz.answered);
    reveal(&quiz);
    quiz_apply(&quiz, ACTION_CONTINUE, 0);
    assert_true(quiz.quit);
    assert_true(quiz.answered);
    end(&quiz, trace);
}

/* A recording is used for four questions; the next recording keeps the score. */
static void another_recording(void **state) {
    (void)state;
    struct quiz quiz;
    struct error err = ERROR_INIT;
    struct trace *trace = begin(&quiz, 1), *other = sample_open("idx-17-w16");
    for (int asked = 1; asked <= 6; asked++) {
        assert_int_equal(quiz.since_recording, asked);
        assert_int_equal(quiz.wants_recording, asked > 4);
        reveal(&quiz);
        quiz_apply(&quiz, ACTION_CONTINUE, 0);
    }
    replay_set_view(&quiz.replay, VIEW_WIRES);
    replay_set_speed(&quiz.replay, 2);
    assert_int_equal(quiz_set_recording(&quiz, other, &err), 0);
    assert_int_equal(quiz.since_recording, 1);
    assert_false(quiz.wants_recording);
    assert_int_equal(quiz.asked, 6);
    assert_int_equal(quiz.replay.view, VIEW_WIRES);
    assert_int_equal(quiz.replay.speed, 2);
    assert_ptr_equal(quiz.replay.cursor.trace, other);
    assert_false(quiz.answered);
    end(&quiz, trace);
    trace_close(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_action),
        cmocka_unit_test(the_score),
        cmocka_unit_test(a_second_try),
        cmocka_unit_test(showing_the_answer_is_confirmed),
        cmocka_unit_test(it_ends_after_n_questions),
        cmocka_unit_test(another_recording),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
