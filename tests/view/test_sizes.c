/*
 * More room never makes a screen worse: a larger screen shows everything that a smaller one does,
 * in the views that it opens with, and a lane never has fewer columns.
 */
#include "view/moment.h"
#include "view/view.h"

#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int sizes[][2] = {{60, 20},  {80, 24},  {100, 30}, {118, 36}, {120, 40},
                               {140, 45}, {160, 50}, {200, 60}, {250, 80}};
#define SIZES (sizeof sizes / sizeof *sizes)

struct shown {
    bool lanes[WARP_LANES]; /* in the table or among the wires */
    bool call;              /* the whole line of the call, in the source */
    bool explanation;       /* the selected lane's action */
    int pitch;              /* columns from lane to lane of the wires; 0 if there are none */
};

/* The distance between adjacent nodes in the first row that has 32 of them; 0 if there is none. */
static int pitch_of(const struct grid *grid) {
    for (int y = 0; y < grid->rows; y++) {
        int at[WARP_LANES], count = 0;
        for (int x = 0; x < grid->columns; x++) {
            const struct cell *cell = &grid->cells[y * grid->columns + x];
            if (cell->glyph == 0x25cf && cell->hit.action == ACTION_LANE_GO && count < WARP_LANES)
                at[count++] = x;
        }
        if (count == WARP_LANES)
            return at[1] - at[0];
    }
    return 0;
}

static struct shown look(const struct replay *replay, const char *call, const char *words,
                         int columns, int rows) {
    struct shown shown = {.pitch = 0};
    struct grid grid;
    grid_init(&grid, columns, rows, false);
    view_draw(&grid, replay);
    for (int i = 0; i < grid.columns * grid.rows; i++)
        if (grid.cells[i].hit.action == ACTION_LANE_GO)
            shown.lanes[grid.cells[i].hit.argument] = true;
    shown.pitch = pitch_of(&grid);
    char *text = grid_to_text(&grid, false);
    const char *line = text;
    for (int i = 0; i < 4 && line; i++) /* the head has the call, too */
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    shown.call = line && strstr(line, call);
    shown.explanation = strstr(text, words);
    free(text);
    grid_release(&grid);
    return shown;
}

static void larger_shows_more(const char *sample, const char *keys, const char *call,
                              const char *words) {
    struct trace *trace = sample_open(sample);
    struct replay replay;
    struct shown shown[SIZES];
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    script_run(&replay, keys);
    for (size_t i = 0; i < SIZES; i++) {
        shown[i] = look(&replay, call, words, sizes[i][0], sizes[i][1]);
        for (size_t k = 0; k < i; k++) {
            const char *lost = NULL;
            for (int lane = 0; lane < WARP_LANES; lane++)
                lost = shown[k].lanes[lane] && !shown[i].lanes[lane] ? "a lane" : lost;
            lost = shown[k].call && !shown[i].call ? "the call" : lost;
            lost = shown[k].explanation && !shown[i].explanation ? "the explanation" : lost;
            lost = shown[k].pitch > shown[i].pitch ? "width of the wires" : lost;
            if (lost)
                fail_msg("%s, %s: %dx%d lacks %s, which %dx%d has", sample, keys, sizes[i][0],
                         sizes[i][1], lost, sizes[k][0], sizes[k][1]);
        }
    }
    /* The largest screen shows everything; wires appear from 100x30 on, with three columns per
     * lane. */
    assert_true(shown[SIZES - 1].call && shown[SIZES - 1].explanation);
    assert_true(shown[2].pitch >= 3);
    assert_true(shown[SIZES - 2].pitch >= 5);
    trace_close(trace);
}

static void one_shuffle(void **state) {
    (void)state;
    larger_shows_more("xor-3-w16", "5j lll", "__shfl_xor_sync(0xffffffff, value, laneMask, width);",
                      "lane 5, group A (0-15)");
    larger_shows_more("xor-3-w16", "5j lll 2 Escape",
                      "__shfl_xor_sync(0xffffffff, value, laneMask, width);",
                      "lane 5, group A (0-15)");
}

static void a_reduction(void **state) {
    (void)state;
    larger_shows_more("reduce", "5j n lll 1 Escape",
                      "sum += __shfl_xor_sync(0xffffffff, sum, offset);", "lane 5, group A (0-31)");
}

/* All rounds: nothing disappears here either, although narrow screens show nothing else beside
 * them. */
static void all_rounds(void **state) {
    (void)state;
    struct trace *trace = sample_open("reduce");
    struct replay replay;
    int pitch = 0;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    for (size_t i = 0; i < SIZES; i++) {
        const struct shown shown = look(&replay, "-", "lane 0", sizes[i][0], sizes[i][1]);
        for (int lane = 0; lane < WARP_LANES; lane++)
            assert_true(shown.lanes[lane]);
        assert_true(shown.explanation);
        assert_true(shown.pitch == 0 || shown.pitch >= pitch); /* 0: values in place of nodes */
        pitch = shown.pitch ? shown.pitch : pitch;
    }
    trace_close(trace);
}

/* The table alone in an area: the lane whose row has the cell; -1 for none. */
static int lane_at(const struct grid *grid, int x, int y) {
    const struct cell *cell = &grid->cells[y * grid->columns + x];
    return cell->hit.action == ACTION_LANE_GO ? (int)cell->hit.argument : -1;
}

/* 32 lanes and their heading take 33 rows; in fewer rows, the table has two halves side by side.
 * Except for a margin of one column on either side, the whole row selects its lane. */
static void the_table_is_one_column_where_it_fits(void **state) {
    (void)state;
    struct trace *trace = sample_open("xor-3-w16");
    struct replay replay;
    struct moment moment;
    struct grid grid;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_true(moment_init(&moment, &replay));
    grid_init(&grid, 100, 33, false);
    draw_lanes(grid_area(&grid), &moment);
    assert_int_equal(lane_at(&grid, 1, 0), -1);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        assert_int_equal(lane_at(&grid, 0, lane + 1), -1);
        for (int x = 1; x < 30; x++)
            assert_int_equal(lane_at(&grid, x, lane + 1), lane);
    }
    grid_resize(&grid, 100, 32);
    draw_lanes(grid_area(&grid), &moment);
    assert_int_equal(lane_at(&grid, 5, 1), 0);
    assert_int_equal(lane_at(&grid, 5, 16), 15);
    assert_int_equal(lane_at(&grid, 5, 17), -1);
    bool beside = false;
    for (int x = 30; x < 100; x++)
        beside = beside || lane_at(&grid, x, 1) == 16;
    assert_true(beside);
    grid_release(&grid);
    trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_shuffle), cmocka_unit_test(a_reduction),
                                       cmocka_unit_test(all_rounds),
                                       cmocka_unit_test(the_table_is_one_column_where_it_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
