/*
 * Screens as reviewed text: a recording, a size, a key script, and the reviewed screen, in
 * screens/NAME.txt (reviewed.h). Most files begin with the row below the tabs: the files of whole
 * screens have the rows above it, and test_fit.c has rules for those rows at every size.
 *
 *     UPDATE_SCREENS=1 ctest -R view_screens      rewrites them; read the diff before committing it
 */
#include "base/message.h"
#include "view/view.h"

#include "reviewed.h"
#include "sample.h"
#include "sample_lines.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FIGURE (-1)

struct screen {
    const char *name;   /* the file's name; "zh-..." is Chinese, "part-..." begins below the tabs */
    const char *sample; /* see sample.c */
    int columns, rows;  /* 0 rows: the table of --format text; FIGURE: as exported */
    const char *keys;
    bool ascii;
};

static const struct screen screens[] = {
    /* The five phases of one exchange. */
    {"part-xor-3-before-80x24", "xor-3-w16", 80, 24, "5j", false},
    {"part-xor-3-address-80x24", "xor-3-w16", 80, 24, "5j l", false},
    {"part-xor-3-range-80x24", "xor-3-w16", 80, 24, "5j ll", false},
    {"part-xor-3-move-80x24", "xor-3-w16", 80, 24, "5j lll", false},
    {"xor-3-after-80x24", "xor-3-w16", 80, 24, "5j llll", false},
    /* Each operation in a phase that shows its rule. */
    {"part-down-3-range-80x24", "down-3-w16", 80, 24, "13j ll", false},
    {"up-40-range-60x20", "up-40-w8", 60, 20, "6j ll", false},
    {"part-idx-17-after-60x20", "idx-17-w16", 60, 20, "20j llll", false},
    /* Undefined or absent lanes. */
    {"part-partial-mask-after-80x24", "partial-mask", 80, 24, "5j llll", false},
    {"threads-35-after-80x24", "threads-35", 80, 24, "w jj llll", false},
    {"part-width-12-after-80x24", "width-12", 80, 24, "9j llll", false},
    /* A GPU's result for such a lane is mentioned, but no column shows it. */
    {"measured-35-explain-80x24", "measured-35", 80, 24, "w llll 5 Escape", false},
    {"part-zh-measured-35-explain-80x24", "measured-35", 80, 24, "w llll 5 Escape", false},
    /* Wide values. */
    {"part-long-long-after-80x24", "long-long", 80, 24, "20j llll", false},
    {"part-double-after-60x20", "double", 60, 20, "9j llll", false},
    {"part-extreme-after-60x40", "extreme", 60, 40, "9j llll", false},
    /* A recording that contradicts the rules. */
    {"wrong-after-80x24", "wrong", 80, 24, "6j llll", false},
    /* An operation that never ended, and the moment after it. */
    {"waiting-end-80x24", "waiting", 80, 24, "3j lllll", false},
    /* A vote as bits: the predicates, the bits, their sum, and lanes without a predicate. */
    {"bits-ballot-after-80x24-ascii", "ballot", 80, 24, "3j ll 2 Escape", true},
    {"part-bits-ballot-after-60x20", "ballot", 60, 20, "3j ll 2 Escape", false},
    {"part-lanes-ballot-after-80x24", "ballot", 80, 24, "3j ll", false},
    {"part-bits-any-after-80x24", "any", 80, 24, "ll 2 Escape", false},
    {"part-bits-stray-after-80x24", "stray", 80, 24, "4j ll 2 Escape", false},
    {"part-bits-activemask-after-80x24", "ballot", 80, 24, "n ll 2 Escape", false},
    {"part-zh-bits-ballot-after-80x24", "ballot", 80, 24, "3j ll 2 Escape", false},
    /* Shared memory: writers, readers, the banks; the view opens by itself. */
    {"part-memory-write-after-80x24", "shared", 80, 24, "ll 5j", false},
    {"part-memory-read-address-80x24-ascii", "shared", 80, 24, "n l 9j", true},
    {"part-memory-read-after-120x40", "shared", 120, 40, "n ll 9j", false},
    {"part-memory-read-after-200x60", "shared", 200, 60, "n ll 9j", false},
    {"part-memory-atomic-address-80x24", "shared", 80, 24, "nn l 3j", false},
    /* Rows beyond the edge: the selected lane's row is always shown. */
    {"part-zh-memory-column-100x30", "column", 100, 30, "l 31j", false},
    {"part-global-read-address-60x20", "global", 60, 20, "n l 9j", false},
    {"global-read-after-200x60", "global", 200, 60, "ll 9j", false},
    {"part-global-members-address-120x40", "global", 120, 40, "n l 9j", false},
    {"part-global-quads-address-80x24", "global", 80, 24, "nnn l 3j", false},
    {"part-zh-global-read-address-80x24", "global", 80, 24, "l 9j", false},
    {"part-zh-memory-read-lanes-80x24", "shared", 80, 24, "n ll 9j 1 Escape", false},
    /* Groups of equal values; the case of a single group. */
    {"part-groups-match-after-60x20-ascii", "match", 60, 20, "4j ll 2 Escape", true},
    {"part-lanes-match-after-80x24", "match", 80, 24, "4j ll", false},
    {"part-groups-match-differ-80x24", "match", 80, 24, "n ll 2 Escape", false},
    {"part-groups-match-many-80x24", "match", 80, 24, "nnn 4j ll 2 Escape", false},
    {"part-zh-groups-match-all-80x24", "match", 80, 24, "nn 4j ll 2 Escape", false},
    /* A reduction as arithmetic. */
    {"part-arithmetic-min-after-80x24", "reductions", 80, 24, "ll 2 Escape", false},
    {"part-arithmetic-and-after-60x20", "reductions", 60, 20, "nn ll 2 Escape", false},
    /* A barrier, closed and open; where a run stopped, seen from either warp. */
    {"part-waits-barrier-after-80x24", "barrier", 80, 24, "n l 2 Escape", false},
    {"part-waits-stopped-60x20-ascii", "stopped", 60, 20, "G 2 Escape", true},
    {"part-waits-stopped-other-80x24", "stopped", 80, 24, "w llll 2 Escape", false},
    {"part-zh-waits-stopped-80x24", "stopped", 80, 24, "G 2 Escape", false},
    /* The other views. */
    {"part-wires-xor-16-range-80x24-ascii", "xor-16-w16", 80, 24, "20j ll 2 Escape", true},
    {"part-wires-partial-mask-range-80x24", "partial-mask", 80, 24, "5j ll 2 Escape", false},
    {"part-wires-votes-after-80x24", "votes", 80, 24, "n ll 2 Escape", false},
    {"part-history-long-long-120x40", "long-long", 120, 40, "20j llll 3 Escape", false},
    {"part-explain-xor-16-80x24", "xor-16-w16", 80, 24, "5j llll 5 Escape", false},
    /* All rounds: a butterfly, a tree, a scan, a sort; registers as a matrix. */
    {"part-rounds-butterfly-100x30", "reduce", 100, 30, "9j nn lll", false},
    {"part-rounds-butterfly-60x20", "reduce", 60, 20, "9j nn lll", false},
    {"part-rounds-butterfly-80x24-ascii", "reduce", 80, 24, "9j nn lll", true},
    {"rounds-tree-100x30", "tree", 100, 30, "n lll", false},
    {"part-rounds-scan-80x24", "scan", 80, 24, "13j n lll", false},
    {"part-rounds-sort-80x24", "sort", 80, 24, "2j lll", false},
    {"part-rounds-asked-80x24", "reduce", 80, 24, "9j nn lll p", false},
    {"part-rounds-transpose-80x24", "transpose", 80, 24, "jj n", false},
    {"part-rounds-transpose-60x20", "transpose", 60, 20, "30j", false},
    /* Line by line: changed variables, unset ones, lanes that diverge, an operation. */
    {"variables-begin-80x24", "lines", 80, 24, "", false},
    {"part-variables-parted-80x24", "lines", 80, 24, "4l 20j", false},
    {"part-variables-parted-60x20-ascii", "lines", 60, 20, "4l 3j", true},
    {"variables-operation-120x54", "lines", 120, 54, "n 5j", false},
    {"part-zh-variables-after-100x42", "lines", 100, 42, "G 5j", false},
    /* The final value of the passed variable. */
    {"part-history-after-80x24", "lines", 80, 24, "G 5j 3 Escape", false},
    {"part-history-after-before-100x42", "lines", 100, 42, "5j 3 Escape", false},
    /* The origins of a variable and of results, and how to record them. */
    {"part-whose-variable-80x24", "whose", 80, 24, "G 20j o", false},
    {"part-whose-next-variable-120x40", "whose", 120, 40, "G 20j oo", false},
    {"part-whose-got-60x20-ascii", "whose", 60, 20, "1 Escape 20j o", true},
    {"part-whose-path-wires-80x24", "whose", 80, 24, "G 20j o 2 +600ms", false},
    {"whose-path-source-60x20-ascii", "whose", 60, 20, "G 20j o 4 +600ms", true},
    {"whose-none-80x24", "lines", 80, 24, "G o", false},
    {"zh-whose-variable-80x24", "whose", 80, 24, "G 3j o", false},
    /* Lanes beside the lines that they are on: where the run stopped, and where lanes part. */
    {"part-source-stopped-80x24", "stopped", 80, 24, "G 4 Escape", false},
    {"part-source-parted-asked-80x24", "parted", 80, 24, "4 Escape p Tab Tab", false},
    /* Several views together. */
    {"reduce-move-120x40", "reduce", 120, 40, "6j nn lll 1 Escape", false},
    {"history-reduce-120x40", "reduce", 120, 40, "6j G 3 Escape", false},
    {"reduce-after-200x60", "reduce", 200, 60, "6j n llll 1 Escape", false},
    /* Questions, messages, help, no room. */
    {"predict-asked-80x24", "xor-3-w16", 80, 24, "5j lll p 6", false},
    {"part-predict-right-80x24", "xor-3-w16", 80, 24, "5j p 6 Enter", false},
    {"dropped-60x20", "dropped", 60, 20, "", false},
    {"find-80x24", "reduce", 80, 24, "1 Escape / x o", false},
    {"part-count-80x24", "reduce", 80, 24, "1 Escape 10", false},
    {"help-120x40-ascii", "xor-3-w16", 120, 40, "?", true},
    {"too-small-40x10", "xor-3-w16", 40, 10, "", false},
    /* In Chinese, whose characters take two cells. */
    {"zh-lanes-after-60x20", "idx-17-w16", 60, 20, "20j llll", false},
    {"part-zh-partial-mask-after-80x24", "partial-mask", 80, 24, "5j llll", false},
    {"part-zh-threads-35-range-60x20", "threads-35", 60, 20, "w n l l", false},
    {"part-zh-wires-80x24", "xor-3-w16", 80, 24, "5j lll 2 Escape", false},
    {"part-zh-history-80x24", "reduce", 80, 24, "9j nn llll 3 Escape", false},
    {"zh-reduce-120x40", "reduce", 120, 40, "6j nn lll 1 Escape", false},
    {"part-zh-predict-asked-80x24", "xor-3-w16", 80, 24, "5j lll p 6", false},
    {"part-zh-predict-wrong-80x24", "xor-16-w16", 80, 24, "5j p 21 Enter", false},
    {"zh-find-80x24", "reduce", 80, 24, "1 Escape / x o", false},
    {"zh-help-80x24", "xor-3-w16", 80, 24, "?", false},
    {"zh-help-60x20", "xor-3-w16", 60, 20, "?", false},
    /* --format text */
    {"table-xor-16", "xor-16-w16", 80, 0, "", false},
    {"table-partial-mask-ascii", "partial-mask", 80, 0, "", true},
    {"figure-lanes", "xor-3-w16", 0, FIGURE, "5j l l l l", false},
    {"figure-rounds", "reduce", 0, FIGURE, "n n 3j", false},
};

/* Sets *first to the row below the tabs, if it is wanted. */
static char *draw(const struct screen *screen, int *first) {
    struct trace *trace = strcmp(screen->sample, "lines") == 0   ? sample_lines_open()
                          : strcmp(screen->sample, "whose") == 0 ? sample_whose_open()
                                                                 : sample_open(screen->sample);
    message_language_use(strstr(screen->name, "zh-") ? "zh" : "en");
    struct replay replay;
    struct grid grid;
    assert_non_null(trace);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    script_run(&replay, screen->keys);
    grid_init(&grid, screen->columns, screen->rows == FIGURE ? 0 : screen->rows, screen->ascii);
    if (screen->rows == FIGURE)
        view_draw_figure(
            &grid, &replay,
            &(struct figure_options){.view = replay_view(&replay), .marks_lane = true});
    else if (screen->rows > 0)
        view_draw(&grid, &replay);
    else
        view_draw_table(&grid, &replay, screen->columns);
    assert_false(grid.failed_to_fit);
    *first = strncmp(screen->name, "part-", 5) == 0 ? reviewed_first_row(&grid) : 0;
    char *text = grid_to_text(&grid, true);
    grid_release(&grid);
    trace_close(trace);
    message_language_use("en");
    return text;
}

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state;
    int first;
    char *text = draw(screen, &first);
    if (screen->rows > 0)
        reviewed_picture(SCREENS_FOLDER, screen->name, screen->keys, first, text);
    else
        reviewed_compare(SCREENS_FOLDER, screen->name, text);
}

static void key_bars_are_as_reviewed(void **state) {
    (void)state;
    struct reviewed_bars bars = {0};
    int first;
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        if (screens[i].rows > 0)
            reviewed_bar(&bars, screens[i].name, draw(&screens[i], &first));
    reviewed_bars_compare(SCREENS_FOLDER, "key-bars-replay", &bars);
}

/* The six operations of `reduce` in a line: a click on a node, or between two nodes, goes to the
 * nearest operation; the node of the current operation is filled. */
static void the_bar_leads_to_every_operation(void **state) {
    (void)state;
    static const int64_t wanted[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    struct trace *trace = sample_open("reduce");
    struct replay replay;
    struct grid grid;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    for (int position = 0; position < 6; position++) {
        grid_init(&grid, 100, 30, false);
        view_draw(&grid, &replay);
        int cells = 0;
        for (int x = 0; x < grid.columns * grid.rows; x++) {
            const struct cell *cell = &grid.cells[x];
            if (cell->hit.action != ACTION_OPERATION_GO || cell->glyph < 0x2500)
                continue; /* the view of rounds can be clicked on, too */
            assert_in_range(cells, 0, 10);
            assert_int_equal(cell->hit.argument, wanted[cells]);
            assert_int_equal(cell->glyph, cells % 2               ? 0x2500
                                          : cells / 2 == position ? 0x25cf
                                                                  : 0x25cb);
            cells++;
        }
        assert_int_equal(cells, 11);
        grid_release(&grid);
        replay_key(&replay, replay_press(&replay, "n"));
    }
    trace_close(trace);
}

/* The variables in scope change from line to line, but the source keeps its columns, and the rule
 * above the selected lane's variables keeps its row. From 120 columns on, no source line is cut. */
static void the_panes_of_the_line_view_stay(void **state) {
    (void)state;
    static const struct {
        int columns, rows;
    } sizes[] = {{80, 24}, {100, 30}, {120, 40}, {200, 60}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int columns = sizes[i].columns, top = 5; /* below the function's name */
        struct trace *trace = sample_lines_open();
        struct replay replay;
        int divider = 0, rule = 0;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        for (int line = 0; line < 7; line++) {
            struct grid grid;
            grid_init(&grid, columns, sizes[i].rows, false);
            view_draw(&grid, &replay);
            const struct cell *row = grid.cells + top * columns;
            int x = 0, y = top;
            while (x < columns && row[x].glyph != 0x2502)
                x++;
            while (y < sizes[i].rows && grid.cells[y * columns].glyph != 0x2500)
                y++;
            assert_in_range(x, columns * 9 / 20, columns - 1);
            assert_in_range(y, top, sizes[i].rows - 1);
            if (line > 0 && (x != divider || y != rule))
                fail_msg("%d columns, line %d: column %d, row %d, not %d, %d", columns, line + 1, x,
                         y, divider, rule);
            divider = x;
            rule = y;
            char *text = grid_to_text(&grid, false);
            assert_int_equal(strstr(text, "(0xffffffff, mine, 16); ") != NULL, columns >= 120);
            assert_int_equal(strstr(text, "wires · line ") != NULL, columns >= 120);
            free(text);
            grid_release(&grid);
            replay_key(&replay, replay_press(&replay, "l"));
        }
        trace_close(trace);
    }
}

int main(void) {
    enum { COUNT = sizeof screens / sizeof *screens };
    struct CMUnitTest tests[COUNT + 3];
    tests[COUNT] = (struct CMUnitTest)cmocka_unit_test(the_bar_leads_to_every_operation);
    tests[COUNT + 1] = (struct CMUnitTest)cmocka_unit_test(key_bars_are_as_reviewed);
    tests[COUNT + 2] = (struct CMUnitTest)cmocka_unit_test(the_panes_of_the_line_view_stay);
    for (int i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){.name = screens[i].name,
                                       .test_func = screen_is_as_reviewed,
                                       .initial_state = (void *)&screens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
