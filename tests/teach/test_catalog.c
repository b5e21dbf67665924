/* The list of lessons, driven by key scripts. */
#include "teach/catalog.h"

#include "keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LESSONS 14

static struct lesson_language languages[LESSONS][2];
static struct lesson lessons[LESSONS];
static const struct lesson *list[LESSONS];
static char names[LESSONS][16];

static void make_lessons(void) {
    for (int i = 0; i < LESSONS; i++) {
        snprintf(names[i], sizeof names[i], "lesson-%d", i);
        languages[i][0] = (struct lesson_language){.code = "en", .title = names[i]};
        languages[i][1] = (struct lesson_language){.code = "zh", .title = names[i]};
        languages[i][1].keywords = i == 3 ? (char *)"前缀和, prefix sum" : NULL;
        lessons[i].name = names[i];
        lessons[i].languages = languages[i];
        lessons[i].language_count = 2;
        list[i] = &lessons[i];
    }
    languages[3][0].title = (char *)"Xor swaps pairs";
    languages[3][0].summary = (char *)"laneMask 1 makes neighbours trade places";
    languages[3][1].title = (char *)"异或交换相邻通道";
    languages[7][0].title = (char *)"Butterfly maximum";
    languages[7][0].summary = (char *)"five rounds of xor";
    languages[7][0].chapter = (char *)"Reductions";
}

static bool press(void *catalog, const char *key) {
    return catalog_key(catalog, catalog_press(catalog, key));
}

static bool pass(void *catalog, long milliseconds) {
    (void)catalog, (void)milliseconds;
    return false;
}

static struct catalog after(const char *keys) {
    struct catalog catalog;
    make_lessons();
    catalog_init(&catalog, list, LESSONS, NULL, "en");
    keys_run(&catalog, press, pass, keys);
    return catalog;
}

static void keys_select(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        size_t selected;
        const char *message;
    } expected[] = {
        {"", 0, ""},
        {"j", 1, ""},
        {"Down Down k", 1, ""},
        {"Up", 0, "first lesson"},
        {"G", 13, ""},
        {"G j", 13, "last lesson"},
        {"End Home", 0, ""},
        {"PageDown", 10, ""},
        {"PageDown PageDown", 13, ""},
        {"G PageUp", 3, ""},
        {"x", 0, "x does nothing"},
        /* Two lessons have xor in their title or summary, in upper or lower case. */
        {"/xOr", 3, ""},
        {"/xor Enter j", 7, ""},
        {"/xor Enter j j", 7, "last lesson"},
        {"/xor Down", 7, ""},
        {"/xor Enter G g", 3, ""},
        {"/xor Space rounds", 7, ""},
        {"/reductions", 7, ""},
        {"/lesson-1 Enter G", 13, ""},
        {"/交换", 3, ""}, /* in all languages */
        {"/xor Escape j", 4, ""},
        {"/prefix Enter", 3, ""},
        {"/xorq Backspace", 3, ""},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct catalog catalog = after(expected[i].keys);
        if (catalog.selected != expected[i].selected ||
            !strstr(catalog.message, expected[i].message))
            fail_msg("\"%s\": %zu, %s", expected[i].keys, catalog.selected, catalog.message);
        assert_false(catalog.chosen);
        catalog_release(&catalog);
    }
}

static void the_selected_lesson_is_chosen(void **state) {
    (void)state;
    struct catalog catalog = after("j j Enter");
    assert_true(catalog.chosen);
    assert_int_equal(catalog.selected, 2);
    catalog_release(&catalog);
    /* Enter ends the search first; a search without a match chooses nothing. */
    catalog = after("/butter Enter");
    assert_false(catalog.chosen);
    assert_false(catalog.searching);
    assert_true(catalog_key(&catalog, catalog_press(&catalog, "Enter")));
    assert_true(catalog.chosen);
    catalog_release(&catalog);
    catalog = after("/nowhere Enter Enter");
    assert_false(catalog.chosen);
    catalog_release(&catalog);
    catalog = after("");
    assert_true(catalog_apply(&catalog, ACTION_LESSON_GO, 5));
    assert_false(catalog.chosen);
    assert_true(catalog_apply(&catalog, ACTION_LESSON_GO, 5));
    assert_true(catalog.chosen);
    assert_int_equal(catalog.selected, 5);
    catalog_apply(&catalog, ACTION_LESSON_GO, 99);
    assert_int_equal(catalog.selected, 5);
    catalog_release(&catalog);
}

/* Any action closes the help, except redrawing and keys without an action. */
static void help_is_closed_by_the_next_key(void **state) {
    (void)state;
    struct catalog catalog = after("");
    assert_true(catalog_apply(&catalog, ACTION_HELP, 0));
    assert_true(catalog.help);
    assert_true(catalog_apply(&catalog, ACTION_REDRAW, 0));
    assert_true(catalog.help);
    catalog_apply(&catalog, ACTION_NONE, 0);
    assert_true(catalog.help);
    assert_true(catalog_apply(&catalog, ACTION_HELP, 0));
    assert_false(catalog.help);
    catalog_apply(&catalog, ACTION_HELP, 0);
    assert_true(catalog_apply(&catalog, ACTION_LESSON_LAST, 0));
    assert_false(catalog.help);
    catalog_release(&catalog);
}

static void it_begins_where_the_user_left_off(void **state) {
    (void)state;
    struct lesson_progress done[] = {{.lesson = (char *)"lesson-0", .finished = true},
                                     {.lesson = (char *)"lesson-1", .finished = true},
                                     {.lesson = (char *)"lesson-2", .beat = (char *)"x"}};
    struct progress progress = {done, 3, 0};
    struct catalog catalog;
    make_lessons();
    catalog_init(&catalog, list, LESSONS, &progress, "zh_CN.UTF-8");
    assert_int_equal(catalog.selected, 2);
    assert_ptr_equal(catalog.entries[1].progress, &done[1]);
    assert_null(catalog.entries[3].progress);
    assert_int_equal(catalog.entries[0].language, 1);
    assert_true(catalog_select(&catalog, "lesson-9"));
    assert_int_equal(catalog.selected, 9);
    assert_false(catalog_select(&catalog, "lesson-99"));
    assert_int_equal(catalog.selected, 9);
    keys_run(&catalog, press, pass, "/xor Enter");
    assert_true(catalog_select(&catalog, "lesson-0"));
    assert_true(catalog.entries[0].matches);
    catalog_release(&catalog);
    /* An empty list works, too. */
    catalog_init(&catalog, NULL, 0, NULL, NULL);
    keys_run(&catalog, press, pass, "j k G g PageDown Enter / x Enter Escape ? Escape");
    assert_false(catalog.chosen);
    catalog_release(&catalog);
}

/* A course that is done begins again, however long it is. */
static void a_finished_course_begins_again(void **state) {
    (void)state;
    char name[LESSONS][16];
    struct lesson_progress done[LESSONS] = {{0}};
    struct progress progress = {done, LESSONS, 0};
    struct catalog catalog;
    make_lessons();
    for (int i = 0; i < LESSONS; i++) {
        snprintf(name[i], sizeof name[i], "lesson-%d", i);
        done[i].lesson = name[i];
        done[i].finished = true;
    }
    for (size_t count = 1; count <= LESSONS; count++) {
        catalog_init(&catalog, list, count, &progress, "en");
        assert_ptr_equal(catalog.entries[count - 1].progress, &done[count - 1]);
        assert_int_equal(catalog.selected, 0);
        catalog_release(&catalog);
        /* The last lesson is unfinished again, so it comes first. */
        done[count - 1].finished = false;
        catalog_init(&catalog, list, count, &progress, "en");
        assert_int_equal(catalog.selected, count - 1);
        catalog_release(&catalog);
        done[count - 1].finished = true;
    }
}

/* The selection after each action, and whether anything visible changed; a message counts. */
static void each_action(void **state) {
    static const struct {
        const char *keys;
        enum action action;
        long argument;
        bool changed;
        size_t selected;
    } rows[] = {
        {"", ACTION_NONE, 0, false, 0},
        {"", ACTION_REDRAW, 0, true, 0},
        {"", ACTION_OPERATION_NEXT, 1, false, 0}, /* means nothing here */
        {"", ACTION_LESSON_NEXT, 0, true, 1},
        {"", ACTION_LESSON_NEXT, 1, true, 1},
        {"", ACTION_LESSON_NEXT, 3, true, 3},
        {"G", ACTION_LESSON_NEXT, 1, true, 13},    /* reports that this is the last lesson */
        {"G j", ACTION_LESSON_NEXT, 1, false, 13}, /* already reported */
        {"jjj", ACTION_LESSON_PREVIOUS, 2, true, 1},
        {"j", ACTION_LESSON_PREVIOUS, 5, true, 0},
        {"", ACTION_LANE_NEXT, 1, true, 1},
        {"jj", ACTION_LANE_PREVIOUS, 1, true, 1},
        {"", ACTION_PHASE_NEXT, 1, true, 1},
        {"jj", ACTION_PHASE_PREVIOUS, 1, true, 1},
        {"", ACTION_LESSON_PAGE_NEXT, 2, true, 10}, /* paging takes no count */
        {"G", ACTION_LESSON_PAGE_PREVIOUS, 0, true, 3},
        {"j", ACTION_LESSON_LAST, 0, true, 13},
        {"G", ACTION_LESSON_FIRST, 0, true, 0},
        {"", ACTION_LESSON_GO, 13, true, 13},
        {"", ACTION_LESSON_GO, 14, false, 0},
        {"", ACTION_LESSON_GO, -1, false, 0},
        {"", ACTION_FIND, 0, true, 0},
        {"", ACTION_CANCEL, 0, true, 0}, /* goes back */
        {"/xor", ACTION_CANCEL, 0, true, 3},
        {"/xor Enter", ACTION_CANCEL, 0, true, 3},
        {"/nowhere Enter", ACTION_CONTINUE, 0, false, 0},
        {"?", ACTION_LESSON_GO, 14, true, 0}, /* the help closes */
        {"", ACTION_QUIT, 0, true, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct catalog catalog = after(rows[i].keys);
        const bool changed = catalog_apply(&catalog, rows[i].action, rows[i].argument);
        if (changed != rows[i].changed || catalog.selected != rows[i].selected)
            fail_msg("row %zu \"%s\": changed %d, %zu", i, rows[i].keys, changed, catalog.selected);
        catalog_release(&catalog);
    }
}

static void keys_report_changes(void **state) {
    static const struct {
        const char *keys, *key;
        bool changed, types;
    } rows[] = {
        {"", "j", true, false},
        {"", "/", true, false},
        {"", "Ctrl-L", true, false},
        {"/", "j", true, true},
        {"/", "Enter", true, false},
        {"/", "Backspace", true, false},
        {"/ab", "Backspace", true, false},
        {"/ab", "Escape", true, false},
        {"/", "F5", false, false},
        {"?", "?", true, false},
        {"?", "F5", true, false},
        {"/lesson", "Down", true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct catalog catalog = after(rows[i].keys);
        if (catalog_press(&catalog, rows[i].key).types != rows[i].types)
            fail_msg("row %zu: types", i);
        if (catalog_key(&catalog, catalog_press(&catalog, rows[i].key)) != rows[i].changed)
            fail_msg("row %zu: %d", i, !rows[i].changed);
        catalog_release(&catalog);
    }
    /* A key that would delete a letter closes an empty prompt. */
    struct catalog catalog = after("/a Backspace");
    assert_true(catalog.searching);
    catalog_key(&catalog, catalog_press(&catalog, "Backspace"));
    assert_false(catalog.searching);
    catalog_release(&catalog);
}

static void help_and_leaving(void **state) {
    (void)state;
    struct catalog catalog = after("?");
    assert_true(catalog.help);
    assert_true(catalog_key(&catalog, catalog_press(&catalog, "Escape")));
    assert_false(catalog.help);
    assert_false(catalog.quit);
    catalog_key(&catalog, catalog_press(&catalog, "q"));
    assert_true(catalog.quit);
    catalog_release(&catalog);
    /* Escape drops a search first, then goes back. */
    catalog = after("/xor Enter Escape");
    assert_false(catalog.quit);
    catalog_key(&catalog, catalog_press(&catalog, "Escape"));
    assert_true(catalog.quit);
    catalog_release(&catalog);
    /* During a search, letters are typed. */
    catalog = after("/q?");
    assert_false(catalog.quit);
    assert_string_equal(catalog.search, "q?");
    assert_false(catalog_key(&catalog, catalog_press(&catalog, "F5")));
    catalog_release(&catalog);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_select),
        cmocka_unit_test(the_selected_lesson_is_chosen),
        cmocka_unit_test(help_is_closed_by_the_next_key),
        cmocka_unit_test(it_begins_where_the_user_left_off),
        cmocka_unit_test(a_finished_course_begins_again),
        cmocka_unit_test(each_action),
        cmocka_unit_test(keys_report_changes),
        cmocka_unit_test(help_and_leaving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
