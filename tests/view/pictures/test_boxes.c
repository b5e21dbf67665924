/*
 * Boxes over a picture or in place of one: the box of the signs, the message if there is no source
 * text; the size of a figure of memory; signs of lanes; each on both sides of its limits. The
 * lengths of lines were counted by hand.
 */
#include "view/moment.h"
#include "view/pictures/network.h"
#include "view/view.h"

#include "made.h"
#include "sample.h"
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void draw_box(struct grid *grid, int columns, int rows, bool live, bool legend) {
    struct trace *trace = sample_open("xor-3-w16");
    struct replay replay;
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    replay.live.on = live;
    if (legend)
        replay_set_legend(&replay);
    grid_init(grid, columns, rows, false);
    draw_legend(grid_area(grid), &replay);
    trace_close(trace);
}

/* The first of the rows that are not blank; -1 if all are. */
static int first_row(const struct grid *grid) {
    for (int i = 0; i < grid->columns * grid->rows; i++)
        if (grid->cells[i].glyph != ' ')
            return i / grid->columns;
    return -1;
}

static void shows(const struct grid *grid, const char *expected) {
    char *text = grid_to_text(grid, false);
    assert_string_equal(text, expected);
    free(text);
}

/* The box has five signs, a blank row, the keys, "Hard to see?", a last line and two edges.
 * "Hard to see?" takes one line in 45 columns (4 more are edges and blanks), two in 44, and three
 * in 16. The box is drawn at the lower edge if it fits completely, so not in 19 columns. */
static void the_box_is_as_high_as_its_lines(void **state) {
    static const struct {
        int columns, rows;
    } cases[] = {{100, 11}, {84, 11}, {83, 11}, {49, 11}, {48, 12}, {21, 13}, {20, 13}};
    struct grid grid;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int more = -1; more <= 5; more++) {
            draw_box(&grid, cases[i].columns, cases[i].rows + more, false, true);
            assert_int_equal(first_row(&grid), more);
            grid_release(&grid);
        }
    draw_box(&grid, 19, 30, false, true);
    assert_int_equal(first_row(&grid), -1);
    grid_release(&grid);
    draw_box(&grid, 100, 30, false, false);
    assert_int_equal(first_row(&grid), -1);
    grid_release(&grid);
}

/* On a screen of 84 columns or more, the box takes 58 columns in the middle; on a narrower screen
 * it takes all columns. */
static void the_box_is_in_the_middle(void **state) {
    static const struct {
        int columns, first, last;
    } cases[] = {{60, 0, 59},  {83, 0, 82},  {84, 13, 70},
                 {85, 13, 70}, {86, 14, 71}, {200, 71, 128}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        draw_box(&grid, cases[i].columns, 15, false, true);
        for (int y = 4; y < 15; y++)
            for (int x = 0; x < cases[i].columns; x++) {
                const bool rule = y == 4 || y == 14;
                const bool edge = x == cases[i].first || x == cases[i].last;
                const bool within = x >= cases[i].first && x <= cases[i].last;
                const uint32_t glyph = grid.cells[y * grid.columns + x].glyph;
                if (!within)
                    assert_int_equal(glyph, ' ');
                else if (rule && !(x > cases[i].first + 1 && x < cases[i].first + 27))
                    assert_int_equal(glyph, !edge                 ? 0x2500
                                            : x == cases[i].first ? (y == 4 ? 0x250c : 0x2514)
                                                                  : (y == 4 ? 0x2510 : 0x2518));
                else if (!rule)
                    assert_int_equal(glyph == 0x2502, edge);
            }
        grid_release(&grid);
    }
}

/* Text that is too long for the box is cut, and ends in a sign. */
static void the_box_fits_its_width(void **state) {
    struct grid grid;
    (void)state;
    draw_box(&grid, 48, 12, true, true);
    shows(&grid, "┌─ How to read this screen ────────────────────┐\n"
                 "│ A▌ 5   lane 5, in group A: the width makes … │\n"
                 "│ ← 6    reads lane 6                          │\n"
                 "│ ↺ own  out of range: it keeps its own value  │\n"
                 "│ ? 9    lane 9 makes no call: a read of it i… │\n"
                 "│ ◆      changed by the call                   │\n"
                 "│                                              │\n"
                 "│ → next phase  ] change it  : type it  ? all… │\n"
                 "│ Hard to see? Try --background dark, or       │\n"
                 "│ light.                                       │\n"
                 "│ Any key continues; this is shown only once.  │\n"
                 "└──────────────────────────────────────────────┘\n");
    grid_release(&grid);
}

/* ---- no source text ---- */

static void says_without(int columns, int rows, const char *file, const char *call,
                         const char *expected) {
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 4};
    const struct trace_launch launch = {"k", {1, 1, 1}, {32, 1, 1}, 0};
    const struct trace_site site = {file, 7, "", call};
    struct error err = ERROR_INIT;
    struct trace *trace;
    struct replay replay;
    struct moment moment;
    struct grid grid;
    size_t count = 1;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    trace_writer_launch(writer, &launch);
    struct shflviz_record_header *record = trace_writer_reserve(writer, &count);
    record->op = WARP_OP_XOR;
    record->members = record->present = WARP_FULL_MASK;
    record->width = 32;
    record->site = trace_writer_site(writer, &site);
    record->sequence = 1;
    assert_int_equal(trace_writer_close(writer, &trace, &err), 0);
    assert_int_equal(replay_init(&replay, trace, &err), 0);
    assert_true(moment_init(&moment, &replay));
    grid_init(&grid, columns, rows, false);
    draw_source(grid_area(&grid), &moment);
    shows(&grid, expected);
    grid_release(&grid);
    trace_close(trace);
}

/* The sentence has 39 columns, and a blank on either side. The location of the call and the call
 * follow as far as there are rows for them; further lines of the call are indented by two. */
static void no_source_text(void **state) {
    (void)state;
    says_without(48, 5, "dir/k.cu", "call(1)",
                 "\n"
                 " The recording lacks this call's source.\n"
                 "\n"
                 " dir/k.cu:7\n"
                 " call(1)\n");
    says_without(38, 6, "dir/k.cu", "call(1)",
                 "\n"
                 " The recording lacks this call's\n"
                 " source.\n"
                 "\n"
                 " dir/k.cu:7\n"
                 " call(1)\n");
    says_without(48, 7, "a folder with a name/of some words/k.cu",
                 "call(one, two, three, four, five, 6, 7, 8)",
                 "\n"
                 " The recording lacks this call's source.\n"
                 "\n"
                 " a folder with a name/of some words/k.cu:7\n"
                 " call(one, two, three, four, five, 6, 7, 8)\n"
                 "\n"
                 "\n");
    says_without(30, 10, "a folder with a name/of some words/k.cu",
                 "call(one, two, three, four, five, 6, 7, 8)",
                 "\n"
                 " The recording lacks this\n"
                 " call's source.\n"
                 "\n"
                 " a folder with a name/of some\n"
                 " words/k.cu:7\n"
                 " call(one, two, three, four,\n"
                 "   five, 6, 7, 8)\n"
                 "\n"
                 "\n");
}

/* ---- a complaint ---- */

/* Lines are broken so that a blank is left on either side: 18 columns of 20. Continuation lines are
 * indented by two; the first line names the problem, the others add details. */
static void a_complaint_is_wrapped(void **state) {
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"12345678 123456789", "\n\n\n\n 12345678 123456789\n"},
        {"12345678 1234567890", "\n\n\n 12345678\n   1234567890\n"},
        {"12345678 1234567890\nmore", "\n\n 12345678\n   1234567890\n more\n"},
        {"a\nb\nc\nd\ne", " a\n b\n c\n d\n e\n"},
        {"", "\n\n\n\n\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = sample_open("xor-3-w16");
        struct replay replay;
        struct grid grid;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        snprintf(replay.live.complaint, sizeof replay.live.complaint, "%s", cases[i].text);
        grid_init(&grid, 20, 5, false);
        draw_complaint(grid_area(&grid), &replay);
        shows(&grid, cases[i].expected);
        const int first = first_row(&grid), wraps = strstr(cases[i].text, "90") != NULL;
        for (int y = first; first >= 0 && y < 5; y++)
            assert_int_equal(grid.cells[y * 20 + 1 + 2 * (wraps && y == first + 1)].style.role,
                             y <= first + wraps ? STYLE_BAD : STYLE_PLAIN);
        grid_release(&grid);
        trace_close(trace);
    }
}

/* ---- memory ---- */

static const char *const emulated[] = {
    TRACE_NOTE_DEVICE, "cpu", TRACE_NOTE_RECORDED, "emulated", TRACE_NOTE_SHARED,
    "0 512 t\n",       NULL};

/* The figure has seven columns of labels, 32 words of three to six columns (a value and a blank),
 * and one more column; global memory takes two more between adjacent sectors, and three for the
 * sectors' count. There are three rows above the words and one below them. The words take all rows
 * from the first to the last that is touched, at least four; if these would be more than 64 rows,
 * only the touched rows are shown. */
static void the_size_of_a_figure_of_memory(void **state) {
    static const struct {
        struct made_step step;
        int columns, rows;
    } cases[] = {
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 4, .value = 1}, 8 + 32 * 3, 8},
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 4, .value = 99}, 8 + 32 * 3, 8},
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 4, .value = 100}, 8 + 32 * 4, 8},
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 4, .value = 9999}, 8 + 32 * 5, 8},
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 4, .value = 10000}, 8 + 32 * 6, 8},
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 4, .value = 100000}, 8 + 32 * 6, 8},
        {{.op = WARP_OP_GLOBAL_READ, .width = 4, .arg_slope = 4, .value = 1}, 8 + 96 + 6 + 3, 8},
        /* Lane 31 is at byte 496, in row 3; then at byte 620, in row 4. */
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 16}, 104, 3 + 4 + 1},
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 20}, 104, 3 + 5 + 1},
        {{.op = WARP_OP_SHARED_WRITE, .arg = 128, .width = 4, .arg_slope = 20}, 104, 3 + 5 + 1},
        /* Lane 31 is in row 62, 63, 64: from 64 on, only the 32 rows that are touched. */
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 256}, 104, 3 + 63 + 1},
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 264}, 104, 3 + 64 + 1},
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 268}, 104, 3 + 32 + 1},
        {{.op = WARP_OP_SHARED_WRITE, .width = 4, .arg_slope = 1024}, 104, 3 + 32 + 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = made_open(4, WARP_TYPE_INT, &cases[i].step, 1, NULL, emulated);
        struct replay replay;
        struct moment moment;
        int columns = 0, rows = 0;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        assert_true(moment_init(&moment, &replay));
        memory_natural_size(&moment, &columns, &rows);
        if (columns != cases[i].columns || rows != cases[i].rows)
            fail_msg("case %zu: %dx%d", i, columns, rows);
        trace_close(trace);
    }
}

/* After a write, the words are shown if every cell has room for the longest word: with a blank
 * between words, or without a blank in cells of two columns. */
static void words_are_shown_where_they_fit(void **state) {
    static const struct {
        int64_t value;
        int columns; /* the fewest columns that show the words */
    } cases[] = {{77, 8 + 32 * 2}, {777, 8 + 32 * 4}, {7777, 8 + 32 * 5}, {77777, 8 + 32 * 6}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct made_step step = {.op = WARP_OP_SHARED_WRITE,
                                       .width = 4,
                                       .arg_slope = 4,
                                       .value = cases[i].value,
                                       .text = "t[x]"};
        struct trace *trace = made_open(4, WARP_TYPE_INT, &step, 1, NULL, emulated);
        struct replay replay;
        struct moment moment;
        char word[16];
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        script_run(&replay, "llll");
        assert_true(moment_init(&moment, &replay));
        assert_int_equal(moment.phase, PHASE_AFTER);
        snprintf(word, sizeof word, "%d", (int)cases[i].value);
        for (int columns = 8 + 32 * 2; columns <= 8 + 32 * 6; columns++) {
            struct grid grid;
            grid_init(&grid, columns, 8, false);
            draw_wires(grid_area(&grid), &moment);
            char *text = grid_to_text(&grid, false);
            if (!!strstr(text, word) != (columns >= cases[i].columns))
                fail_msg("%s in %d columns:\n%s", word, columns, text);
            free(text);
            grid_release(&grid);
        }
        trace_close(trace);
    }
}

/* ---- lanes ---- */

/* A lane whose recorded result disagrees with the rules has a sign in its row. */
static void lanes_that_disagree_have_a_sign(void **state) {
    static const uint32_t sets[] = {0, 1, UINT32_C(1) << 31, 0x00210020, 0xffffffff};
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct trace *trace = sample_open("xor-3-w16");
        struct replay replay;
        struct moment moment;
        struct grid grid;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        script_run(&replay, "llll");
        replay.cursor.disagreement = sets[i];
        assert_true(moment_init(&moment, &replay));
        assert_int_equal(moment.phase, PHASE_AFTER);
        grid_init(&grid, 60, 1 + WARP_LANES, false);
        draw_lanes(grid_area(&grid), &moment);
        for (int y = 0; y <= WARP_LANES; y++) {
            int signs = 0;
            for (int x = 0; x < grid.columns; x++)
                signs += grid.cells[y * grid.columns + x].glyph == 0x2260;
            assert_int_equal(signs, y > 0 ? sets[i] >> (y - 1) & 1 : 0);
        }
        grid_release(&grid);
        trace_close(trace);
    }
}

/* In a narrow row, the lane's input is shown up to a blank before the formula, with as many
 * characters of its end as of its beginning, or one fewer. */
static void a_formula_leaves_a_blank(void **state) {
    static const char value[] = "-9223372036854775777", formula[] = " 31^16=15", cut[] = "\u2026";
    (void)state;
    for (int columns = 20; columns <= 28; columns++) {
        struct trace *trace = sample_open("long-long");
        struct replay replay;
        struct moment moment;
        struct grid grid;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        script_run(&replay, "l");
        assert_true(moment_init(&moment, &replay));
        assert_int_equal(moment.phase, PHASE_ADDRESS);
        grid_init(&grid, columns, 1 + WARP_LANES, false);
        draw_lanes(grid_area(&grid), &moment);
        char *text = grid_to_text(&grid, false);
        const char *row = strstr(text, "31 "); /* the lane; no other has this number */
        assert_non_null(row);
        const char *begin = strchr(row, '-'), *middle = strstr(row, cut);
        const char *end = strstr(row, formula);
        assert_true(begin && middle && end && begin < middle && middle < end);
        const size_t before = (size_t)(middle - begin);
        const char *rest = middle + strlen(cut);
        const size_t after = (size_t)(end - rest);
        assert_memory_equal(begin, value, before);
        assert_memory_equal(rest, value + strlen(value) - after, after);
        assert_true(before == after || before == after + 1);
        free(text);
        grid_release(&grid);
        trace_close(trace);
    }
}

/* Before the call, a narrow row shows nothing but the lane and its input: each further column shows
 * one more character of the input, until it is complete. From 29 columns on, the row is not
 * narrow. */
static void a_value_takes_what_is_free(void **state) {
    static const char value[] = "-9223372036854775777", cut[] = "\u2026";
    int narrow = 0; /* the part of the value that 20 columns show */
    (void)state;
    for (int columns = 20; columns <= 28; columns++) {
        struct trace *trace = sample_open("long-long");
        struct replay replay;
        struct moment moment;
        struct grid grid;
        assert_int_equal(replay_init(&replay, trace, NULL), 0);
        assert_true(moment_init(&moment, &replay));
        assert_int_equal(moment.phase, PHASE_BEFORE);
        grid_init(&grid, columns, 1 + WARP_LANES, false);
        draw_lanes(grid_area(&grid), &moment);
        char *text = grid_to_text(&grid, false);
        char *row = strstr(text, "31 "); /* the lane; no other has this number */
        assert_non_null(row);
        row = strchr(row, '-');
        assert_non_null(row);
        row[strcspn(row, " \n")] = '\0';
        const char *middle = strstr(row, cut);
        const int shown = (int)strlen(row) - (middle ? (int)strlen(cut) - 1 : 0);
        narrow = columns == 20 ? shown : narrow;
        const int free_columns = narrow + columns - 20, whole = (int)strlen(value);
        if (shown != (free_columns < whole ? free_columns : whole))
            fail_msg("%d columns: %s", columns, row);
        if (!middle)
            assert_string_equal(row, value);
        free(text);
        grid_release(&grid);
        trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_box_is_as_high_as_its_lines),
        cmocka_unit_test(the_box_is_in_the_middle),
        cmocka_unit_test(the_box_fits_its_width),
        cmocka_unit_test(no_source_text),
        cmocka_unit_test(a_complaint_is_wrapped),
        cmocka_unit_test(the_size_of_a_figure_of_memory),
        cmocka_unit_test(words_are_shown_where_they_fit),
        cmocka_unit_test(lanes_that_disagree_have_a_sign),
        cmocka_unit_test(a_formula_leaves_a_blank),
        cmocka_unit_test(a_value_takes_what_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
