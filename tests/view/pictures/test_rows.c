/*
 * Properties of single views, with recordings made for them.
 */
#include "view/moment.h"
#include "view/view.h"

#include "made.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONG = 100, FEW = 6 };

static const char *const emulated[] = {
    TRACE_NOTE_DEVICE, "cpu", TRACE_NOTE_RECORDED, "emulated", TRACE_NOTE_SHARED,
    "0 512 t\n",       NULL};

/* Exchanges of two-digit values, or of values as large as `value`. */
static struct trace *open_rounds(unsigned bytes, enum warp_type type, int64_t value, size_t count) {
    struct made_step steps[LONG];
    for (size_t i = 0; i < count; i++)
        steps[i] = (struct made_step){.op = WARP_OP_XOR,
                                      .arg = 1 + (int32_t)i % 31,
                                      .width = 32,
                                      .value = value,
                                      .slope = 1,
                                      .text = "__shfl_xor_sync(0xffffffff, v, m)"};
    return made_open(bytes, type, steps, count, NULL, emulated);
}

static const struct made_step mixed[] = {
    {.op = WARP_OP_IDX, .arg = 3, .width = 32, .value = 5, .slope = 0, .text = "f(a)"},
    {.op = WARP_OP_UP, .arg = 12, .width = 16, .value = 5, .slope = 0, .text = "f(a)"},
    {.op = WARP_OP_DOWN, .arg = 1, .width = 32, .value = 100, .slope = 1, .text = "f(a)"},
    {.op = WARP_OP_BALLOT, .value = 1, .slope = 0, .text = "__ballot_sync(m, p)"},
    {.op = WARP_OP_REDUCE_ADD, .value = -12345678, .slope = -1, .text = "__reduce_add_sync(m, v)"},
    {.op = WARP_OP_WATCH, .value = 7, .slope = 0, .text = "WATCH(partial_sum, 3)"},
    {.op = WARP_OP_WATCH, .value = 7, .slope = 0, .text = "count"},
    {.op = WARP_OP_SYNC, .text = "__syncwarp()"},
};
#define MIXED (sizeof mixed / sizeof *mixed)

static struct trace *open_recording(const char *name) {
    if (strcmp(name, "long") == 0)
        return open_rounds(4, WARP_TYPE_INT, 0, LONG);
    if (strcmp(name, "few") == 0)
        return open_rounds(4, WARP_TYPE_INT, 0, FEW);
    if (strcmp(name, "wide") == 0)
        return open_rounds(8, WARP_TYPE_LONG_LONG, 1234567890123, FEW);
    if (strcmp(name, "mixed") == 0)
        return made_open(4, WARP_TYPE_INT, mixed, MIXED, NULL, emulated);
    return sample_open(name);
}

/* In a narrow picture, a group letter that all lanes share is dropped. Lanes that make no call do
 * not count: with groups of 16, there is one group if only lanes 0-15 take part, otherwise two. */
static void the_history_names_groups_where_there_are_several(void **state) {
    (void)state;
    static const uint32_t present[] = {0xffff, UINT32_MAX};
    for (size_t i = 0; i < 2; i++) {
        const struct made_step step = {.op = WARP_OP_XOR,
                                       .arg = 1,
                                       .width = 16,
                                       .members = present[i],
                                       .value = 1234567890,
                                       .text = "f(a)"};
        struct trace *trace = made_open(4, WARP_TYPE_INT, &step, 1, NULL, emulated);
        struct replay replay;
        struct moment moment;
        struct grid grid;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        assert_true(moment_init(&moment, &replay));
        grid_init(&grid, 20, 36, false);
        draw_history(grid_area(&grid), &moment);
        char *text = grid_to_text(&grid, false);
        assert_int_equal(strstr(text, "A\u258c 0") != NULL, i == 1);
        assert_non_null(strstr(text, "\u258c 0"));
        free(text);
        grid_release(&grid);
        trace_close(trace);
    }
}

/* As moment.h promises, the columns suffice to show whole values of all operations, up to 64. The
 * lane number takes 5 columns, and there is a margin on either side; each operation, and the
 * result, is as wide as its longest value or name, with 3 columns in between. */
static void the_history_has_the_columns_it_needs(void **state) {
    (void)state;
    static const struct {
        const char *recording;
        int columns;
    } needs[] = {{"few", 7 + 7 * (3 + 3)}, /* at least three cells */
                 {"wide", 7 + 7 * (13 + 3)},
                 {"mixed", 7 + 9 * (9 + 3)}, /* -12345678; a name uses 2 columns of the gap */
                 {"long", 7 + 65 * (3 + 3)}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        struct trace *trace = open_recording(needs[i].recording);
        struct replay replay;
        struct moment moment;
        struct grid grid;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        assert_true(moment_init(&moment, &replay));
        assert_int_equal(history_natural_columns(&moment), needs[i].columns);
        grid_init(&grid, needs[i].columns, 36, false);
        draw_history(grid_area(&grid), &moment);
        char *text = grid_to_text(&grid, false);
        assert_null(strstr(text, "\u2026"));
        free(text);
        grid_release(&grid);
        trace_close(trace);
    }
}

/* A table of long values needs more columns than its heading and its call. It has as many as it
 * needs and no more, so that the last letter of "out" is in the last column. */
static void a_table_is_as_wide_as_it_needs(void **state) {
    (void)state;
    struct trace *trace = open_recording("wide");
    struct replay replay;
    struct grid grid;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    grid_init(&grid, 1, 1, false);
    view_draw_table(&grid, &replay, 1);
    assert_int_equal(grid.cells[4 * grid.columns - 1].glyph, 't');
    grid_release(&grid);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_history_names_groups_where_there_are_several),
        cmocka_unit_test(the_history_has_the_columns_it_needs),
        cmocka_unit_test(a_table_is_as_wide_as_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
