/* The list of exercises: the selection, choice and exit of each action. */
#include "teach/worklist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CHOSEN = 1, LEFT = 2, QUIT = 4, HELP = 8 };

/* 25 entries: a page is 10, and nothing leaves the list. */
static const struct {
    size_t selected;
    enum action action;
    long argument;
    size_t then;
    unsigned flags;
} rows[] = {
    {3, ACTION_LESSON_NEXT, 0, 4, 0},
    {24, ACTION_LESSON_NEXT, 0, 24, 0},
    {3, ACTION_PHASE_NEXT, 0, 4, 0},
    {3, ACTION_LESSON_PREVIOUS, 0, 2, 0},
    {0, ACTION_LESSON_PREVIOUS, 0, 0, 0},
    {3, ACTION_PHASE_PREVIOUS, 0, 2, 0},
    {3, ACTION_LESSON_PAGE_NEXT, 0, 13, 0},
    {20, ACTION_LESSON_PAGE_NEXT, 0, 24, 0},
    {13, ACTION_LESSON_PAGE_PREVIOUS, 0, 3, 0},
    {9, ACTION_LESSON_PAGE_PREVIOUS, 0, 0, 0},
    {13, ACTION_LESSON_FIRST, 0, 0, 0},
    {13, ACTION_LESSON_LAST, 0, 24, 0},
    {3, ACTION_LESSON_GO, 0, 0, 0},
    {3, ACTION_LESSON_GO, 24, 24, 0},
    {3, ACTION_LESSON_GO, 25, 3, 0},
    {3, ACTION_LESSON_GO, -1, 3, 0},
    {3, ACTION_LESSON_GO, 3, 3, CHOSEN}, /* the second click */
    {3, ACTION_CONTINUE, 0, 3, CHOSEN},
    {3, ACTION_CANCEL, 0, 3, LEFT},
    {3, ACTION_QUIT, 0, 3, QUIT},
    {3, ACTION_HELP, 0, 3, HELP},
    {3, ACTION_NONE, 0, 3, 0},
};

static unsigned flags_of(const struct worklist *list) {
    return (list->chosen ? CHOSEN : 0u) | (list->left ? LEFT : 0u) | (list->quit ? QUIT : 0u) |
           (list->help ? HELP : 0u);
}

static void each_action(void **state) {
    (void)state;
    struct worklist_entry entries[25] = {{0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct worklist list = {.entries = entries, .count = 25, .selected = rows[i].selected};
        worklist_apply(&list, rows[i].action, rows[i].argument);
        if (list.selected != rows[i].then || flags_of(&list) != rows[i].flags)
            fail_msg("row %zu: %zu, flags %u", i, list.selected, flags_of(&list));
    }
}

static void help_closes_on_the_next_action(void **state) {
    (void)state;
    struct worklist_entry entries[2] = {{0}};
    struct worklist list = {.entries = entries, .count = 2};
    assert_true(worklist_apply(&list, ACTION_HELP, 0));
    assert_true(list.help);
    worklist_apply(&list, ACTION_HELP, 0);
    assert_false(list.help);
    worklist_apply(&list, ACTION_HELP, 0);
    worklist_apply(&list, ACTION_LESSON_NEXT, 0);
    assert_false(list.help);
    assert_int_equal(list.selected, 1);
}

static void keys_of_either_list(void **state) {
    (void)state;
    struct worklist_entry entries[2] = {{0}};
    struct worklist list = {.entries = entries, .count = 2};
    assert_int_equal(worklist_key_mode(&list), ACTION_MODE_EXERCISES);
    assert_true(worklist_apply(&list, worklist_press(&list, "j").info->action, 0));
    assert_int_equal(list.selected, 1);
    list.start = true;
    assert_int_equal(worklist_key_mode(&list), ACTION_MODE_START);
    assert_true(worklist_apply(&list, worklist_press(&list, "Enter").info->action, 0));
    assert_true(list.chosen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_action),
        cmocka_unit_test(help_closes_on_the_next_action),
        cmocka_unit_test(keys_of_either_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
