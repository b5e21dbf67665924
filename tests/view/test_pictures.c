/*
 * The pictures alone, in areas of any size, as reviewed text (see test_screens.c), and what a click
 * on each of their cells asks for (see reviewed.h).
 *
 *     UPDATE_SCREENS=1 ctest -R view_pictures      rewrites them; read the diff before committing
 * it
 */
#include "base/message.h"
#include "view/moment.h"
#include "view/view.h"

#include "calls.h"
#include "reviewed.h"
#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct picture_case {
    const char *name;   /* of the file; "...-clicks" has clicks, others styles */
    const char *sample; /* of sample.c, or calls.c */
    enum view_kind view;
    int columns, rows;
    const char *keys;
    bool ascii;
};

static const struct picture_case cases[] = {
    {"picture-ballot-36x14", "ballot", VIEW_WIRES, 36, 14, "3j ll", false},
    {"picture-ballot-70x13", "ballot", VIEW_WIRES, 70, 13, "3j ll", false},
    {"picture-ballot-77x16", "ballot", VIEW_WIRES, 77, 16, "3j ll", false},
    {"picture-ballot-78x14", "ballot", VIEW_WIRES, 78, 14, "3j ll", false},
    {"picture-ballot-105x24", "ballot", VIEW_WIRES, 105, 24, "3j ll", false},
    {"picture-ballot-108x14", "ballot", VIEW_WIRES, 108, 14, "3j ll", false},
    {"picture-ballot-70x14-clicks", "ballot", VIEW_WIRES, 70, 14, "3j ll", false},
    {"picture-ballot-move-70x12", "ballot", VIEW_WIRES, 70, 12, "3j l", false},
    {"picture-activemask-66x12", "ballot", VIEW_WIRES, 66, 12, "n ll", false},
    {"picture-activemask-66x16", "ballot", VIEW_WIRES, 66, 16, "n ll", false},
    {"picture-any-66x14", "any", VIEW_WIRES, 66, 14, "9j ll", false},
    {"picture-any-110x18", "any", VIEW_WIRES, 110, 18, "9j ll", false},
    {"picture-any-66x14-clicks", "any", VIEW_WIRES, 66, 14, "9j ll", false},
    {"picture-all-69x14", "stray", VIEW_WIRES, 69, 14, "3j ll", false},
    {"picture-stray-69x14", "stray", VIEW_WIRES, 69, 14, "4j ll", false},
    {"picture-match-66x11", "match", VIEW_WIRES, 66, 11, "4j ll", false},
    {"picture-match-66x12", "match", VIEW_WIRES, 66, 12, "4j ll", false},
    {"picture-match-100x12", "match", VIEW_WIRES, 100, 12, "4j ll", false},
    {"picture-match-66x12-clicks", "match", VIEW_WIRES, 66, 12, "4j ll", false},
    {"picture-match-many-60x10", "match", VIEW_WIRES, 60, 10, "nnn 4j ll", false},
    {"picture-match-many-61x14", "match", VIEW_WIRES, 61, 14, "nnn 4j ll", false},
    {"picture-match-many-110x9", "match", VIEW_WIRES, 110, 9, "nnn 4j ll", false},
    {"picture-match-many-110x12-clicks", "match", VIEW_WIRES, 110, 12, "nnn 4j ll", false},
    {"picture-match-all-66x9", "match", VIEW_WIRES, 66, 9, "n ll", false},
    {"picture-match-all-66x11", "match", VIEW_WIRES, 66, 11, "n ll", false},
    {"picture-match-asked-66x11", "match", VIEW_WIRES, 66, 11, "4j", false},
    {"picture-min-66x11", "reductions", VIEW_WIRES, 66, 11, "ll", false},
    {"picture-min-40x12", "reductions", VIEW_WIRES, 40, 12, "ll", false},
    {"picture-min-100x16", "reductions", VIEW_WIRES, 100, 16, "ll", false},
    {"picture-add-66x11", "reductions", VIEW_WIRES, 66, 11, "n ll", false},
    {"picture-and-110x12", "reductions", VIEW_WIRES, 110, 12, "nn ll", false},
    {"picture-and-66x12-clicks", "reductions", VIEW_WIRES, 66, 12, "nn ll", false},
    {"picture-counts-66x10", "votes", VIEW_WIRES, 66, 10, "n ll", false},
    {"picture-counts-39x14", "votes", VIEW_WIRES, 39, 14, "n ll", false},
    {"picture-counts-120x13", "votes", VIEW_WIRES, 120, 13, "n ll", false},
    {"picture-barrier-66x16", "barrier", VIEW_WIRES, 66, 16, "n 30j l", false},
    {"picture-barrier-66x19", "barrier", VIEW_WIRES, 66, 19, "n 30j l", false},
    {"picture-barrier-110x20", "barrier", VIEW_WIRES, 110, 20, "n 30j l", false},
    {"picture-barrier-66x19-clicks", "barrier", VIEW_WIRES, 66, 19, "n 30j l", false},
    {"picture-barrier-shut-66x16", "barrier", VIEW_WIRES, 66, 16, "n", false},
    {"picture-stopped-66x8", "stopped", VIEW_WIRES, 66, 8, "G 8j", false},
    {"picture-stopped-66x14", "stopped", VIEW_WIRES, 66, 14, "G 8j", false},
    {"picture-stopped-66x15", "stopped", VIEW_WIRES, 66, 15, "G 8j", false},
    {"picture-stopped-110x15", "stopped", VIEW_WIRES, 110, 15, "G 8j", false},
    {"picture-stopped-66x15-clicks", "stopped", VIEW_WIRES, 66, 15, "G 8j", false},
    {"picture-stopped-other-66x12", "stopped", VIEW_WIRES, 66, 12, "w llll", false},
    {"picture-rounds-66x7", "reduce", VIEW_ROUNDS, 66, 7, "9j nn lll", false},
    {"picture-rounds-66x12", "reduce", VIEW_ROUNDS, 66, 12, "9j nn lll", false},
    {"picture-rounds-66x13", "reduce", VIEW_ROUNDS, 66, 13, "9j nn lll", false},
    {"picture-rounds-66x17", "reduce", VIEW_ROUNDS, 66, 17, "9j nn lll", false},
    {"picture-rounds-66x17-clicks", "reduce", VIEW_ROUNDS, 66, 17, "9j nn lll", false},
    {"picture-rounds-first-66x5", "reduce", VIEW_ROUNDS, 66, 5, "9j", false},
    {"picture-rounds-last-66x5", "reduce", VIEW_ROUNDS, 66, 5, "9j G", false},
    {"picture-rounds-last-66x6", "reduce", VIEW_ROUNDS, 66, 6, "9j G", false},
    {"picture-tree-100x24", "tree", VIEW_ROUNDS, 100, 24, "n lll", false},
    {"picture-scan-72x14", "scan", VIEW_ROUNDS, 72, 14, "13j n lll", false},
    {"picture-scan-130x18", "scan", VIEW_ROUNDS, 130, 18, "13j n lll", false},
    {"picture-source-30x5", "reduce", VIEW_SOURCE, 30, 5, "nn", false},
    {"picture-source-40x7", "reduce", VIEW_SOURCE, 40, 7, "nn", false},
    {"picture-source-60x20", "reduce", VIEW_SOURCE, 60, 20, "nn", false},
    {"picture-source-60x3", "reduce", VIEW_SOURCE, 60, 3, "nn", false},
    {"picture-source-parted-30x7", "parted", VIEW_SOURCE, 30, 7, "", false},
    {"picture-source-parted-30x8", "parted", VIEW_SOURCE, 30, 8, "", false},
    {"picture-source-parted-80x9", "parted", VIEW_SOURCE, 80, 9, "", false},
    {"picture-source-parted-60x6", "parted", VIEW_SOURCE, 60, 6, "", false},
    {"picture-source-parted-80x9-clicks", "parted", VIEW_SOURCE, 80, 9, "", false},
    {"picture-source-later-60x9", "parted", VIEW_SOURCE, 60, 9, "n", false},
    {"picture-source-stopped-50x10", "stopped", VIEW_SOURCE, 50, 10, "G", false},
    {"picture-source-stopped-50x10-clicks", "stopped", VIEW_SOURCE, 50, 10, "G", false},
    {"picture-explain-40x8", "xor-16-w16", VIEW_EXPLAIN, 40, 8, "5j llll", false},
    {"picture-explain-40x19", "xor-16-w16", VIEW_EXPLAIN, 40, 19, "5j llll", false},
    {"picture-explain-40x20", "xor-16-w16", VIEW_EXPLAIN, 40, 20, "5j llll", false},
    {"picture-explain-66x12", "xor-16-w16", VIEW_EXPLAIN, 66, 12, "5j llll", false},
    {"picture-explain-range-50x30", "xor-16-w16", VIEW_EXPLAIN, 50, 30, "5j ll", false},
    {"picture-explain-address-50x30", "xor-16-w16", VIEW_EXPLAIN, 50, 30, "5j l", false},
    {"picture-explain-scrolled-40x7", "xor-16-w16", VIEW_EXPLAIN, 40, 7, "5j llll J", false},
    {"picture-explain-end-40x7", "xor-16-w16", VIEW_EXPLAIN, 40, 7, "5j llll J J", false},
    {"picture-explain-undefined-60x30", "width-12", VIEW_EXPLAIN, 60, 30, "9j llll", false},
    {"picture-explain-stopped-60x30", "stopped", VIEW_EXPLAIN, 60, 30, "G", false},
    {"picture-explain-access-60x30", "shared", VIEW_EXPLAIN, 60, 30, "n ll", false},
    {"picture-explain-vote-60x30", "ballot", VIEW_EXPLAIN, 60, 30, "ll", false},
    {"picture-wires-38x12", "xor-3-w16", VIEW_WIRES, 38, 12, "5j llll", false},
    {"picture-wires-60x12", "xor-3-w16", VIEW_WIRES, 60, 12, "5j llll", false},
    {"picture-wires-69x12", "xor-3-w16", VIEW_WIRES, 69, 12, "5j llll", false},
    {"picture-wires-70x14", "xor-3-w16", VIEW_WIRES, 70, 14, "5j llll", false},
    {"picture-wires-101x14", "xor-3-w16", VIEW_WIRES, 101, 14, "5j llll", false},
    {"picture-wires-70x14-clicks", "xor-3-w16", VIEW_WIRES, 70, 14, "5j llll", false},
    {"picture-wires-long-66x14", "long-long", VIEW_WIRES, 66, 14, "20j llll", false},
    {"picture-wires-long-33x10", "long-long", VIEW_WIRES, 33, 10, "20j llll", false},
    {"picture-wires-70x14-ascii", "xor-3-w16", VIEW_WIRES, 70, 14, "5j llll", true},
    {"picture-explain-first-70x40", "xor-16-w16", VIEW_EXPLAIN, 70, 40, "5j llll 5 Escape", false},
    {"picture-explain-first-50x14", "xor-16-w16", VIEW_EXPLAIN, 50, 14, "5j llll 5 Escape", false},
    {"picture-explain-first-50x14-clicks", "xor-16-w16", VIEW_EXPLAIN, 50, 14, "5j llll 5 Escape",
     false},
    {"picture-explain-first-range-70x40", "xor-16-w16", VIEW_EXPLAIN, 70, 40, "5j ll 5 Escape",
     false},
    {"picture-explain-first-address-70x40", "xor-16-w16", VIEW_EXPLAIN, 70, 40, "5j l 5 Escape",
     false},
    {"picture-explain-first-middle-50x10", "xor-16-w16", VIEW_EXPLAIN, 50, 10,
     "5j llll 5 Escape J J J", false},
    {"picture-stopped-wide-194x11", "stopped", VIEW_WIRES, 194, 11, "G 8j", false},
    {"picture-stopped-wide-222x11", "stopped", VIEW_WIRES, 222, 11, "G 8j", false},
    {"picture-sum-stray-66x12", "sum-stray", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-sum-stray-lane-66x12", "sum-stray", VIEW_WIRES, 66, 12, "5j ll", false},
    {"picture-sum-missing-66x12", "sum-missing", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-sum-most-66x12", "sum-most", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-sum-above-66x12", "sum-above", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-sum-unsigned-66x12", "sum-unsigned", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-sum-unsigned-above-66x12", "sum-unsigned-above", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-sum-all-66x9", "sum-all", VIEW_WIRES, 66, 9, "ll", false},
    {"picture-sum-all-66x12", "sum-all", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-sum-all-66x8", "sum-all", VIEW_WIRES, 66, 8, "ll", false},
    {"picture-sum-all-132x14", "sum-all", VIEW_WIRES, 132, 14, "ll", false},
    {"picture-sum-move-66x12", "sum-most", VIEW_WIRES, 66, 12, "l", false},
    {"picture-max-unsigned-101x12", "max-unsigned", VIEW_WIRES, 101, 12, "31j ll", false},
    {"picture-max-last-66x14", "max-last", VIEW_WIRES, 66, 14, "ll", false},
    {"picture-min-first-33x12", "min-first", VIEW_WIRES, 33, 12, "ll", false},
    {"picture-min-first-66x9", "min-first", VIEW_WIRES, 66, 9, "ll", false},
    {"picture-max-large-66x12", "max-large", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-max-large-101x12", "max-large", VIEW_WIRES, 101, 12, "ll", false},
    {"picture-max-large-69x12", "max-large", VIEW_WIRES, 69, 12, "ll", false},
    {"picture-or-66x12", "or", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-xor-66x12", "xor", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-any-none-66x12", "any-none", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-all-yes-66x12", "all-yes", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-ballot-missing-66x14", "ballot-missing", VIEW_WIRES, 66, 14, "ll", false},
    {"picture-ballot-every-66x20", "ballot-every", VIEW_WIRES, 66, 20, "ll", false},
    {"picture-ballot-every-66x9", "ballot-every", VIEW_WIRES, 66, 9, "ll", false},
    {"picture-ballot-all-66x20", "ballot-all", VIEW_WIRES, 66, 20, "ll", false},
    {"picture-ballot-all-66x11", "ballot-all", VIEW_WIRES, 66, 11, "ll", false},
    {"picture-ballot-all-66x12", "ballot-all", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-ballot-all-66x13", "ballot-all", VIEW_WIRES, 66, 13, "ll", false},
    {"picture-sync-every-66x18", "sync-every", VIEW_WIRES, 66, 18, "ll", false},
    {"picture-match-long-66x12", "match-long", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-match-long-101x14", "match-long", VIEW_WIRES, 101, 14, "ll", false},
    {"picture-match-long-50x14", "match-long", VIEW_WIRES, 50, 14, "ll", false},
    {"picture-match-two-66x8", "match-two", VIEW_WIRES, 66, 8, "ll", false},
    {"picture-match-two-66x9", "match-two", VIEW_WIRES, 66, 9, "ll", false},
    {"picture-match-two-66x10", "match-two", VIEW_WIRES, 66, 10, "ll", false},
    {"picture-match-two-60x12", "match-two", VIEW_WIRES, 60, 12, "ll", false},
    {"picture-match-stray-90x14", "match-stray", VIEW_WIRES, 90, 14, "2j ll", false},
    {"picture-match-stray-lane-90x14", "match-stray", VIEW_WIRES, 90, 14, "4j ll", false},
    {"picture-match-none-lane-66x12", "match", VIEW_WIRES, 66, 12, "nn 20j ll", false},
};

static void picture_is_as_reviewed(void **state) {
    const struct picture_case *wanted = *state;
    struct trace *trace = call_open(wanted->sample);
    trace = trace ? trace : sample_open(wanted->sample);
    struct replay replay;
    struct moment moment;
    struct grid grid;
    assert_non_null(trace);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    script_run(&replay, wanted->keys);
    assert_true(moment_init(&moment, &replay));
    grid_init(&grid, wanted->columns, wanted->rows, wanted->ascii);
    view_of(wanted->view)->draw(grid_area(&grid), &moment);
    assert_false(grid.failed_to_fit);
    reviewed_compare(SCREENS_FOLDER, wanted->name,
                     strstr(wanted->name, "-clicks") ? reviewed_clicks(&grid)
                                                     : grid_to_text(&grid, true));
    grid_release(&grid);
    trace_close(trace);
}

int main(void) {
    enum { COUNT = sizeof cases / sizeof *cases };
    struct CMUnitTest tests[COUNT];
    for (int i = 0; i < COUNT; i++)
        tests[i] = (struct CMUnitTest){.name = cases[i].name,
                                       .test_func = picture_is_as_reviewed,
                                       .initial_state = (void *)&cases[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
