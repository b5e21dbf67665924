/* An exercise on a screen: the request, hints and message of each action. */
#include "teach/workbench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char
    no_hints[] = "there are no more hints",
    nothing_wrong[] = "nothing is wrong; s shows a solution to compare with",
    not_recorded[] = "nothing that can be shown was recorded",
    first_this[] = "solve this exercise first; q goes back",
    the_last[] = "this was the last exercise",
    first_own[] = "solve the exercise first; shflviz exercise NAME --solution prints a solution";

/* Three lines are scrolled out and one of two hints is open to begin with. */
static const struct {
    enum workbench_state state;
    bool can_look;
    enum action action;
    enum workbench_request request;
    int scroll;
    size_t hints;
    bool solution, quit;
    const char *message;
} rows[] = {
    {WORKBENCH_FAILED, true, ACTION_NONE, WORKBENCH_NOTHING, 3, 1, false, false, ""},
    {WORKBENCH_FAILED, true, ACTION_EDIT, WORKBENCH_EDIT, 3, 1, false, false, ""},
    {WORKBENCH_FAILED, true, ACTION_RESTART, WORKBENCH_AGAIN, 3, 1, false, false, ""},
    {WORKBENCH_FAILED, true, ACTION_HINT, WORKBENCH_NOTHING, 3, 2, false, false, ""},
    {WORKBENCH_FAILED, true, ACTION_CONTINUE, WORKBENCH_LOOK, 3, 1, false, false, ""},
    {WORKBENCH_FAILED, false, ACTION_CONTINUE, WORKBENCH_NOTHING, 3, 1, false, false, not_recorded},
    {WORKBENCH_PASSED, true, ACTION_CONTINUE, WORKBENCH_NOTHING, 3, 1, false, false, nothing_wrong},
    {WORKBENCH_FAILED, true, ACTION_REVEAL, WORKBENCH_NOTHING, 3, 1, false, false, first_own},
    {WORKBENCH_NO_FILE, true, ACTION_REVEAL, WORKBENCH_NOTHING, 3, 1, false, false, first_own},
    {WORKBENCH_PASSED, true, ACTION_REVEAL, WORKBENCH_COUNT, 3, 1, true, false, ""},
    {WORKBENCH_FAILED, true, ACTION_LESSON_NEXT, WORKBENCH_NOTHING, 3, 1, false, false, first_this},
    {WORKBENCH_PASSED, true, ACTION_LESSON_NEXT, WORKBENCH_NOTHING, 3, 1, false, false, the_last},
    {WORKBENCH_FAILED, true, ACTION_CANCEL, WORKBENCH_NOTHING, 3, 1, false, true, ""},
    {WORKBENCH_FAILED, true, ACTION_SCROLL_DOWN, WORKBENCH_NOTHING, 4, 1, false, false, ""},
    {WORKBENCH_FAILED, true, ACTION_PHASE_NEXT, WORKBENCH_NOTHING, 4, 1, false, false, ""},
    {WORKBENCH_FAILED, true, ACTION_SCROLL_UP, WORKBENCH_NOTHING, 2, 1, false, false, ""},
    {WORKBENCH_FAILED, true, ACTION_PHASE_PREVIOUS, WORKBENCH_NOTHING, 2, 1, false, false, ""},
    {WORKBENCH_FAILED, true, ACTION_QUIT, WORKBENCH_NOTHING, 3, 1, false, true, ""},
};

static void each_action(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct workbench bench = {.hint_count = 2,
                                  .hints_open = 1,
                                  .scroll = 3,
                                  .help = true,
                                  .message = "said before",
                                  .state = rows[i].state,
                                  .can_look = rows[i].can_look};
        assert_true(workbench_apply(&bench, rows[i].action));
        if (bench.scroll != rows[i].scroll || bench.hints_open != rows[i].hints ||
            bench.solution_open != rows[i].solution || bench.quit != rows[i].quit ||
            strcmp(bench.message, rows[i].message) != 0 || bench.help)
            fail_msg("row %zu: scroll %d, %zu hints, \"%s\"", i, bench.scroll, bench.hints_open,
                     bench.message);
        assert_int_equal(workbench_take_request(&bench), rows[i].request);
        assert_int_equal(workbench_take_request(&bench), WORKBENCH_NOTHING); /* taken once */
    }
}

static void what_can_be_done_twice(void **state) {
    (void)state;
    struct workbench bench = {.hint_count = 1, .state = WORKBENCH_PASSED, .scroll = 1};
    workbench_apply(&bench, ACTION_HINT);
    assert_string_equal(bench.message, "");
    workbench_apply(&bench, ACTION_HINT);
    assert_string_equal(bench.message, no_hints);
    assert_int_equal(bench.hints_open, 1);
    workbench_apply(&bench, ACTION_SCROLL_UP);
    assert_int_equal(bench.scroll, 0);
    workbench_apply(&bench, ACTION_SCROLL_UP); /* not above the first line */
    assert_int_equal(bench.scroll, 0);
    workbench_apply(&bench, ACTION_REVEAL);
    assert_true(bench.solution_open);
    workbench_apply(&bench, ACTION_REVEAL);
    assert_false(bench.solution_open);
    workbench_apply(&bench, ACTION_HELP);
    assert_true(bench.help);
    assert_true(workbench_apply(&bench, workbench_press(&bench, "?").info->action));
    assert_false(bench.help);
    workbench_apply(&bench, workbench_press(&bench, "?").info->action);
    workbench_apply(&bench, workbench_press(&bench, "Escape").info->action);
    assert_false(bench.help);
}

static void next_works_once_it_has_passed(void **state) {
    (void)state;
    struct workbench bench = {.state = WORKBENCH_FAILED, .next = "Swap pairs"};
    workbench_apply(&bench, workbench_press(&bench, "n").info->action);
    assert_int_equal(workbench_take_request(&bench), WORKBENCH_NOTHING);
    workbench_judged(&bench, WORKBENCH_PASSED, "passed", false);
    workbench_apply(&bench, workbench_press(&bench, "n").info->action);
    assert_int_equal(workbench_take_request(&bench), WORKBENCH_NEXT);
    /* The solution's operations are counted only once. */
    workbench_apply(&bench, ACTION_REVEAL);
    assert_int_equal(workbench_take_request(&bench), WORKBENCH_COUNT);
    bench.solution_operations = 5;
    workbench_apply(&bench, ACTION_REVEAL);
    workbench_apply(&bench, ACTION_REVEAL);
    assert_int_equal(workbench_take_request(&bench), WORKBENCH_NOTHING);
}

static void keys_of_an_exercise_work(void **state) {
    (void)state;
    struct workbench bench = {.hint_count = 3, .state = WORKBENCH_FAILED, .can_look = true};
    assert_true(workbench_apply(&bench, workbench_press(&bench, "e").info->action));
    assert_int_equal(workbench_take_request(&bench), WORKBENCH_EDIT);
    workbench_apply(&bench, workbench_press(&bench, "Enter").info->action);
    assert_int_equal(workbench_take_request(&bench), WORKBENCH_LOOK);
    workbench_apply(&bench, workbench_press(&bench, "Tab").info->action);
    assert_int_equal(bench.hints_open, 1);
    workbench_apply(&bench, workbench_press(&bench, "J").info->action);
    assert_int_equal(bench.scroll, 1);
    assert_true(workbench_apply(&bench, workbench_press(&bench, "F9").info->action));
    assert_int_equal(workbench_take_request(&bench), WORKBENCH_NOTHING);
    workbench_apply(&bench, workbench_press(&bench, "q").info->action);
    assert_true(bench.quit);
}

/* A verdict begins at its first line; the solution stays open only if the answer passed. */
static void a_verdict_resets(void **state) {
    (void)state;
    static const enum workbench_state states[] = {WORKBENCH_NO_FILE, WORKBENCH_BUILDING,
                                                  WORKBENCH_FAILED, WORKBENCH_PASSED};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        for (int look = 0; look < 2; look++) {
            struct workbench bench = {
                .scroll = 7, .message = "before", .solution_open = true, .hints_open = 2};
            workbench_judged(&bench, states[i], "what is wrong", look);
            assert_int_equal(bench.state, states[i]);
            assert_string_equal(bench.verdict, "what is wrong");
            assert_int_equal(bench.can_look, look);
            assert_int_equal(bench.scroll, 0);
            assert_string_equal(bench.message, "");
            assert_int_equal(bench.solution_open, states[i] == WORKBENCH_PASSED);
            assert_int_equal(bench.hints_open, 2);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_action),
        cmocka_unit_test(what_can_be_done_twice),
        cmocka_unit_test(next_works_once_it_has_passed),
        cmocka_unit_test(keys_of_an_exercise_work),
        cmocka_unit_test(a_verdict_resets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
