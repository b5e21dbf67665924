/*
 * Single views, row by row: some rows of each picture as reviewed text, all pictures of a view in
 * one file, screens/rows-VIEW.txt. Other than a screen, a picture here has any size, and is of a
 * recording made for what it is to show.
 *
 *     UPDATE_SCREENS=1 ctest -R view_rows      rewrites them; read the diff before committing it
 */
#include "base/text.h"
#include "replay/predict.h"
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

enum { LONG = 100, FEW = 6 };

static const char *const emulated[] = {
    TRACE_NOTE_DEVICE, "cpu", TRACE_NOTE_RECORDED, "emulated", TRACE_NOTE_SHARED,
    "0 512 t\n",       NULL};

/* Exchanges of values of two digits, or of what `value` is. */
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

/* A butterfly whose lanes come to hold the same, and what was made of it; then lanes 0-15 alone,
 * with a width that is none; a step that cannot be read; accesses. */
static const struct made_step parts[] = {
    {.op = WARP_OP_XOR, .arg = 1, .width = 8, .slope = 1, .text = "f(a)"},
    {.op = WARP_OP_XOR, .arg = 2, .width = 8, .slope = 1, .shift = 1, .text = "f(a)"},
    {.op = WARP_OP_WATCH, .slope = 1, .shift = 2, .text = "sum"},
    {.op = WARP_OP_WATCH, .slope = 1, .shift = 3, .text = "sum"},
    {.op = WARP_OP_XOR,
     .arg = 4,
     .width = 5,
     .members = 0xffff,
     .slope = 1,
     .shift = 3,
     .text = "f"},
    {.op = WARP_OP_SYNC, .text = "f()", .damaged = true},
    {.op = WARP_OP_SHARED_READ, .width = 4, .arg_slope = 4, .slope = 1, .text = "t[x]"},
    {.op = WARP_OP_REDUCE_XOR, .value = 9, .text = "f(a)"},
};
#define PARTS (sizeof parts / sizeof *parts)
#define MIXED (sizeof mixed / sizeof *mixed)

/* Accesses: of 8 bytes that lie across a row's end, far apart, over each other. */
static const struct made_step accesses[] = {
    {.op = WARP_OP_SHARED_WRITE, .arg = 4, .arg_slope = 8, .width = 8, .slope = 1, .text = "a[x]"},
    {.op = WARP_OP_SHARED_WRITE, .arg_slope = 1024, .width = 4, .slope = 3, .text = "b[x]"},
    {.op = WARP_OP_SHARED_READ, .arg = 256, .arg_slope = 2, .width = 2, .slope = 1, .text = "c[x]"},
    {.op = WARP_OP_SHARED_READ, .arg_slope = 132, .width = 4, .members = 0xf0, .text = "d[x]"},
    {.op = WARP_OP_SHARED_WRITE, .arg_slope = 4, .width = 4, .value = 12345, .text = "e[x]"},
    {.op = WARP_OP_GLOBAL_READ, .arg_slope = 65536, .width = 4, .slope = 1, .text = "f[x]"},
};
#define ACCESSES (sizeof accesses / sizeof *accesses)

static struct trace *open_recording(const char *name) {
    if (strcmp(name, "accesses") == 0)
        return made_open(4, WARP_TYPE_INT, accesses, ACCESSES, NULL, emulated);
    if (strcmp(name, "long") == 0)
        return open_rounds(4, WARP_TYPE_INT, 0, LONG);
    if (strcmp(name, "few") == 0)
        return open_rounds(4, WARP_TYPE_INT, 0, FEW);
    if (strcmp(name, "wide") == 0)
        return open_rounds(8, WARP_TYPE_LONG_LONG, 1234567890123, FEW);
    if (strcmp(name, "mixed") == 0)
        return made_open(4, WARP_TYPE_INT, mixed, MIXED, NULL, emulated);
    if (strcmp(name, "parts") == 0)
        return made_open(4, WARP_TYPE_INT, parts, PARTS, NULL, emulated);
    return sample_open(name);
}

/* What is drawn other than a view: `--format text`, and a picture on paper. */
#define TABLE   ((enum view_kind)VIEW_KIND_COUNT)
#define PICTURE VIEW_EXPLAIN

struct rows_case {
    const char *recording, *keys;
    int columns, rows;
    unsigned hide;   /* enum replay_hidden */
    const char *ask; /* a question, as a lesson writes it */
    uint32_t points; /* lanes that a lesson points at */
    bool altered;    /* a change of what is asked for has altered lanes 0 and 5 */
    bool spread, ascii;
    bool clicks; /* instead of the rows: what a click on each of their cells asks for */
};

enum { END = -2, LAST = -1 }; /* of a list of rows; a list that begins with END has all */

/* Of lanes, with two headings: those of the lanes 0, 4 and 5, and the last row. */
static const int some[] = {0, 1, 2, 6, 7, LAST, END}, all[] = {END};

static void append_grid(struct text *text, const struct grid *grid, bool clicks) {
    char *lines = clicks ? reviewed_clicks(grid) : grid_to_text(grid, true);
    text_append(text, lines);
    free(lines);
}

static void append_rows(struct text *text, const struct grid *grid, const int *rows, bool clicks) {
    if (*rows == END)
        append_grid(text, grid, clicks);
    for (; *rows != END; rows++) {
        const int y = *rows == LAST ? grid->rows - 1 : *rows;
        struct grid cut;
        if (y >= grid->rows)
            continue;
        grid_init(&cut, grid->columns, 1, false);
        memcpy(cut.cells, grid->cells + y * grid->columns,
               (size_t)grid->columns * sizeof *cut.cells);
        append_grid(text, &cut, clicks);
        grid_release(&cut);
    }
}

static void draw_case(struct text *text, const struct rows_case *picture, enum view_kind kind,
                      const int *rows) {
    struct trace *trace = open_recording(picture->recording);
    struct replay replay;
    struct moment moment;
    struct grid grid;
    assert_non_null(trace);
    assert_int_equal(replay_init(&replay, trace, NULL), 0);
    if (kind != TABLE && kind != PICTURE)
        replay_apply(&replay, ACTION_VIEW_GO, kind);
    script_run(&replay, picture->keys);
    replay_set_picture(&replay, picture->hide, picture->points);
    if (picture->altered) {
        replay.live.altered = (struct live_altered){0x01, 0x20, 0x21, 0x01, 0x20};
        replay.live.altered_left = 100;
    }
    if (picture->ask) {
        struct question question;
        struct error err = ERROR_INIT;
        assert_int_equal(question_parse(&question, picture->ask, &err), 0);
        if (replay_ask(&replay, &question, &err) != 0)
            fail_msg("%s: %s", picture->recording, err.text);
    }
    assert_true(moment_init(&moment, &replay));
    moment.spread = picture->spread;
    moment.ghosts = true; /* as on the screen */
    grid_init(&grid, picture->columns, picture->rows, picture->ascii);
    if (kind == TABLE)
        view_draw_table(&grid, &replay, picture->columns);
    else if (kind == PICTURE)
        view_draw_picture(&grid, &replay, picture->columns);
    else
        view_of(kind)->draw(grid_area(&grid), &moment);
    if (grid.failed_to_fit)
        fail_msg("%s, %s at %dx%d is cut", picture->recording, picture->keys, picture->columns,
                 picture->rows);
    text_append_format(text, "== %s, %s, %dx%d", picture->recording, picture->keys,
                       picture->columns, picture->rows);
    text_append_format(text, "%s%s%s", picture->spread ? ", spread" : "",
                       picture->ascii ? ", ascii" : "", picture->altered ? ", altered" : "");
    text_append(text, picture->clicks ? ", clicks" : "");
    if (picture->hide)
        text_append_format(text, ", hide %u", picture->hide);
    text_append_format(text, "%s%s\n", picture->ask ? ", asked: " : "",
                       picture->ask ? picture->ask : "");
    append_rows(text, &grid, rows, picture->clicks);
    grid_release(&grid);
    trace_close(trace);
}

static void compare(const char *name, const struct rows_case *cases, size_t count,
                    enum view_kind kind, const int *rows) {
    struct text text = TEXT_INIT;
    for (size_t i = 0; i < count; i++)
        draw_case(&text, &cases[i], kind, rows);
    reviewed_compare(SCREENS_FOLDER, name, text_detach(&text));
}

/* ---- lanes ---- */

/* The heading, the lanes 0, 5 and 9, and lane 31. */
static const int few_lanes[] = {0, 1, 6, 10, LAST, END};

static const struct rows_case lanes[] = {
    {"xor-3-w16", "", 20, .rows = 33},
    {"xor-3-w16", "ll", 32, .rows = 33, .clicks = true},
    {"votes", "nn l", 32, .rows = 33, .clicks = true},
    {"xor-3-w16", "", 32, .rows = 33},
    {"xor-3-w16", "l", 19, .rows = 33},
    {"xor-3-w16", "l", 20, .rows = 33},
    {"xor-3-w16", "l", 22, .rows = 33},
    {"xor-3-w16", "l", 28, .rows = 33},
    {"xor-3-w16", "l", 29, .rows = 33},
    {"xor-3-w16", "l", 30, .rows = 33},
    {"xor-3-w16", "ll", 19, .rows = 33},
    {"xor-3-w16", "ll", 22, .rows = 33},
    {"xor-3-w16", "ll", 29, .rows = 33},
    {"xor-3-w16", "ll", 30, .rows = 33},
    {"xor-3-w16", "llll", 19, .rows = 33},
    {"xor-3-w16", "llll", 20, .rows = 33},
    {"xor-3-w16", "llll", 24, .rows = 33},
    {"xor-3-w16", "llll", 26, .rows = 33},
    {"xor-3-w16", "llll", 28, .rows = 33},
    {"xor-3-w16", "llll", 29, .rows = 33},
    {"xor-3-w16", "llll", 30, .rows = 33},
    {"xor-3-w16", "llll", 34, .rows = 33},
    {"xor-3-w16", "llll", 38, .rows = 33},
    {"xor-3-w16", "llll", 46, .rows = 33},
    {"xor-3-w16", "llll", 62, .rows = 33},
    {"down-3-w16", "ll", 22, .rows = 33},
    {"down-3-w16", "ll", 29, .rows = 33},
    {"down-3-w16", "ll", 42, .rows = 33},
    {"partial-mask", "ll", 22, .rows = 33},
    {"partial-mask", "ll", 42, .rows = 33},
    {"partial-mask", "llll", 22, .rows = 33},
    {"partial-mask", "llll", 42, .rows = 33},
    {"width-12", "llll", 22, .rows = 33},
    {"width-12", "llll", 42, .rows = 33},
    {"long-long", "l", 24, .rows = 33},
    {"long-long", "l", 28, .rows = 33},
    {"long-long", "l", 32, .rows = 33},
    {"long-long", "l", 42, .rows = 33},
    {"long-long", "llll", 20, .rows = 33},
    {"long-long", "llll", 24, .rows = 33},
    {"long-long", "llll", 28, .rows = 33},
    {"long-long", "llll", 32, .rows = 33},
    {"long-long", "llll", 42, .rows = 33},
    {"long-long", "llll", 60, .rows = 33},
    {"long-long", "llll", 72, .rows = 33},
    {"long-long", "llll", 80, .rows = 33},
    {"double", "llll", 26, .rows = 33},
    {"double", "llll", 35, .rows = 33},
    {"double", "llll", 50, .rows = 33},
    {"extreme", "l", 22, .rows = 33},
    {"extreme", "l", 34, .rows = 33},
    {"extreme", "l", 38, .rows = 33},
    {"extreme", "l", 48, .rows = 33},
    {"extreme", "l", 72, .rows = 33},
    {"extreme", "llll", 29, .rows = 33},
    {"extreme", "llll", 48, .rows = 33},
    {"extreme", "llll", 72, .rows = 33},
    {"votes", "ll", 18, .rows = 33},
    {"votes", "ll", 22, .rows = 33},
    {"votes", "ll", 29, .rows = 33},
    {"votes", "ll", 42, .rows = 33},
    {"votes", "n ll", 20, .rows = 33},
    {"votes", "n ll", 32, .rows = 33},
    {"votes", "nn l", 22, .rows = 33},
    {"votes", "nn l", 29, .rows = 33},
    {"votes", "nn ll", 26, .rows = 33},
    {"reduce", "G ll", 18, .rows = 33},
    {"reduce", "G ll", 22, .rows = 33},
    {"reduce", "G ll", 29, .rows = 33},
    {"shared", "n", 22, .rows = 33},
    {"shared", "n", 32, .rows = 33},
    {"shared", "n ll", 22, .rows = 33},
    {"shared", "n ll", 28, .rows = 33},
    {"shared", "n ll", 29, .rows = 33},
    {"shared", "n ll", 38, .rows = 33},
    {"wrong", "5j llll", 26, .rows = 33},
    {"wrong", "5j llll", 42, .rows = 33},
    {"xor-3-w16", "5j llll", 26, .rows = 33, .altered = true},
    {"xor-3-w16", "5j llll", 42, .rows = 33, .altered = true},
    {"xor-3-w16", "5j l", 26, .rows = 33, .altered = true},
    {"xor-3-w16", "5j l", 42, .rows = 33, .altered = true},
    {"xor-3-w16", "", 42, .rows = 33, .points = 0x220},
    {"xor-3-w16", "5j", 22, .rows = 33, .ask = "source of lane 5"},
    {"xor-3-w16", "5j", 42, .rows = 33, .ask = "source of lane 5"},
    {"xor-3-w16", "5j", 22, .rows = 33, .ask = "readers of lane 5"},
    {"xor-3-w16", "5j llll", 22, .rows = 33, .ask = "value of lane 5"},
    {"xor-3-w16", "5j llll", 42, .rows = 33, .ask = "value of lane 5"},
    {"votes", "5j", 22, .rows = 33, .ask = "value of lane 5"},
    {"votes", "5j", 42, .rows = 33, .ask = "value of lane 5"},
    {"reduce", "5j G", 22, .rows = 33, .ask = "value of lane 5"},
    {"reduce", "5j G", 42, .rows = 33, .ask = "value of lane 5"},
    {"xor-3-w16", "5j p 6 Enter", 22, .rows = 33},
    {"xor-3-w16", "5j p 6 Enter", 42, .rows = 33},
    {"xor-3-w16", "5j p 9 Enter", 42, .rows = 33},
    {"ballot", "ll 5j", 22, .rows = 33},
    {"ballot", "ll 5j", 32, .rows = 33},
    {"xor-3-w16", "llll", 32, .rows = 33, .hide = 1},
    {"xor-3-w16", "llll", 32, .rows = 33, .hide = 2},
    {"xor-3-w16", "llll", 32, .rows = 33, .hide = 4},
    {"xor-3-w16", "llll", 32, .rows = 33, .hide = 32},
};

static void rows_of_the_lanes(void **state) {
    (void)state;
    compare("rows-lanes", lanes, sizeof lanes / sizeof *lanes, VIEW_LANES, few_lanes);
}

/* ---- history ---- */

static const struct rows_case histories[] = {
    {"long", "n", 40, .rows = 36},
    {"few", "n", 60, .rows = 36, .clicks = true},
    {"few", "n", 60, .rows = 35},
    {"mixed", "nn", 113, .rows = 36},
    {"parts", "3n", 110, .rows = 36, .hide = 32},
    {"long", "49n 3j", 40, .rows = 36},
    {"long", "49n lll", 60, .rows = 20},
    {"long", "50n", 43, .rows = 36},
    {"long", "85n", 41, .rows = 34},
    {"long", "4n", 41, .rows = 35},
    {"few", "n", 60, .rows = 33},
    {"few", "n", 60, .rows = 32},
    {"few", "n", 100, .rows = 16},
    {"few", "n", 100, .rows = 17},
    {"few", "n", 35, .rows = 36},
    {"few", "n", 36, .rows = 36},
    {"few", "n", 37, .rows = 36},
    {"few", "n", 42, .rows = 36},
    {"wide", "n 5j llll", 60, .rows = 36},
    {"wide", "n 5j llll", 104, .rows = 36},
    {"wide", "n 5j llll", 105, .rows = 36},
    {"wide", "n 5j llll", 30, .rows = 36},
    {"wide", "n 5j llll", 18, .rows = 36},
    {"mixed", "nn", 57, .rows = 36},
    {"mixed", "nn", 60, .rows = 36},
    {"mixed", "nn", 90, .rows = 36},
    {"mixed", "nn", 114, .rows = 36},
    {"mixed", "nn", 115, .rows = 36},
    {"mixed", "nnnnn", 40, .rows = 36},
    {"mixed", "4n", 34, .rows = 36},
    {"mixed", "G", 25, .rows = 36},
    {"parts", "5j", 60, .rows = 36},
    {"parts", "nn 5j", 60, .rows = 36},
    {"parts", "nnnn 5j lll", 60, .rows = 36},
    {"parts", "G", 44, .rows = 36},
    {"parts", "nnnnnn", 30, .rows = 36},
    {"few", "n 4j llll p 7 Enter", 60, .rows = 36},
    {"few", "n 4j llll p 6 Enter", 40, .rows = 36},
    {"few", "n lll p", 60, .rows = 36},
    {"few", "n lll", 60, .rows = 36, .hide = 1},
    {"few", "n lll", 60, .rows = 36, .hide = 4},
    {"few", "n lll", 60, .rows = 36, .hide = 16},
    {"few", "n lll", 60, .rows = 36, .hide = 32},
    {"parts", "nnnn lll", 60, .rows = 36, .hide = 8},
};

static void rows_of_the_history(void **state) {
    (void)state;
    compare("rows-history", histories, sizeof histories / sizeof *histories, VIEW_HISTORY, some);
}

/* In a narrow picture a letter that all lanes have makes room. Lanes that make no call count for
 * nothing: of groups of 16 there is one where lanes 0-15 alone take part, two where all do. */
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

/* What moment.h says: columns in which whole values of all operations are shown, as far as 64. A
 * lane takes 5 and a margin is on either side; each operation, and what comes out, its longest
 * value or name and 3 between. */
static void the_history_says_what_it_needs(void **state) {
    (void)state;
    static const struct {
        const char *recording;
        int columns;
    } needs[] = {{"few", 7 + 7 * (3 + 3)}, /* three cells at least */
                 {"wide", 7 + 7 * (13 + 3)},
                 {"mixed", 7 + 9 * (9 + 3)}, /* -12345678; 2 of the gap are a name's */
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

/* ---- wires ---- */

static const struct rows_case wires[] = {
    {"xor-3-w16", "5j lll", 39, .rows = 3},
    {"xor-3-w16", "5j lll", 39, .rows = 4},
    {"xor-3-w16", "5j lll", 39, .rows = 5},
    {"xor-3-w16", "5j lll", 39, .rows = 6},
    {"xor-3-w16", "5j lll", 39, .rows = 7},
    {"xor-3-w16", "5j lll", 39, .rows = 8},
    {"xor-3-w16", "5j lll", 39, .rows = 9},
    {"xor-3-w16", "5j lll", 39, .rows = 10},
    {"xor-3-w16", "5j lll", 39, .rows = 12},
    {"xor-3-w16", "5j lll", 39, .rows = 14},
    {"xor-3-w16", "5j lll", 66, .rows = 11},
    {"xor-3-w16", "5j lll", 69, .rows = 11},
    {"xor-3-w16", "5j lll", 70, .rows = 11},
    {"xor-3-w16", "5j lll", 71, .rows = 11},
    {"xor-3-w16", "5j lll", 100, .rows = 11},
    {"xor-3-w16", "5j", 66, .rows = 9},
    {"xor-3-w16", "5j", 66, .rows = 9, .hide = 2},
    {"xor-3-w16", "5j l", 66, .rows = 9},
    {"xor-3-w16", "5j ll", 66, .rows = 9},
    {"xor-3-w16", "5j llll", 66, .rows = 11},
    {"down-3-w16", "13j l", 66, .rows = 9},
    {"down-3-w16", "13j ll", 66, .rows = 9},
    {"down-3-w16", "13j llll", 66, .rows = 11},
    {"down-33-w32", "5j l", 66, .rows = 9},
    {"partial-mask", "5j l", 66, .rows = 9},
    {"partial-mask", "5j ll", 66, .rows = 9},
    {"width-12", "5j ll", 66, .rows = 9},
    {"xor-16-w16", "20j ll", 66, .rows = 9},
    {"reduce", "lll", 100, .rows = 17},
    {"reduce", "5j lll", 66, .rows = 9},
    {"reduce", "5j lll", 100, .rows = 22},
    {"reduce", "5j ll", 100, .rows = 9},
    {"reduce", "G ll", 66, .rows = 6},
    {"idx-17-w16", "3j lll", 66, .rows = 9},
    {"xor-3-w16", "5j", 70, .rows = 9, .ascii = true},
    {"xor-3-w16", "5j l", 70, .rows = 9, .ascii = true},
    {"xor-3-w16", "5j lll", 70, .rows = 9, .ascii = true},
    {"reduce", "5j lll", 66, .rows = 9, .ascii = true},
    {"reduce", "5j l", 66, .rows = 9, .ascii = true},
    {"down-3-w16", "13j ll", 66, .rows = 9, .ascii = true},
    {"idx-17-w16", "9j lll", 66, .rows = 10, .ascii = true},
    {"up-40-w8", "9j l", 66, .rows = 9, .ascii = true},
    {"partial-mask", "5j ll", 66, .rows = 9, .ascii = true},
    {"xor-3-w16", "5j", 66, .rows = 9, .ask = "source of lane 5"},
    {"xor-3-w16", "5j", 66, .rows = 9, .ask = "readers of lane 5"},
    {"xor-3-w16", "5j", 66, .rows = 9, .ask = "lanes own"},
    {"xor-3-w16", "5j", 66, .rows = 9, .ask = "readers of lane 5", .ascii = true},
    {"xor-3-w16", "5j lll", 66, .rows = 9, .clicks = true},
    {"xor-3-w16", "5j p 9 Enter", 66, .rows = 9},
    {"xor-3-w16", "5j p 9 Enter", 66, .rows = 9, .clicks = true},
    {"xor-3-w16", "5j lll", 66, .rows = 11, .hide = 4},
    {"xor-3-w16", "5j lll", 66, .rows = 11, .hide = 32},
    {"xor-3-w16", "5j llll", 66, .rows = 11, .points = 0x220},
};

static void rows_of_the_wires(void **state) {
    (void)state;
    compare("rows-wires", wires, sizeof wires / sizeof *wires, VIEW_WIRES, all);
}

/* ---- memory ---- */

static const struct rows_case memories[] = {
    {"accesses", "l", 72, .rows = 8},
    {"accesses", "l 15j", 72, .rows = 8},
    {"accesses", "l 16j", 72, .rows = 7},
    {"accesses", "ll", 72, .rows = 8},
    {"accesses", "n l", 72, .rows = 9},
    {"accesses", "n l 5j", 72, .rows = 9},
    {"accesses", "n l 31j", 72, .rows = 8},
    {"accesses", "n ll 30j", 104, .rows = 12},
    {"accesses", "nn", 72, .rows = 8},
    {"accesses", "nn l", 72, .rows = 7},
    {"accesses", "nn ll", 104, .rows = 7},
    {"accesses", "nnn", 104, .rows = 12},
    {"accesses", "nnn l 6j", 104, .rows = 12},
    {"accesses", "nnn l", 72, .rows = 6},
    {"accesses", "4n l", 72, .rows = 6},
    {"accesses", "4n ll", 200, .rows = 6},
    {"accesses", "4n ll", 168, .rows = 6},
    {"accesses", "4n ll", 136, .rows = 6},
    {"accesses", "G l", 75, .rows = 9},
    {"accesses", "G l 31j", 84, .rows = 9},
    {"shared", "n ll 9j", 60, .rows = 4},
    {"shared", "n ll 9j", 60, .rows = 5},
    {"shared", "n ll 9j", 60, .rows = 6},
    {"shared", "n ll 9j", 60, .rows = 7},
    {"shared", "n ll 9j", 71, .rows = 8},
    {"shared", "n ll 9j", 72, .rows = 8},
    {"shared", "n ll 9j", 80, .rows = 9},
    {"shared", "n ll 9j", 103, .rows = 8},
    {"shared", "n ll 9j", 104, .rows = 8},
    {"shared", "n", 72, .rows = 8},
    {"shared", "n l 9j", 60, .rows = 8},
    {"shared", "n l 9j", 72, .rows = 8},
    {"shared", "n l 9j", 104, .rows = 9},
    {"shared", "n l 9j", 200, .rows = 9},
    {"shared", "", 60, .rows = 7},
    {"shared", "l", 80, .rows = 7},
    {"shared", "ll", 80, .rows = 7, .hide = 4},
    {"shared", "nnn l 3j", 104, .rows = 9},
    {"shared", "nn l", 80, .rows = 8},
    {"shared", "n l 9j", 72, .rows = 8, .clicks = true},
    {"shared", "n l 9j", 104, .rows = 8, .clicks = true},
    {"column", "l", 60, .rows = 10},
    {"column", "l 3j", 72, .rows = 10},
    {"column", "l 4j", 72, .rows = 10},
    {"column", "l 15j", 72, .rows = 10},
    {"column", "l 27j", 72, .rows = 10},
    {"column", "l 28j", 72, .rows = 10},
    {"column", "l 31j", 72, .rows = 10},
    {"column", "l 15j", 72, .rows = 7},
    {"column", "l 15j", 72, .rows = 6},
    {"column", "l 15j", 72, .rows = 8},
    {"column", "l 15j", 72, .rows = 36},
    {"column", "l 15j", 72, .rows = 35},
    {"global", "l 9j", 68, .rows = 7},
    {"global", "l 9j", 74, .rows = 7},
    {"global", "l 9j", 75, .rows = 7},
    {"global", "l 9j", 83, .rows = 7},
    {"global", "l 9j", 84, .rows = 7},
    {"global", "l 9j", 106, .rows = 7},
    {"global", "l 9j", 107, .rows = 7},
    {"global", "l 9j", 139, .rows = 7},
    {"global", "", 84, .rows = 7},
    {"global", "ll 9j", 120, .rows = 8},
    {"global", "n l 9j", 84, .rows = 12},
    {"global", "n l 9j", 120, .rows = 8},
    {"global", "nn l 3j", 84, .rows = 8},
    {"global", "nnn l 3j", 84, .rows = 12},
    {"global", "nnn l 3j", 107, .rows = 9},
};

static void rows_of_memory(void **state) {
    (void)state;
    compare("rows-memory", memories, sizeof memories / sizeof *memories, VIEW_WIRES, all);
}

/* ---- matrix ---- */

static const struct rows_case matrices[] = {
    {"transpose", "jj", 53, .rows = 12},
    {"transpose", "jj", 54, .rows = 12},
    {"transpose", "jj", 66, .rows = 12},
    {"transpose", "jj", 90, .rows = 12},
    {"transpose", "30j n", 60, .rows = 12},
    {"transpose", "5j nn", 60, .rows = 3},
    {"transpose", "7j", 60, .rows = 5},
    {"transpose", "8j", 60, .rows = 5},
    {"transpose", "8j n", 60, .rows = 6},
    {"transpose", "11j", 60, .rows = 16},
    {"transpose", "3j", 60, .rows = 10},
    {"transpose", "4j", 60, .rows = 10},
    {"transpose", "5j n", 60, .rows = 10, .ask = "source of lane 5"},
    {"transpose", "5j", 60, .rows = 10, .hide = 16},
    {"transpose", "5j n", 60, .rows = 10, .clicks = true},
    {"transpose", "5j nnnn", 60, .rows = 8, .hide = 1},
};

static void rows_of_the_matrix(void **state) {
    (void)state;
    compare("rows-matrix", matrices, sizeof matrices / sizeof *matrices, VIEW_ROUNDS, all);
}

/* ---- table ---- */

/* Headings, the lanes 0, 5, 9 and 20, and what is below the lanes. */
static const int of_table[] = {0, 1, 2, 3, 4, 9, 13, 24, 35, 36, 37, 38, 39, END};

static const struct rows_case tables[] = {
    {"xor-3-w16", "", 40, .rows = 0},    {"long-long", "", 80, .rows = 0},
    {"match", "n", 60, .rows = 0},       {"match", "", 60, .rows = 0},
    {"shared", "n", 60, .rows = 0},      {"global", "", 60, .rows = 0},
    {"reduce", "G", 50, .rows = 0},      {"barrier", "n", 60, .rows = 0},
    {"dropped", "", 60, .rows = 0},      {"wrong", "", 60, .rows = 0},
    {"threads-35", "w", 60, .rows = 0},  {"double", "", 60, .rows = 0},
    {"extreme", "", 60, .rows = 0},      {"up-40-w8", "", 60, .rows = 0},
    {"measured-35", "w", 60, .rows = 0}, {"stopped", "G", 60, .rows = 0},
    {"waiting", "", 70, .rows = 0},      {"parts", "4n", 40, .rows = 0},
};

static void rows_of_the_table(void **state) {
    (void)state;
    compare("rows-table", tables, sizeof tables / sizeof *tables, TABLE, of_table);
}

/* A table of long values needs more than its heading and its call: it is as wide as that, and no
 * wider, so that the last letter of "out" is in the last column. */
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

/* ---- picture ---- */

static const struct rows_case pictures[] = {
    {"xor-3-w16", "5j lll", 60, .rows = 0},
    {"xor-3-w16", "5j lll 3 Escape", 60, .rows = 0},
    {"xor-3-w16", "5j lll 4 Escape", 80, .rows = 0},
    {"reduce", "n 4 Escape", 70, .rows = 0},
    {"reduce", "n 3 Escape", 60, .rows = 0},
    {"ballot", "ll 4 Escape", 60, .rows = 0},
    {"shared", "n ll", 60, .rows = 0},
};

static void rows_on_paper(void **state) {
    (void)state;
    compare("rows-picture", pictures, sizeof pictures / sizeof *pictures, PICTURE, of_table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_the_lanes),
        cmocka_unit_test(rows_of_the_history),
        cmocka_unit_test(the_history_names_groups_where_there_are_several),
        cmocka_unit_test(the_history_says_what_it_needs),
        cmocka_unit_test(rows_of_the_wires),
        cmocka_unit_test(rows_of_memory),
        cmocka_unit_test(rows_of_the_matrix),
        cmocka_unit_test(rows_of_the_table),
        cmocka_unit_test(a_table_is_as_wide_as_it_needs),
        cmocka_unit_test(rows_on_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
