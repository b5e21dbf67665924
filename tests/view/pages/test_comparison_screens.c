/*
 * Two recordings side by side, as reviewed text, and rules for any two recordings at all sizes.
 *
 *     UPDATE_SCREENS=1 ctest -R view_comparison      rewrites them; read the diff before committing
 */
#include "base/message.h"
#include "view/view.h"

#include "reviewed.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct screen {
    const char *name; /* the file's name; "...-zh-..." is drawn in Chinese */
    const char *a, *b;
    int columns, rows;
    const char *keys; /* key names separated by blanks */
    bool ascii;
};

static const struct screen screens[] = {
    {"diff-values-200x60", "xor-3-w16", "xor-16-w16", 200, 60, "", false},
    {"diff-values-zh-80x24", "xor-3-w16", "xor-16-w16", 80, 24, "", false},
    {"diff-values-60x41", "xor-3-w16", "xor-16-w16", 60, 41, "", false},
    {"diff-values-61x42", "xor-3-w16", "xor-16-w16", 61, 42, "", false},
    {"diff-call-60x22", "partial-mask", "down-33-w32", 60, 22, "", false},
    {"diff-program-80x24", "program", "votes", 80, 24, "n", false},
    /* One recording has the results that the rules define, the other has a device's results. */
    {"diff-rules-80x24", "wrong", "xor-3-w16", 80, 24, "", false},
    /* One recording has more steps, or more warps. */
    {"diff-end-80x24", "reduce", "xor-3-w16", 80, 24, "G", false},
};

static void press(struct comparison *comparison, const char *keys) {
    char key[32];
    int length;
    for (; sscanf(keys, " %31s%n", key, &length) == 1; keys += length)
        comparison_apply(comparison, comparison_press(comparison, key).info->action);
}

/* False if the two recordings do not differ. */
static bool open_two(struct comparison *comparison, const char *a, const char *b,
                     struct trace *traces[2]) {
    struct error err = ERROR_INIT;
    const char *const names[2] = {"first.svt", "second.svt"};
    traces[0] = sample_open(a);
    traces[1] = sample_open(b);
    const struct trace *const both[2] = {traces[0], traces[1]};
    if (comparison_init(comparison, both, names, &err) != 0)
        fail_msg("%s", err.text);
    return comparison->count > 0;
}

static void close_two(struct comparison *comparison, struct trace *traces[2]) {
    comparison_release(comparison);
    trace_close(traces[0]);
    trace_close(traces[1]);
}

static char *draw(const struct screen *screen) {
    struct comparison comparison;
    struct trace *traces[2];
    struct grid grid;
    assert_true(open_two(&comparison, screen->a, screen->b, traces));
    message_language_use(strstr(screen->name, "-zh-") ? "zh" : "en");
    press(&comparison, screen->keys);
    grid_init(&grid, screen->columns, screen->rows, screen->ascii);
    view_draw_comparison(&grid, &comparison);
    assert_false(grid.failed_to_fit);
    char *text = grid_to_text(&grid, true);
    message_language_use("en");
    grid_release(&grid);
    close_two(&comparison, traces);
    return text;
}

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state;
    reviewed_screen(SCREENS_FOLDER, screen->name, screen->keys, draw(screen));
}

static void key_bars_are_as_reviewed(void **state) {
    (void)state;
    struct reviewed_bars bars = {0};
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        reviewed_bar(&bars, screens[i].name, draw(&screens[i]));
    reviewed_bars_compare(SCREENS_FOLDER, "key-bars-comparisons", &bars);
}

/* For any two recordings, any size and any keys, nothing is cut and nothing breaks. */
static void all_pairs_fit(void **state) {
    static const char *const keys[] = {"n", "N", "w", "W", "G", "g", "?", "x", "Down", "Escape"};
    (void)state;
    struct grid grid;
    grid_init(&grid, 1, 1, false);
    for (const char *const *a = sample_names(); *a; a++)
        for (const char *const *b = sample_names(); *b; b++) {
            struct comparison comparison;
            struct trace *traces[2];
            bool differ = open_two(&comparison, *a, *b, traces);
            assert_false(*a == *b && differ);
            for (int i = 0; differ && i < 24; i++) {
                comparison_apply(
                    &comparison,
                    comparison_press(&comparison, keys[i % (int)(sizeof keys / sizeof *keys)])
                        .info->action);
                grid_resize(&grid, 60 + i * 7, 20 + i * 2);
                view_draw_comparison(&grid, &comparison);
                if (grid.failed_to_fit)
                    fail_msg("%s, %s: cut at %dx%d", *a, *b, grid.columns, grid.rows);
            }
            close_two(&comparison, traces);
        }
    grid_release(&grid);
}

/* From the first difference to the last and back; reaching an end is reported. */
static void keys_go_from_difference_to_difference(void **state) {
    struct comparison comparison;
    struct trace *traces[2];
    (void)state;
    assert_true(open_two(&comparison, "reduce", "votes", traces));
    assert_true(comparison.count > 2);
    press(&comparison, "g");
    assert_int_equal(comparison.at, 0);
    press(&comparison, "N");
    assert_string_equal(comparison.message, "this is the first difference");
    press(&comparison, "n n");
    assert_int_equal(comparison.at, 2);
    assert_null(comparison.message);
    press(&comparison, "G");
    assert_int_equal(comparison.at, comparison.count - 1);
    press(&comparison, "n");
    assert_string_equal(comparison.message, "this is the last difference");
    press(&comparison, "q");
    assert_true(comparison.quit);
    close_two(&comparison, traces);
}

int main(void) {
    enum { COUNT = sizeof screens / sizeof *screens };
    struct CMUnitTest tests[COUNT + 3] = {
        cmocka_unit_test(all_pairs_fit),
        cmocka_unit_test(keys_go_from_difference_to_difference),
        cmocka_unit_test(key_bars_are_as_reviewed),
    };
    for (int i = 0; i < COUNT; i++)
        tests[i + 3] = (struct CMUnitTest){.name = screens[i].name,
                                           .test_func = screen_is_as_reviewed,
                                           .initial_state = (void *)&screens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
