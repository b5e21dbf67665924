/*
 * The overview of a recording: its counts worked out by hand, what its keys do, and screens as
 * reviewed text (see test_screens.c).
 *
 * The sample `program` has launch 0, sum, 2 warps of 2 steps; launch 1, vote, 2 warps of 1 step;
 * launch 2, sum, 1 warp of 1 step in which lanes 4-7 read lanes 8-11, which the mask 0xff omits;
 * launch 3, of which nothing was recorded.
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

/* Key names separated by blanks. */
static void press(struct overview *overview, const char *keys) {
    char copy[128];
    snprintf(copy, sizeof copy, "%s", keys);
    char *rest = copy;
    for (char *key; (key = strsep(&rest, " "));)
        if (*key)
            overview_key(overview, overview_press(overview, key));
}

static void open_counted(struct overview *overview, struct trace **trace, const char *sample) {
    *trace = sample_open(sample);
    overview_init(overview, *trace);
    while (overview_tick(overview))
        continue;
}

static void close_all(struct overview *overview, struct trace *trace) {
    overview_release(overview);
    trace_close(trace);
}

/* ---- counts ---- */

struct expected {
    uint64_t warps, steps, undefined, findings, first;
};

static void check_rows(const struct census *census, enum census_kind kind,
                       const struct expected *expected, size_t count) {
    assert_int_equal(census->count[kind], count);
    for (size_t i = 0; i < count; i++) {
        const struct census_row *row = &census->rows[kind][i];
        assert_int_equal(row->warps, expected[i].warps);
        assert_int_equal(row->steps, expected[i].steps);
        assert_int_equal(row->undefined, expected[i].undefined);
        assert_int_equal(row->findings, expected[i].findings);
        assert_int_equal(row->first, expected[i].first);
    }
}

static void everything_is_counted(void **state) {
    (void)state;
    struct trace *trace;
    struct overview overview;
    open_counted(&overview, &trace, "program");
    const struct census *census = &overview.census;
    static const struct expected launches[] = {
        {2, 4, 0, 0, 0}, {2, 2, 0, 0, 4}, {1, 1, 4, 1, 6}, {0, 0, 0, 0, UINT64_MAX}};
    static const struct expected kernels[] = {
        {3, 5, 4, 1, 0}, {2, 2, 0, 0, 4}, {0, 0, 0, 0, UINT64_MAX}};
    static const struct expected lines[] = {{0, 4, 0, 0, 0}, {0, 2, 0, 0, 4}, {0, 1, 4, 1, 6}};
    check_rows(census, CENSUS_LAUNCHES, launches, 4);
    check_rows(census, CENSUS_KERNELS, kernels, 3);
    check_rows(census, CENSUS_LINES, lines, 3);
    assert_int_equal(census->rows[CENSUS_KERNELS][0].launches, 2);
    assert_int_equal(census->count[CENSUS_FINDINGS], 1);
    const struct census_row *finding = &census->rows[CENSUS_FINDINGS][0];
    assert_string_equal(finding->rule, "source_lane_not_in_mask");
    assert_int_equal(finding->steps, 1);
    assert_int_equal(finding->lanes, 0xf0);
    assert_int_equal(finding->first, 6);
    assert_int_equal(census->damaged, 0);
    close_all(&overview, trace);
}

/* One finding is about an operation, with its line; the other is the end of the run, without a
 * line. */
static void a_stopped_run_is_a_finding(void **state) {
    (void)state;
    struct trace *trace;
    struct overview overview;
    open_counted(&overview, &trace, "stopped");
    const struct census *census = &overview.census;
    assert_int_equal(census->count[CENSUS_FINDINGS], 2);
    assert_string_equal(census->rows[CENSUS_FINDINGS][0].rule, "not_participating_lane_in_mask");
    assert_int_equal(census->rows[CENSUS_FINDINGS][0].lanes, 0xff00);
    assert_string_equal(census->rows[CENSUS_FINDINGS][1].rule, "deadlock");
    assert_int_equal(census->rows[CENSUS_FINDINGS][1].first, 2);
    close_all(&overview, trace);
}

static void counting_goes_piece_by_piece(void **state) {
    (void)state;
    struct trace *trace = sample_open("program");
    struct census census;
    census_init(&census, trace);
    assert_int_equal(census_percent(&census), 0);
    int pieces = 0;
    while (census_count(&census, 1))
        pieces++;
    /* Five warps, two at a time, then seven steps, one at a time; there is no extra piece after the
     * last. */
    assert_in_range(pieces, 7, 10);
    assert_int_equal(census.steps, 7);
    assert_int_equal(census_percent(&census), 100);
    census_release(&census);
    trace_close(trace);
}

/* Launch i launches kernel i % 3000: each kernel has one row, however many there are. */
static void many_kernels_are_told_apart(void **state) {
    (void)state;
    struct trace_writer *writer;
    struct trace_writer_options options = {.value_bytes = 4};
    struct error err = ERROR_INIT;
    struct trace *trace;
    struct census census;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    for (unsigned i = 0; i < 7000; i++) {
        char name[16];
        snprintf(name, sizeof name, "kernel_%u", i % 3000);
        struct trace_launch launch = {name, {1, 1, 1}, {32, 1, 1}, 0};
        trace_writer_launch(writer, &launch);
    }
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    census_init(&census, trace);
    while (census_count(&census, 1000))
        continue;
    assert_int_equal(census.count[CENSUS_LAUNCHES], 7000);
    assert_int_equal(census.count[CENSUS_KERNELS], 3000);
    for (uint32_t i = 0; i < 3000; i++) { /* 7000 = 2 * 3000 + 1000 */
        assert_int_equal(census.rows[CENSUS_KERNELS][i].launch, i);
        assert_int_equal(census.rows[CENSUS_KERNELS][i].launches, i < 1000 ? 3 : 2);
    }
    census_release(&census);
    trace_close(trace);
}

/* ---- keys ---- */

static void a_row_leads_to_its_first_step(void **state) {
    (void)state;
    struct trace *trace;
    struct overview overview;
    struct replay replay;
    uint64_t step;
    open_counted(&overview, &trace, "program");
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_int_equal(overview.kind, CENSUS_LAUNCHES);
    assert_false(overview_take_choice(&overview, &step));
    press(&overview, "Down Down Enter");
    assert_true(overview_take_choice(&overview, &step));
    assert_int_equal(step, 6);
    assert_true(replay_go_step(&replay, step));
    assert_int_equal(replay.cursor.warp.launch, 2);
    assert_int_equal(replay.cursor.position, 0);
    /* Launch 3 has no step; the selection stays at the end. */
    press(&overview, "Down Down Enter");
    assert_false(overview_take_choice(&overview, &step));
    assert_string_equal(overview.message, "none of its steps was recorded");
    press(&overview, "v");
    assert_true(overview_take_leave(&overview));
    press(&overview, "q");
    assert_true(overview.quit);
    close_all(&overview, trace);
}

static void rows_are_sorted_and_filtered(void **state) {
    (void)state;
    struct trace *trace;
    struct overview overview;
    open_counted(&overview, &trace, "program");
    press(&overview, "3 G s"); /* most steps first: lines 7, 20, 9 */
    assert_int_equal(overview.order, OVERVIEW_BY_STEPS);
    assert_int_equal(overview.shown[0], 0);
    assert_int_equal(overview.shown[2], 2);
    assert_int_equal(overview.selected, 2); /* the row that was selected */
    press(&overview, "s");                  /* most findings first */
    assert_int_equal(overview.shown[0], 2);
    assert_int_equal(overview.selected, 0);
    press(&overview, "/ B A L L Enter"); /* an operation's name, in upper or lower case */
    assert_int_equal(overview.shown_count, 1);
    assert_int_equal(overview.shown[0], 1);
    press(&overview, "Escape");
    assert_int_equal(overview.shown_count, 3);
    assert_false(overview.left);
    press(&overview, "/ n o n e Enter");
    assert_int_equal(overview.shown_count, 0);
    press(&overview, "Enter Down G");
    assert_false(overview.chosen);
    press(&overview, "Escape Escape");
    assert_true(overview.left);
    close_all(&overview, trace);
}

static const char *printed(const struct overview *overview, size_t place) {
    static char text[256];
    const struct printed_line *line =
        &overview->census.rows[CENSUS_OUTPUT][overview->shown[place]].printed;
    snprintf(text, sizeof text, "%.*s", (int)line->length, line->piece ? line->text : "");
    return text;
}

/* Before step 0, between steps 0 and 1, and after step 1; one more row for the part that was not
 * kept. */
static void printed_lines_are_a_list(void **state) {
    (void)state;
    struct trace *trace;
    struct overview overview;
    struct replay replay;
    uint64_t step;
    open_counted(&overview, &trace, "printing");
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    assert_true(replay_key(&replay, replay_press(&replay, "P")));
    assert_int_equal(replay_take_overview(&replay), REPLAY_OVERVIEW_OUTPUT);
    overview_show_output(&overview, replay.cursor.step.number);
    assert_int_equal(overview.kind, CENSUS_OUTPUT);
    assert_int_equal(overview.shown_count, 5);
    assert_string_equal(printed(&overview, 0), "begins");
    assert_string_equal(printed(&overview, 1), "round\t1: ?[32mfine?[0m");
    assert_string_equal(printed(&overview, 3), "sum = ");
    assert_int_equal(overview.selected, 0); /* at step 0 only this line had been printed */
    overview_show_output(&overview, 1);
    assert_int_equal(overview.selected, 2);
    press(&overview, "Enter"); /* the step before the line */
    assert_true(overview_take_choice(&overview, &step));
    assert_int_equal(step, 0);
    press(&overview, "G Enter"); /* the part that was not kept has no step */
    assert_false(overview_take_choice(&overview, &step));
    press(&overview, "/ W A R N Enter"); /* that part is shown whatever text is searched for */
    assert_int_equal(overview.shown_count, 2);
    assert_memory_equal(printed(&overview, 0), "a warning", 9);
    close_all(&overview, trace);
}

static void a_program_that_prints_nothing_has_no_list(void **state) {
    (void)state;
    struct trace *trace;
    struct overview overview;
    struct replay replay;
    open_counted(&overview, &trace, "program");
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    replay_key(&replay, replay_press(&replay, "P"));
    assert_int_equal(replay_take_overview(&replay), REPLAY_NO_OVERVIEW);
    assert_string_equal(replay.message, "the program printed nothing");
    press(&overview, "4 Tab");
    assert_int_equal(overview.kind, CENSUS_LAUNCHES);
    press(&overview, "5");
    assert_int_equal(overview.kind, CENSUS_LAUNCHES);
    assert_string_equal(overview.message, "the program printed nothing");
    close_all(&overview, trace);
}

/* ---- screens ---- */

struct screen {
    const char *name, *sample;
    int columns, rows; /* rows is 0 for the text of --overview */
    const char *keys;
    bool ascii, uncounted;
};

static const struct screen screens[] = {
    {"overview-launches-80x24", "program", 80, 24, "", false, false},
    {"overview-kernels-80x24", "program", 80, 24, "2", false, false},
    {"overview-findings-80x24", "program", 80, 24, "4", false, false},
    {"overview-stopped-80x24", "stopped", 80, 24, "4 Down", false, false},
    {"overview-filter-80x24", "program", 80, 24, "/ s u m", false, false},
    {"overview-help-80x24", "program", 80, 24, "?", false, false},
    {"overview-text", "program", 80, 0, "", false, false},
    {"output-60x20-ascii", "printing", 60, 20, "P j j", true, false},
    {"zh-output-80x24", "printing", 80, 24, "5 G", false, false},
    {"zh-overview-text", "program", 80, 0, "", false, false},
};

static char *draw(const struct screen *screen) {
    struct trace *trace = sample_open(screen->sample);
    struct overview overview;
    struct replay replay;
    struct grid grid;
    message_language_use(strncmp(screen->name, "zh-", 3) == 0 ? "zh" : "en");
    overview_init(&overview, trace);
    while (!screen->uncounted && overview_tick(&overview))
        continue;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    press(&overview, screen->keys);
    grid_init(&grid, screen->columns, screen->rows, screen->ascii);
    if (screen->rows > 0)
        view_draw_overview(&grid, &overview, &replay);
    else
        view_draw_overview_table(&grid, &overview.census, screen->columns);
    assert_false(grid.failed_to_fit);
    char *text = grid_to_text(&grid, true);
    grid_release(&grid);
    close_all(&overview, trace);
    message_language_use("en");
    return text;
}

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state;
    if (screen->rows == 0)
        reviewed_compare(SCREENS_FOLDER, screen->name, draw(screen));
    else if (screen > screens && strcmp(screen->sample, screens[0].sample) == 0 &&
             screen->keys[0] != '?')
        reviewed_change(SCREENS_FOLDER, screen->name, screen->keys, draw(&screens[0]),
                        draw(screen));
    else
        reviewed_screen(SCREENS_FOLDER, screen->name, screen->keys, draw(screen));
}

static void key_bars_are_as_reviewed(void **state) {
    (void)state;
    struct reviewed_bars bars = {0};
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        if (screens[i].rows > 0)
            reviewed_bar(&bars, screens[i].name, draw(&screens[i]));
    reviewed_bars_compare(SCREENS_FOLDER, "key-bars-overview", &bars);
}

static void it_fits_at_every_size(void **state) {
    (void)state;
    for (const char *const *name = sample_names(); *name; name++) {
        struct trace *trace;
        struct overview overview;
        struct replay replay;
        struct grid grid;
        open_counted(&overview, &trace, *name);
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        grid_init(&grid, 1, 1, true);
        for (int columns = 60; columns <= 200; columns += 7)
            for (int rows = 20; rows <= 60; rows += 20) {
                press(&overview, "Tab Down");
                grid_resize(&grid, columns, rows);
                view_draw_overview(&grid, &overview, &replay);
                if (grid.failed_to_fit)
                    fail_msg("%s, list %d at %dx%d is cut", *name, (int)overview.kind, columns,
                             rows);
            }
        grid_release(&grid);
        close_all(&overview, trace);
    }
}

int main(void) {
    enum { COUNT = sizeof screens / sizeof *screens };
    struct CMUnitTest tests[COUNT + 10] = {
        cmocka_unit_test(everything_is_counted),
        cmocka_unit_test(a_stopped_run_is_a_finding),
        cmocka_unit_test(counting_goes_piece_by_piece),
        cmocka_unit_test(many_kernels_are_told_apart),
        cmocka_unit_test(a_row_leads_to_its_first_step),
        cmocka_unit_test(rows_are_sorted_and_filtered),
        cmocka_unit_test(printed_lines_are_a_list),
        cmocka_unit_test(a_program_that_prints_nothing_has_no_list),
        cmocka_unit_test(it_fits_at_every_size),
        cmocka_unit_test(key_bars_are_as_reviewed),
    };
    for (int i = 0; i < COUNT; i++)
        tests[10 + i] = (struct CMUnitTest){.name = screens[i].name,
                                            .test_func = screen_is_as_reviewed,
                                            .initial_state = (void *)&screens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
