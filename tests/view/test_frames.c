/*
 * The message in place of the views in a terminal that is too small for them.
 */
#include "view/moment.h"
#include "view/view.h"

#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* The minimum is 60 columns and 20 rows: at 59 or 19 there is only one line, in the middle. */
static void too_small_is_reported_in_the_middle(void **state) {
    (void)state;
    static const struct {
        int columns, rows, x, y;
        const char *text;
    } cases[] = {{59, 20, 18, 10, "needs 60x20, has 59x20"},
                 {60, 19, 19, 9, "needs 60x20, has 60x19"},
                 {22, 3, 0, 1, "needs 60x20, has 22x3"},
                 {21, 3, 0, 1, "needs 60x20, has 21x3"},
                 {20, 4, 4, 2, "needs 60x20"},
                 {11, 1, 0, 0, "needs 60x20"},
                 {10, 1, 2, 0, "60x20"},
                 {5, 1, 0, 0, "60x20"},
                 {4, 1, 0, 0, "60x\u2026"},
                 {1, 1, 0, 0, "\u2026"}};
    struct trace *trace = sample_open("xor-3-w16");
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid, expected;
        grid_init(&grid, cases[i].columns, cases[i].rows, false);
        grid_init(&expected, cases[i].columns, cases[i].rows, false);
        view_draw(&grid, &replay);
        area_text(grid_area(&expected), cases[i].x, cases[i].y, cases[i].text,
                  style_role(STYLE_BAD));
        char *text = grid_to_text(&grid, true), *wanted = grid_to_text(&expected, true);
        assert_string_equal(text, wanted);
        free(text);
        free(wanted);
        grid_release(&grid);
        grid_release(&expected);
    }
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(too_small_is_reported_in_the_middle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
