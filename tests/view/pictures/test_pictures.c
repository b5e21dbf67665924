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
    const char *name;   /* the file's name; "...-clicks" has clicks, other files have styles */
    const char *sample; /* of sample.c, or calls.c */
    enum view_kind view;
    int columns, rows;
    const char *keys;
    bool ascii;
};

static const struct picture_case cases[] = {
    {"picture-ballot-36x14", "ballot", VIEW_WIRES, 36, 14, "3j ll", false},
    {"picture-ballot-78x14", "ballot", VIEW_WIRES, 78, 14, "3j ll", false},
    {"picture-ballot-move-70x12", "ballot", VIEW_WIRES, 70, 12, "3j l", false},
    {"picture-any-110x18", "any", VIEW_WIRES, 110, 18, "9j ll", false},
    {"picture-stray-69x14", "stray", VIEW_WIRES, 69, 14, "4j ll", false},
    {"picture-match-66x11", "match", VIEW_WIRES, 66, 11, "4j ll", false},
    {"picture-match-many-61x14", "match", VIEW_WIRES, 61, 14, "nnn 4j ll", false},
    {"picture-counts-39x14", "votes", VIEW_WIRES, 39, 14, "n ll", false},
    {"picture-stopped-66x14", "stopped", VIEW_WIRES, 66, 14, "G 8j", false},
    {"picture-rounds-66x17", "reduce", VIEW_ROUNDS, 66, 17, "9j nn lll", false},
    {"picture-tree-100x24", "tree", VIEW_ROUNDS, 100, 24, "n lll", false},
    {"picture-scan-72x14", "scan", VIEW_ROUNDS, 72, 14, "13j n lll", false},
    {"picture-scan-130x18", "scan", VIEW_ROUNDS, 130, 18, "13j n lll", false},
    {"picture-source-parted-80x9-clicks", "parted", VIEW_SOURCE, 80, 9, "", false},
    {"picture-explain-stopped-60x30", "stopped", VIEW_EXPLAIN, 60, 30, "G", false},
    {"picture-wires-38x12", "xor-3-w16", VIEW_WIRES, 38, 12, "5j llll", false},
    {"picture-wires-60x12", "xor-3-w16", VIEW_WIRES, 60, 12, "5j llll", false},
    {"picture-wires-69x12", "xor-3-w16", VIEW_WIRES, 69, 12, "5j llll", false},
    {"picture-wires-101x14", "xor-3-w16", VIEW_WIRES, 101, 14, "5j llll", false},
    {"picture-wires-long-66x14", "long-long", VIEW_WIRES, 66, 14, "20j llll", false},
    {"picture-wires-long-33x10", "long-long", VIEW_WIRES, 33, 10, "20j llll", false},
    {"picture-wires-70x14-ascii", "xor-3-w16", VIEW_WIRES, 70, 14, "5j llll", true},
    {"picture-broadcast-66x12", "idx-17-w16", VIEW_WIRES, 66, 12, "20j llll", false},
    {"picture-broadcast-66x12-ascii", "idx-17-w16", VIEW_WIRES, 66, 12, "20j llll", true},
    {"picture-explain-first-50x14", "xor-16-w16", VIEW_EXPLAIN, 50, 14, "5j llll 5 Escape", false},
    {"picture-sum-missing-66x12", "sum-missing", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-sum-all-132x14", "sum-all", VIEW_WIRES, 132, 14, "ll", false},
    {"picture-max-unsigned-101x12", "max-unsigned", VIEW_WIRES, 101, 12, "31j ll", false},
    {"picture-max-last-66x14", "max-last", VIEW_WIRES, 66, 14, "ll", false},
    {"picture-all-yes-66x12", "all-yes", VIEW_WIRES, 66, 12, "ll", false},
    {"picture-ballot-every-66x20", "ballot-every", VIEW_WIRES, 66, 20, "ll", false},
    {"picture-sync-every-66x18", "sync-every", VIEW_WIRES, 66, 18, "ll", false},
    {"picture-match-long-50x14", "match-long", VIEW_WIRES, 50, 14, "ll", false},
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
