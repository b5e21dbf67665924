/* The list of a recording and the page of calls, driven by keys and by mouse actions. */
#include "replay/pages/overview.h"
#include "replay/pages/which_page.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The sample "program" has four launches: sum with steps 0-3, vote with steps 4 and 5, sum with
 * step 6, which has a finding, and idle without steps. */
struct scene {
    struct trace *trace;
    struct overview overview;
};

static struct overview *begin(struct scene *scene, const char *sample) {
    scene->trace = sample_open(sample);
    assert_non_null(scene->trace);
    overview_init(&scene->overview, scene->trace);
    return &scene->overview;
}
static void count_all(struct overview *overview) {
    assert_true(overview_is_counting(overview));
    for (int ticks = 0; overview_tick(overview); ticks++)
        assert_true(ticks < 1000);
    assert_false(overview_is_counting(overview));
}
static void done(struct scene *scene) {
    overview_release(&scene->overview);
    trace_close(scene->trace);
}
/* Key names separated by blanks. */
static bool press(struct overview *overview, const char *keys) {
    bool changed = false;
    char key[16];
    for (size_t length; *keys; keys += length + (keys[length] == ' ')) {
        length = strcspn(keys, " ");
        memcpy(key, keys, length);
        key[length] = '\0';
        changed = overview_key(overview, overview_press(overview, key));
    }
    return changed;
}
static const char *name_at(const struct overview *overview, size_t place, char *buffer) {
    assert_true(place < overview->shown_count);
    return overview_row_name(&overview->census, overview->kind,
                             &overview->census.rows[overview->kind][overview->shown[place]],
                             buffer);
}
static void shows(const struct overview *overview, const char *const *names) {
    char buffer[OVERVIEW_NAME];
    size_t count = 0;
    for (; names[count]; count++)
        assert_string_equal(name_at(overview, count, buffer), names[count]);
    assert_int_equal(overview->shown_count, count);
}
#define SHOWS(overview, ...) shows(overview, (const char *const[]){__VA_ARGS__, NULL})

static void choosing_a_row_chooses_its_first_step(void **state) {
    (void)state;
    struct scene scene;
    struct overview *overview = begin(&scene, "program");
    uint64_t step;
    assert_int_equal(overview->kind, CENSUS_LAUNCHES);
    SHOWS(overview, "sum", "vote", "sum", "idle");
    press(overview, "G Enter");
    assert_string_equal(overview->message, "none of its steps has been counted yet");
    assert_false(overview_take_choice(overview, &step));
    count_all(overview);
    assert_false(overview_tick(overview));
    press(overview, "Enter");
    assert_string_equal(overview->message, "none of its steps was recorded");
    assert_true(press(overview, "k Enter"));
    assert_true(overview_take_choice(overview, &step));
    assert_int_equal(step, 6);
    assert_false(overview_take_choice(overview, &step));
    /* A click selects a row; another click on the same row chooses it. */
    assert_true(overview_apply(overview, ACTION_ROW_GO, 1));
    assert_int_equal(overview->selected, 1);
    assert_false(overview_take_choice(overview, &step));
    assert_true(overview_apply(overview, ACTION_ROW_GO, 1));
    assert_true(overview_take_choice(overview, &step));
    assert_int_equal(step, 4);
    assert_false(overview_apply(overview, ACTION_ROW_GO, -1));
    assert_false(overview_apply(overview, ACTION_ROW_GO, 4));
    assert_false(overview_apply(overview, ACTION_NONE, 0));
    assert_true(overview_apply(overview, ACTION_REDRAW, 0));
    done(&scene);
}

static void selection_stops_at_the_ends(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        size_t selected;
        bool changed;
    } moves[] = {{"Up", 0, false},      {"Down", 1, true},          {"j j k", 1, true},
                 {"G", 3, true},        {"G j", 3, false},          {"G g", 0, true},
                 {"PageDown", 3, true}, {"G PageUp", 0, true},      {"PageUp", 0, false},
                 {"End Home", 0, true}, {"PageDown Down", 3, false}};
    struct scene scene;
    struct overview *overview = begin(&scene, "program");
    count_all(overview);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        press(overview, "g");
        assert_int_equal(press(overview, moves[i].keys), moves[i].changed);
        assert_int_equal(overview->selected, moves[i].selected);
    }
    press(overview, "g");
    assert_true(overview_apply(overview, ACTION_PHASE_NEXT, 0)); /* the wheel */
    assert_true(overview_apply(overview, ACTION_PHASE_NEXT, 0));
    assert_true(overview_apply(overview, ACTION_PHASE_PREVIOUS, 0));
    assert_int_equal(overview->selected, 1);
    done(&scene);
}

static void lists_come_one_after_the_other(void **state) {
    (void)state;
    struct scene scene;
    struct overview *overview = begin(&scene, "program");
    count_all(overview);
    assert_int_equal(overview_lists(overview), 4); /* the program printed nothing */
    press(overview, "BackTab");
    assert_int_equal(overview->kind, CENSUS_FINDINGS);
    assert_int_equal(overview->shown_count, 1);
    press(overview, "Tab");
    assert_int_equal(overview->kind, CENSUS_LAUNCHES);
    press(overview, "2");
    SHOWS(overview, "sum", "vote", "idle");
    press(overview, "3");
    SHOWS(overview, "program.cu:7", "program.cu:20", "program.cu:9");
    press(overview, "5");
    assert_int_equal(overview->kind, CENSUS_LINES);
    assert_string_equal(overview->message, "the program printed nothing");
    assert_true(overview_apply(overview, ACTION_LIST_GO, -1)); /* the message is removed */
    assert_false(overview_apply(overview, ACTION_LIST_GO, -1));
    assert_false(overview_apply(overview, ACTION_LIST_GO, CENSUS_KIND_COUNT));
    assert_int_equal(overview->kind, CENSUS_LINES);
    done(&scene);
    overview = begin(&scene, "printing");
    assert_int_equal(overview->kind, CENSUS_LINES); /* lines, because there is one launch */
    assert_int_equal(overview_lists(overview), 5);
    press(overview, "1 BackTab");
    assert_int_equal(overview->kind, CENSUS_OUTPUT);
    press(overview, "s");
    press(overview, "/ w a r");
    assert_int_equal(overview->shown_count, 2); /* the warning, and a note that more was printed */
    press(overview, "Escape");
    assert_int_equal(overview->shown_count, 5);
    done(&scene);
}

/* The last line that had been printed by a step is selected. */
static void the_last_line_is_selected(void **state) {
    (void)state;
    static const char *const lines[] = {"begins", "a warning"};
    struct scene scene;
    struct overview *overview = begin(&scene, "printing");
    for (uint64_t step = 0; step < 2; step++) {
        overview_show_output(overview, step);
        const struct census_row *row =
            &overview->census.rows[CENSUS_OUTPUT][overview->shown[overview->selected]];
        assert_memory_equal(row->printed.text, lines[step], strlen(lines[step]));
    }
    overview_show_output(overview, 100); /* not the note that more was printed than kept */
    const struct census_row *row =
        &overview->census.rows[CENSUS_OUTPUT][overview->shown[overview->selected]];
    assert_memory_equal(row->printed.text, "sum = ", 6);
    done(&scene);
}

static void orders_keep_the_row_selected(void **state) {
    (void)state;
    struct scene scene;
    struct overview *overview = begin(&scene, "program");
    count_all(overview);
    press(overview, "j j"); /* the second sum: one step, one finding */
    press(overview, "s");
    assert_int_equal(overview->order, OVERVIEW_BY_STEPS);
    SHOWS(overview, "sum", "vote", "sum", "idle"); /* 4, 2, 1, 0 steps */
    assert_int_equal(overview->selected, 2);
    press(overview, "s");
    SHOWS(overview, "sum", "sum", "vote", "idle"); /* 1, 0, 0, 0 findings: ties as recorded */
    assert_int_equal(overview->shown[0], 2);
    assert_int_equal(overview->selected, 0);
    press(overview, "s");
    assert_int_equal(overview->order, OVERVIEW_BY_NUMBER);
    assert_int_equal(overview->selected, 2);
    done(&scene);
}

static void filters_keep_matching_rows(void **state) {
    (void)state;
    struct scene scene;
    struct overview *overview = begin(&scene, "program");
    count_all(overview);
    assert_true(press(overview, "/"));
    assert_true(overview_press(overview, "v").types);
    assert_false(overview_press(overview, "Escape").types);
    assert_false(overview_press(overview, "F1").types);
    press(overview, "V o");
    SHOWS(overview, "vote"); /* in upper or lower case */
    press(overview, "Backspace Backspace");
    assert_int_equal(overview->shown_count, 4);
    assert_int_equal(overview->selected, 1); /* still vote */
    press(overview, "Down Down Up");         /* the arrows still move */
    assert_int_equal(overview->selected, 2);
    press(overview, "Backspace"); /* closes an empty prompt */
    assert_false(overview->filtering);
    press(overview, "/ s u m Enter");
    assert_false(overview->filtering);
    assert_false(overview_press(overview, "v").types);
    SHOWS(overview, "sum", "sum");
    assert_true(press(overview, "Escape"));
    assert_int_equal(overview->shown_count, 4);
    assert_false(overview_take_leave(overview));
    /* Lines are also found by their operation, text and file. */
    static const struct {
        const char *typed;
        size_t count;
    } lines[] = {{"b a l l o t", 1}, {"0 x f f )", 0}, {"0 x f f ,", 1}, {"s r c /", 3},
                 {": 2 0", 1},       {"d o w n", 2},   {"n o n e", 0}};
    press(overview, "3");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        press(overview, "/");
        press(overview, lines[i].typed);
        assert_int_equal(overview->shown_count, lines[i].count);
        if (lines[i].count == 0) { /* nothing to choose, nowhere to go */
            press(overview, "Enter");
            assert_false(press(overview, "Enter"));
            assert_false(press(overview, "Down"));
            assert_false(overview->chosen);
        }
        press(overview, "Escape");
    }
    done(&scene);
}

static void help_is_closed_by_any_key(void **state) {
    (void)state;
    struct scene scene;
    struct overview *overview = begin(&scene, "program");
    count_all(overview);
    assert_true(press(overview, "?"));
    assert_true(overview->help);
    assert_true(press(overview, "Ctrl-L"));
    assert_true(overview->help);
    assert_true(press(overview, "?"));
    assert_false(overview->help);
    assert_true(press(overview, "? Down")); /* closes the help and moves */
    assert_false(overview->help);
    assert_int_equal(overview->selected, 1);
    overview_apply(overview, ACTION_HELP, 0);
    assert_true(overview_apply(overview, ACTION_ROW_NEXT, 0));
    assert_false(overview->help);
    assert_true(press(overview, "x"));
    assert_string_equal(overview->message, "x does nothing: ? shows the keys");
    press(overview, "Escape");
    assert_true(overview_take_leave(overview));
    assert_false(overview_take_leave(overview));
    press(overview, "v");
    assert_true(overview_take_leave(overview));
    press(overview, "q");
    assert_true(overview->quit);
    done(&scene);
}

/* ---- calls that give the requested values ---- */

static void page_of_calls(void **state) {
    (void)state;
    struct which_page page;
    struct error err = ERROR_INIT;
    assert_int_equal(which_page_init(&page, "5<", &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    assert_int_equal(which_page_init(&page, "5<12, 6<13", &err), 0);
    assert_string_equal(page.asked, "5<12, 6<13");
    const size_t last = page.which.count - 1;
    assert_true(last >= 2);
    assert_true(which_page_apply(&page, which_page_press(&page, "Down").info->action, 0));
    assert_true(which_page_apply(&page, which_page_press(&page, "k").info->action, 0));
    assert_false(which_page_apply(&page, which_page_press(&page, "Up").info->action, 0));
    assert_true(which_page_apply(&page, which_page_press(&page, "G").info->action, 0));
    assert_int_equal(page.selected, last);
    assert_false(which_page_apply(&page, which_page_press(&page, "j").info->action, 0));
    assert_true(which_page_apply(&page, which_page_press(&page, "g").info->action, 0));
    assert_int_equal(page.selected, 0);
    assert_false(which_page_apply(&page, which_page_press(&page, "x").info->action, 0));
    assert_true(which_page_apply(&page, ACTION_ROW_GO, 2)); /* a click; the next click chooses */
    assert_false(page.chosen);
    assert_int_equal(page.selected, 2);
    assert_true(which_page_apply(&page, ACTION_ROW_GO, 2));
    assert_true(page.chosen);
    assert_true(which_page_apply(&page, ACTION_ROW_GO, 0));
    assert_false(page.chosen);
    assert_true(which_page_apply(&page, which_page_press(&page, "?").info->action, 0));
    assert_true(page.help);
    assert_true(which_page_apply(&page, which_page_press(&page, "?").info->action, 0));
    assert_false(page.help);
    assert_true(which_page_apply(&page, which_page_press(&page, "?").info->action, 0));
    assert_true(which_page_apply(&page, which_page_press(&page, "x").info->action,
                                 0)); /* x only closes the help */
    assert_false(page.help);
    assert_true(which_page_apply(&page, which_page_press(&page, "?").info->action, 0));
    assert_true(which_page_apply(&page, which_page_press(&page, "Down").info->action, 0));
    assert_false(page.help);
    assert_int_equal(page.selected, 1);
    assert_true(which_page_apply(&page, which_page_press(&page, "Enter").info->action, 0));
    assert_true(page.chosen);
    assert_false(page.left);
    assert_true(which_page_apply(&page, which_page_press(&page, "Escape").info->action, 0));
    assert_true(page.left);
    which_page_release(&page);
    /* Lane 0 cannot get two values: there is nothing to choose. */
    assert_int_equal(which_page_init(&page, "2<5, 3<5, 4<6", &err), 0);
    page.which.count = 0;
    assert_true(which_page_apply(&page, which_page_press(&page, "Enter").info->action, 0));
    assert_false(page.chosen);
    assert_false(which_page_apply(&page, which_page_press(&page, "Down").info->action, 0));
    which_page_release(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choosing_a_row_chooses_its_first_step),
        cmocka_unit_test(selection_stops_at_the_ends),
        cmocka_unit_test(lists_come_one_after_the_other),
        cmocka_unit_test(the_last_line_is_selected),
        cmocka_unit_test(orders_keep_the_row_selected),
        cmocka_unit_test(filters_keep_matching_rows),
        cmocka_unit_test(help_is_closed_by_any_key),
        cmocka_unit_test(page_of_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
