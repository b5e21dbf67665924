/*
 * The frame around the views: head and foot of screens as reviewed text, in screens/frames.txt, at
 * the sizes where a part of them comes or goes, and with titles, commands and places of any length.
 *
 *     UPDATE_SCREENS=1 ctest -R view_frames      rewrites them; read the diff before committing it
 */
#include "base/text.h"
#include "replay/changes.h"
#include "view/moment.h"
#include "view/view.h"

#include "made.h"
#include "reviewed.h"
#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct frame {
    const char *recording, *keys;
    int columns, rows;
    const char *command; /* it can be changed by; NULL */
    bool clicks;
};

static const struct frame frames[] = {
    /* What a low or narrow screen leaves out: the call, the tabs, a line of explanation. */
    {"xor-3-w16", "5j ll", 80, .rows = 24},
    {"xor-3-w16", "5j ll", 79, .rows = 24},
    {"xor-3-w16", "5j ll", 80, .rows = 23},
    {"xor-3-w16", "5j ll", 80, .rows = 22},
    {"xor-3-w16", "5j ll", 80, .rows = 21},
    {"xor-3-w16", "5j ll", 80, .rows = 24, .clicks = true},
    {"xor-3-w16", "5j ll", 118, .rows = 24},
    {"xor-3-w16", "5j ll 5 Escape", 80, .rows = 24},
    {"xor-3-w16", "5j ll 5 Escape", 80, .rows = 23},
    /* The title beside findings and the device, which gives way. */
    {"xor-3-w16", "", 60, .rows = 20},
    {"partial-mask", "llll 5j", 60, .rows = 20},
    {"partial-mask", "llll 5j", 70, .rows = 24},
    {"partial-mask", "llll 5j", 71, .rows = 24},
    {"partial-mask", "llll 5j", 86, .rows = 24},
    {"partial-mask", "llll 5j", 87, .rows = 24},
    {"stray", "ll 4j", 80, .rows = 24},
    {"stray", "ll 4j", 80, .rows = 22},
    {"extreme", "", 60, .rows = 20},
    {"extreme", "", 81, .rows = 24},
    {"extreme", "", 82, .rows = 24},
    {"measured-35", "w", 60, .rows = 20},
    {"measured-35", "w", 80, .rows = 24},
    {"reduce", "1 Escape", 60, .rows = 23},
    {"reduce", "1 Escape", 73, .rows = 23},
    {"reduce", "1 Escape", 74, .rows = 23},
    {"reduce", "1 Escape", 75, .rows = 23},
    {"reduce", "1 Escape", 80, .rows = 24},
    {"program", "1 Escape", 80, .rows = 24},
    /* What has to be known of the recording; the place, where there are several warps. */
    {"dropped", "", 80, .rows = 23},
    {"dropped", "", 80, .rows = 22},
    {"dropped", "", 60, .rows = 23},
    {"dropped", "", 62, .rows = 23},
    {"dropped", "", 63, .rows = 23},
    {"dropped", "", 70, .rows = 23},
    {"threads-35", "w b n", 60, .rows = 22},
    {"threads-35", "w b n", 60, .rows = 23},
    {"threads-35", "w b n", 72, .rows = 23},
    {"threads-35", "w b n", 73, .rows = 23},
    {"threads-35", "w b n", 78, .rows = 23},
    {"threads-35", "w b n", 79, .rows = 23},
    {"threads-35", "w b n", 80, .rows = 24},
    /* Tabs with their names where all of them fit. */
    {"reduce", "", 61, .rows = 23},
    {"reduce", "", 62, .rows = 23},
    {"reduce", "4 Escape", 61, .rows = 23},
    {"reduce", "4 Escape", 61, .rows = 23, .clicks = true},
    {"xor-3-w16", "2 Escape", 60, .rows = 23},
    /* The operations of the warp in a line: a dot for each as far as there is room. */
    {"long", "", 80, .rows = 24},
    {"long", "49n", 80, .rows = 24},
    {"long", "G", 80, .rows = 24, .clicks = true},
    {"long", "G", 60, .rows = 20},
    {"ten", "", 60, .rows = 20},
    {"ten", "4n", 66, .rows = 20},
    {"ten", "9n", 67, .rows = 20, .clicks = true},
    {"ten", "9n Space", 70, .rows = 20},
    /* The bottom row. */
    {"long", "/", 60, .rows = 20},
    {"long", "/ x o r", 60, .rows = 20},
    {"long", "/ a b c d e f g h i k l m n o p q r s t u v w", 60, .rows = 20},
    {"long", "/ q q q Enter", 60, .rows = 20},
    {"long", "12", 60, .rows = 20},
    {"long", "p", 60, .rows = 20},
    {"long", "p 3 3 Enter", 60, .rows = 20},
    {"long", "p 1 Enter", 60, .rows = 20},
    {"long", "p 2 Enter", 60, .rows = 20},
    /* The command that makes it, and behind it what that comes to. */
    {"xor-3-w16", "", 60, .rows = 20, .command = "shflviz xor 3"},
    {"xor-3-w16", "", 63, .rows = 20, .command = "shflviz xor 3"},
    {"xor-3-w16", "", 74, .rows = 20, .command = "shflviz xor 3"},
    {"xor-3-w16", "", 75, .rows = 20, .command = "shflviz xor 3"},
    {"xor-3-w16", "", 80, .rows = 20, .command = "shflviz xor 3"},
    {"xor-3-w16", "", 60, .rows = 20,
     .command = "shflviz xor 3 --width 16 --in 0,1,2,3,4,5,6,7,8,9,10,11,12,13"},
    {"long", "n", 60, .rows = 20, .command = "shflviz kernel scan-8"},
    {"long", "n", 67, .rows = 20, .command = "shflviz kernel scan-8"},
    {"long", "n", 68, .rows = 20, .command = "shflviz kernel scan-8"},
    {"long", "n", 69, .rows = 20, .command = "shflviz kernel scan-8"},
    {"long", "n", 84, .rows = 20, .command = "shflviz kernel scan-8"},
    {"long", "n", 100, .rows = 20, .command = "shflviz kernel scan-8"},
    {"long", "?", 60, .rows = 20, .command = "shflviz kernel scan-8"},
    {"long", "? ?", 60, .rows = 20, .command = "shflviz kernel scan-8"},
};

static struct trace *open_recording(const char *name, const char *command) {
    struct made_step steps[100];
    const size_t count = strcmp(name, "long") == 0 ? 100 : strcmp(name, "ten") == 0 ? 10 : 0;
    const char *notes[] = {TRACE_NOTE_RECORDED, "emulated", command ? TRACE_NOTE_COMMAND : NULL,
                           command, NULL};
    if (count == 0 && !command)
        return sample_open(name);
    for (size_t i = 0; i < 100; i++)
        steps[i] = (struct made_step){.op = WARP_OP_XOR,
                                      .arg = 1 + (int32_t)i % 31,
                                      .width = 32,
                                      .slope = 1,
                                      .text = "__shfl_xor_sync(0xffffffff, v, m)"};
    return made_open(4, WARP_TYPE_INT, steps, count ? count : 1, NULL, notes);
}

/* Head and foot: the first rows and the last. */
static void append_frame(struct text *text, const struct grid *grid, bool clicks) {
    for (int y = 0; y < grid->rows; y++) {
        struct grid cut;
        if (y >= 5 && y < grid->rows - 4)
            continue;
        grid_init(&cut, grid->columns, 1, false);
        memcpy(cut.cells, grid->cells + y * grid->columns,
               (size_t)grid->columns * sizeof *cut.cells);
        char *lines = clicks ? reviewed_clicks(&cut) : grid_to_text(&cut, true);
        text_append(text, lines);
        free(lines);
        grid_release(&cut);
    }
}

static void frames_are_as_reviewed(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        const struct frame *frame = &frames[i];
        struct trace *trace = open_recording(frame->recording, frame->command);
        struct replay replay;
        struct grid grid;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        if (frame->command)
            replay_set_live(&replay, true);
        script_run(&replay, frame->keys);
        grid_init(&grid, frame->columns, frame->rows, false);
        view_draw(&grid, &replay);
        if (grid.failed_to_fit)
            fail_msg("%s, %s at %dx%d is cut", frame->recording, frame->keys, frame->columns,
                     frame->rows);
        text_append_format(&text, "== %s, %s, %dx%d", frame->recording, frame->keys, frame->columns,
                           frame->rows);
        text_append_format(&text, "%s%s%s\n", frame->command ? ", " : "",
                           frame->command ? frame->command : "", frame->clicks ? ", clicks" : "");
        append_frame(&text, &grid, frame->clicks);
        grid_release(&grid);
        trace_close(trace);
    }
    reviewed_compare(SCREENS_FOLDER, "frames", text_detach(&text));
}

/* The least size is 60 columns and 20 rows: at 59 or 19 there is one line, in the middle. */
static void too_small_is_said_in_the_middle(void **state) {
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_are_as_reviewed),
                                       cmocka_unit_test(too_small_is_said_in_the_middle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
