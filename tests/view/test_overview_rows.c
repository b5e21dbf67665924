/*
 * The lists of a recording as a whole, row by row, in screens/overview-rows.txt: which columns
 * there are at which widths, what is cut and where, what scrolls, what is said below.
 *
 *     UPDATE_SCREENS=1 ctest -R view_overview_rows      rewrites it; read the diff before
 * committing
 */
#include "base/text.h"
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

struct list_case {
    const char *recording;
    int columns, rows; /* rows 0: the text of --overview */
    const char *keys;
    bool uncounted, clicks;
};

static const struct list_case cases[] = {
    /* The columns that say least give way to the name: undefined, block, grid, operation. */
    {"program", 60, 20, "", false, false},
    {"program", 68, 20, "", false, false},
    {"program", 75, 20, "", false, false},
    {"many", 60, 20, "", false, false},
    {"many", 66, 20, "", false, false},
    {"many", 67, 20, "", false, false},
    {"many", 79, 20, "", false, false},
    {"many", 80, 20, "", false, false},
    {"many", 90, 20, "", false, false},
    {"many", 91, 20, "", false, false},
    {"many", 140, 20, "", false, false},
    {"many", 60, 20, "2", false, false},
    {"many", 120, 20, "2", false, false},
    {"many", 60, 20, "3", false, false},
    {"many", 70, 20, "3", false, false},
    {"many", 80, 20, "3", false, false},
    {"many", 140, 20, "3", false, false},
    {"program", 60, 20, "3", false, false},
    {"program", 60, 20, "4", false, false},
    {"program", 76, 20, "4", false, false},
    {"program", 90, 20, "4", false, false},
    {"shared", 60, 20, "3", false, false},
    {"shared", 80, 20, "3 j", false, false},
    {"global", 80, 20, "3", false, false},
    {"global", 100, 20, "3 j j", false, false},
    {"printing", 60, 20, "5", false, false},
    {"printing", 90, 20, "5 j j", false, false},
    {"printing", 90, 20, "5 G", false, false},
    /* The selected row is in the middle as far as there are rows; arrows say where there are more.
     */
    {"many", 70, 20, "j j j j j j", false, false},
    {"many", 70, 20, "j j j j j j j", false, false},
    {"many", 70, 20, "j j j j j j j j", false, false},
    {"many", 70, 20, "G", false, false},
    {"many", 70, 20, "G k k k k k k k", false, false},
    {"many", 70, 20, "G k k k k k k k k", false, false},
    {"many", 70, 21, "G", false, true},
    {"program", 70, 20, "j", false, true},
    {"program", 70, 20, "2", false, true},
    /* Orders, filters, messages, counting. */
    {"many", 60, 20, "s", false, false},
    {"many", 80, 20, "s", false, false},
    {"many", 80, 20, "s s", false, false},
    {"program", 60, 20, "3 s s", false, false},
    {"program", 60, 20, "/ x x", false, false},
    {"program", 60, 20, "/ x x Enter", false, false},
    {"program", 60, 20, "/ s u m Enter", false, false},
    {"program", 60, 20, "G Enter", false, false},
    {"program", 60, 20, "", true, false},
    {"program", 60, 20, "4", true, false},
    {"program", 60, 20, "G", false, false},
    {"xor-3-w16", 60, 20, "4", false, false},
    {"stopped", 60, 20, "4 G", false, false},
    {"measured-35", 60, 20, "", false, false},
    {"measured-35", 60, 20, "4", false, false},
    {"reduce", 60, 20, "2", false, false},
    /* As a text: at least 60 columns, the launches cut at 100. */
    {"many", 40, 0, "", false, false},
    {"many", 100, 0, "", false, false},
    {"global", 80, 0, "", false, false},
};

/* Launches of kernels with long names, of any shape; every third has a step, every ninth of them a
 * lane that reads beyond the mask. */
static struct trace *open_many(void) {
    struct trace_writer_options options = {.value_bytes = 4};
    struct error err = ERROR_INIT;
    struct trace_writer *writer;
    struct trace *trace;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    for (uint32_t i = 0; i < 103; i++) {
        char name[80];
        snprintf(name, sizeof name, "void reduce_block<float, %u>(float const*, float*, int)",
                 32 << i % 4);
        const struct trace_launch launch = {
            name, {1 + i, 1 + i % 2, 1}, {32 << i % 3, 1, 1 + i % 2}, 0};
        struct shflviz_record_header header = {.launch = trace_writer_launch(writer, &launch),
                                               .op = WARP_OP_DOWN,
                                               .type = WARP_TYPE_INT,
                                               .members = i % 9 ? WARP_FULL_MASK : 0xff,
                                               .present = i % 9 ? WARP_FULL_MASK : 0xff,
                                               .width = 32};
        const struct trace_site site = {"include/reduce/block_reduce_of_any_type.cuh", 100 + i % 4,
                                        "reduce_block",
                                        "__shfl_down_sync(0xffffffff, value, offset)"};
        if (i % 3)
            continue;
        size_t count = 1;
        header.site = trace_writer_site(writer, &site);
        header.sequence = trace_writer_next_sequence(writer);
        unsigned char *record = trace_writer_reserve(writer, &count);
        const uint32_t one = 1;
        for (size_t lane = 0; lane < WARP_LANES; lane++)
            memcpy(record + SHFLVIZ_RECORD_OFFSET_ARG + lane * 4, &one, 4);
        memcpy(record, &header, sizeof header);
    }
    trace_writer_note(
        writer, TRACE_NOTE_TITLE,
        "all reductions of a program whose name is longer than a small screen is wide");
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    return trace;
}

static void append_rows(struct text *text, const struct grid *grid, const struct list_case *list) {
    for (int y = 0; y < grid->rows; y++) {
        struct grid cut;
        if (list->rows ? y >= 7 && y < grid->rows - 6 : y >= 4 && y < 98)
            continue;
        grid_init(&cut, grid->columns, 1, false);
        memcpy(cut.cells, grid->cells + y * grid->columns,
               (size_t)grid->columns * sizeof *cut.cells);
        char *lines = list->clicks ? reviewed_clicks(&cut) : grid_to_text(&cut, true);
        text_append(text, lines);
        free(lines);
        grid_release(&cut);
    }
}

static void press(struct overview *overview, const char *keys) {
    char copy[128];
    snprintf(copy, sizeof copy, "%s", keys);
    char *rest = copy;
    for (char *key; (key = strsep(&rest, " "));)
        if (*key)
            overview_key(overview, key);
}

static void rows_are_as_reviewed(void **state) {
    (void)state;
    struct text text = TEXT_INIT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct list_case *list = &cases[i];
        struct trace *trace =
            strcmp(list->recording, "many") == 0 ? open_many() : sample_open(list->recording);
        struct overview overview;
        struct replay replay;
        struct grid grid;
        overview_init(&overview, trace);
        while (!list->uncounted && overview_tick(&overview))
            continue;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        press(&overview, list->keys);
        grid_init(&grid, list->columns, list->rows, false);
        if (list->rows)
            view_draw_overview(&grid, &overview, &replay);
        else
            view_draw_overview_table(&grid, &overview.census, list->columns);
        assert_false(grid.failed_to_fit);
        text_append_format(&text, "== %s, %dx%d, %s%s%s\n", list->recording, list->columns,
                           list->rows, list->keys, list->uncounted ? ", uncounted" : "",
                           list->clicks ? ", clicks" : "");
        append_rows(&text, &grid, list);
        grid_release(&grid);
        overview_release(&overview);
        trace_close(trace);
    }
    reviewed_compare(SCREENS_FOLDER, "overview-rows", text_detach(&text));
}

/* Room for the longest grid, whichever launch has it. */
static void the_longest_grid_is_shown_whole(void **state) {
    (void)state;
    for (int longest = 0; longest < 3; longest++) {
        struct trace_writer_options options = {.value_bytes = 4};
        struct error err = ERROR_INIT;
        struct trace_writer *writer;
        struct trace *trace;
        struct overview overview;
        struct replay replay;
        struct grid grid;
        assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
        for (int i = 0; i < 3; i++) {
            const struct trace_launch launch = {
                "k", {i == longest ? 1234567 : 1, 1, 1}, {32, 1, 1}, 0};
            trace_writer_launch(writer, &launch);
        }
        const struct trace_site site = {"k.cu", 1, "k", "__shfl_sync(0xffffffff, value, 0)"};
        const struct shflviz_record_header header = {.sequence = trace_writer_next_sequence(writer),
                                                     .site = trace_writer_site(writer, &site),
                                                     .type = WARP_TYPE_INT,
                                                     .members = WARP_FULL_MASK,
                                                     .present = WARP_FULL_MASK,
                                                     .width = 32};
        size_t count = 1;
        memcpy(trace_writer_reserve(writer, &count), &header, sizeof header);
        assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
        overview_init(&overview, trace);
        while (overview_tick(&overview))
            continue;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        grid_init(&grid, 80, 24, false);
        view_draw_overview(&grid, &overview, &replay);
        char *text = grid_to_text(&grid, true);
        assert_non_null(strstr(text, " 1234567 "));
        free(text);
        grid_release(&grid);
        overview_release(&overview);
        trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_as_reviewed),
                                       cmocka_unit_test(the_longest_grid_is_shown_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
