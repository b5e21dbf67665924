/* The lines at which lanes are: in this call, waiting, or at their next calls (lane_lines.h). */
#include "view/pictures/lane_lines.h"
#include "view/pictures/network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct call {
    const char *file;
    uint32_t line, present;
};

/* A warp of 8 lanes, of which lane 7 has exited, makes these calls. If `waiting` is not NULL, the
 * warp is stopped at the last call. */
struct made {
    struct trace *trace;
    struct replay replay;
    struct moment moment;
    struct lane_lines lines;
};

#define LAUNCHED 0xffu
#define EXITED   0x80u

static const char nine[] = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

static void begin(struct made *made, const struct call *calls, size_t count, const char *waiting) {
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 4};
    struct error err = ERROR_INIT;
    const struct trace_launch launch = {"k", {1, 1, 1}, {8, 1, 1}, 0};
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    trace_writer_launch(writer, &launch);
    trace_writer_source(writer, "k.cu", nine);
    trace_writer_source(writer, "dir/k.cu", nine);
    for (size_t i = 0; i < count; i++) {
        const struct trace_site site = {calls[i].file, calls[i].line, "", "call()"};
        size_t one = 1;
        struct shflviz_record_header *record = trace_writer_reserve(writer, &one);
        const struct shflviz_record_header header = {
            .op = WARP_OP_SYNC,
            .type = WARP_TYPE_NONE,
            .flags = (uint16_t)(SHFLVIZ_RECORD_EXITED_KNOWN |
                                (waiting && i + 1 == count ? SHFLVIZ_RECORD_UNFINISHED : 0)),
            .members = calls[i].present,
            .present = calls[i].present,
            .exited = EXITED,
            .site = trace_writer_site(writer, &site),
            .sequence = i + 1};
        memcpy(record, &header, sizeof header);
    }
    if (waiting) {
        trace_writer_note(writer, TRACE_NOTE_FAILURE, "lanes wait for each other forever");
        trace_writer_note(writer, TRACE_NOTE_FAILURE_KIND, "deadlock");
        trace_writer_note(writer, TRACE_NOTE_WAITING, waiting);
    }
    assert_int_equal(trace_writer_close(writer, &made->trace, &err), 0);
    assert_int_equal(replay_init(&made->replay, made->trace, &err), 0);
    if (waiting)
        replay_apply(&made->replay, ACTION_OPERATION_LAST, 0);
    assert_true(moment_init(&made->moment, &made->replay));
    lane_lines_find(&made->moment, &made->lines);
}

static void is_at(const struct lane_lines *lines, int i, uint32_t line, uint32_t lanes,
                  enum lane_line_kind kind) {
    assert_true(i < lines->count);
    assert_int_equal(lines->line[i].line, line);
    assert_int_equal(lines->line[i].lanes, lanes);
    assert_int_equal(lines->line[i].kind, kind);
}

static void lanes_that_part(void **state) {
    (void)state;
    static const struct call calls[] = {{"k.cu", 4, 0x03}, {"k.cu", 9, 0x04}, {"k.cu", 6, 0x0b},
                                        {"k.cu", 9, 0x10}, {"o.cu", 2, 0x20}, {"k.cu", 1, 0x60}};
    struct made made;
    begin(&made, calls, 6, NULL);
    /* Lanes 0 and 1 make this call; lane 5 first reaches another file, whose lines are hidden. */
    assert_int_equal(made.lines.count, 4);
    is_at(&made.lines, 0, 4, 0x03, LANES_CALL);
    is_at(&made.lines, 1, 9, 0x14, LANES_CALL_LATER); /* lanes 2 and 4 are on one line */
    is_at(&made.lines, 2, 6, 0x08, LANES_CALL_LATER);
    is_at(&made.lines, 3, 1, 0x40, LANES_CALL_LATER);
    /* With later steps, results or sources hidden, only the line of this call remains; with the
     * calling lanes or the call hidden, no line remains. */
    static const unsigned later[] = {REPLAY_HIDES_LATER, REPLAY_HIDES_OUT, REPLAY_HIDES_READS};
    for (size_t i = 0; i < 3; i++) {
        made.moment.hide = later[i];
        lane_lines_find(&made.moment, &made.lines);
        assert_int_equal(made.lines.count, 1);
        is_at(&made.lines, 0, 4, 0x03, LANES_CALL);
    }
    static const unsigned all[] = {REPLAY_HIDES_ABSENT, REPLAY_HIDES_CALL};
    for (size_t i = 0; i < 2; i++) {
        made.moment.hide = all[i];
        lane_lines_find(&made.moment, &made.lines);
        assert_int_equal(made.lines.count, 0);
    }
    made.moment.hide = REPLAY_HIDES_IN; /* a value has no location */
    lane_lines_find(&made.moment, &made.lines);
    assert_int_equal(made.lines.count, 4);
    made.moment.site = NULL;
    lane_lines_find(&made.moment, &made.lines);
    assert_int_equal(made.lines.count, 0);
    trace_close(made.trace);
}

/* Lanes that have exited or do not exist do not count as missing: all others make the call. */
static void no_lane_is_missing(void **state) {
    (void)state;
    static const struct call calls[] = {{"k.cu", 4, LAUNCHED & ~EXITED}, {"k.cu", 9, 0x01}};
    struct made made;
    begin(&made, calls, 2, NULL);
    assert_int_equal(made.lines.count, 0);
    trace_close(made.trace);
}

/* The last call of a warp: no lane makes another call. */
static void nothing_comes_later(void **state) {
    (void)state;
    static const struct call calls[] = {{"k.cu", 4, 0x01}};
    struct made made;
    begin(&made, calls, 1, NULL);
    assert_int_equal(made.lines.count, 1);
    is_at(&made.lines, 0, 4, 0x01, LANES_CALL);
    trace_close(made.trace);
}

/* The search looks 64 steps ahead. */
static void the_search_looks_64_steps_ahead(void **state) {
    (void)state;
    for (size_t ahead = 63; ahead <= 65; ahead++) {
        struct call calls[66];
        struct made made;
        for (size_t i = 0; i <= ahead; i++)
            calls[i] = (struct call){"k.cu", i == ahead ? 9 : 4, i == ahead ? 2 : 1};
        begin(&made, calls, ahead + 1, NULL);
        assert_int_equal(made.lines.count, ahead <= 64 ? 2 : 1);
        if (ahead <= 64)
            is_at(&made.lines, 1, 9, 0x02, LANES_CALL_LATER);
        trace_close(made.trace);
    }
}

/* Where the run stopped, a file is recognised by its name, whatever folder it is in. */
static void where_lanes_wait(void **state) {
    static const struct {
        const char *place;
        uint32_t line; /* 0 if `place` is not in this file or is not a location */
    } cases[] = {
        {"dir/k.cu:9 __syncthreads()", 9},  {"k.cu:9 __syncthreads()", 9},
        {"other/k.cu:12 __syncwarp()", 12}, {"a:3/k.cu:9 __syncwarp()", 9},
        {"dir/kk.cu:9 __syncwarp()", 0},    {"dir/k.c:9 __syncwarp()", 0},
        {"dir/k.cuh:9 __syncwarp()", 0},    {"dir/k.cu __syncwarp()", 0},
        {"dir/k.cu:x9 __syncwarp()", 0},    {"dir/k.cu:/9 __syncwarp()", 0},
        {"dir/k.cu:0 __syncwarp()", 0},     {"dir/k.cu:100 __syncwarp()", 100},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct call call = {"dir/k.cu", 5, 0x03};
        char waiting[160];
        struct made made;
        snprintf(waiting, sizeof waiting,
                 "block 0 0 0\nbarrier 0 0000007c %s\nmissing 0 00000003\n", cases[i].place);
        begin(&made, &call, 1, waiting);
        assert_int_equal(made.moment.picture, PICTURE_STOP);
        uint32_t found = 0;
        for (int k = 0; k < made.lines.count; k++) {
            assert_int_equal(made.lines.line[k].kind, LANES_WAIT);
            if (made.lines.line[k].lanes == 0x7c)
                found = made.lines.line[k].line;
        }
        if (found != cases[i].line)
            fail_msg("%s: %u", cases[i].place, found);
        trace_close(made.trace);
    }
}

/* Each location of this warp takes three rows, or two in a small area. The five other warps are
 * named as far as there are rows for them; the last row before the signs counts those left out. */
static void where_other_warps_wait(void **state) {
    static const char waiting[] = "block 0 0 0\n"
                                  "barrier 0 0000007c dir/k.cu:9 __syncthreads()\n"
                                  "barrier 1 ffffffff dir/k.cu:9 __syncthreads()\n"
                                  "barrier 2 ffffffff dir/k.cu:9 __syncthreads()\n"
                                  "barrier 3 ffffffff dir/k.cu:9 __syncthreads()\n"
                                  "barrier 4 ffffffff dir/k.cu:9 __syncthreads()\n"
                                  "barrier 5 ffffffff dir/k.cu:9 __syncthreads()\n"
                                  "missing 0 00000003\n";
    (void)state;
    const struct call call = {"dir/k.cu", 5, 0x03};
    struct made made;
    begin(&made, &call, 1, waiting);
    for (int rows = 7; rows <= 20; rows++) {
        struct grid grid;
        grid_init(&grid, 80, rows, false);
        draw_stop(grid_area(&grid), &made.moment);
        char *text = grid_to_text(&grid, false), more[32], *rest = text;
        /* Two rows of numbers, with an empty row above from 15 rows on; lanes 0 and 1 wait at line
         * 5, and lanes 2 to 6 at line 9. */
        const int top = 2 + (rows > 14), own = 2, others = 5, signs = rows - 1;
        const bool tight = top + own * 3 + others + 1 >= signs;
        const int free_rows = signs - top - own * (tight ? 2 : 3);
        const int named = free_rows >= others ? others : free_rows > 0 ? free_rows - 1 : 0;
        snprintf(more, sizeof more, " and %d more", others - named);
        int seen = 0;
        for (int warp = 1; warp <= 5; warp++) {
            char name[32];
            snprintf(name, sizeof name, " warp %d: all 32 lanes, k.cu:9", warp);
            const bool here = strstr(text, name);
            assert_int_equal(here, warp <= named);
            seen += here;
        }
        if (free_rows > 0)
            assert_int_equal(strstr(text, more) != NULL, named < others);
        const int last = top + own * (tight ? 2 : 3) + seen + (named < others && free_rows > 0);
        for (int y = 0; y < rows; y++) {
            const char *line = strsep(&rest, "\n");
            assert_int_equal(strstr(line, "● waits  ○ never comes  × has left") != NULL,
                             y == (last < signs ? last : signs));
        }
        free(text);
        grid_release(&grid);
    }
    trace_close(made.trace);
}

static void shows_source(const struct made *made, int columns, int rows, const char *expected) {
    struct grid grid;
    grid_init(&grid, columns, rows, false);
    draw_source(grid_area(&grid), &made->moment);
    char *text = grid_to_text(&grid, false);
    assert_string_equal(text, expected);
    free(text);
    grid_release(&grid);
}

/* A sign and the lanes come before their line, in as many columns as the longest list needs, but
 * at most a quarter of all columns. From 8 rows on, the last row explains the signs. */
static void lanes_are_listed_before_their_lines(void **state) {
    (void)state;
    static const struct call calls[] = {{"k.cu", 4, 0x07}, {"k.cu", 6, 0x38}, {"k.cu", 4, 0x40}};
    struct made made;
    begin(&made, calls, 3, NULL);
    shows_source(&made, 60, 7,
                 "          1  one\n"
                 "          2  two\n"
                 "          3  three\n"
                 " ● 0-2    4  four\n" /* lanes 0-2 call here; lane 6, not shown, calls later */
                 "          5  five\n"
                 " ○ 3-5    6  six\n"
                 "          7  seven\n");
    shows_source(&made, 60, 8,
                 "          1  one\n"
                 "          2  two\n"
                 "          3  three\n"
                 " ● 0-2    4  four\n"
                 "          5  five\n"
                 " ○ 3-5    6  six\n"
                 "          7  seven\n"
                 " ● make this call  ○ make their next call there\n");
    shows_source(&made, 24, 3,
                 "          3  three\n"
                 " ● 0-2    4  four\n"
                 "          5  five\n");
    shows_source(&made, 23, 3,
                 "         3  three\n"
                 " ● 0…    4  four\n"
                 "         5  five\n");
    shows_source(&made, 3 * 4 + 3, 1, " ●     4  four\n");
    shows_source(&made, 7, 8,
                 "     1\n     2\n     3\n     4\n     5\n     6\n     7\n"
                 " ● ma…\n");
    trace_close(made.trace);
}

/* A click on lanes selects the smallest of them; other cells do not select lanes. Lanes that make
 * this call are lit. */
static void lanes_before_lines_are_clicked(void **state) {
    (void)state;
    static const struct call calls[] = {{"k.cu", 4, 0x06}, {"k.cu", 6, 0x39}};
    struct made made;
    struct grid grid;
    begin(&made, calls, 2, NULL);
    grid_init(&grid, 60, 7, false);
    draw_source(grid_area(&grid), &made.moment);
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 60; x++) {
            const struct cell *cell = &grid.cells[y * 60 + x];
            const bool lanes = (y == 3 || y == 5) && x < 3 + 5; /* "0 3-5" */
            assert_int_equal(cell->hit.action == ACTION_LANE_GO, lanes);
            if (lanes)
                assert_int_equal(cell->hit.argument, y == 3 ? 1 : 0);
            if (lanes && x == 1)
                assert_int_equal(cell->style.flags & STYLE_BOLD, y == 3 ? STYLE_BOLD : 0);
        }
    grid_release(&grid);
    trace_close(made.trace);
}

/* Where the run stopped, the signs are those for waiting lanes. */
static void lanes_wait_before_their_lines(void **state) {
    (void)state;
    const struct call call = {"dir/k.cu", 5, 0x07};
    struct made made;
    begin(&made, &call, 1,
          "block 0 0 0\nbarrier 0 00000078 dir/k.cu:9 __syncthreads()\nmissing 0 00000007\n");
    shows_source(&made, 60, 10,
                 "          1  one\n"
                 "          2  two\n"
                 "          3  three\n"
                 "          4  four\n"
                 " ● 0-2    5  five\n"
                 "          6  six\n"
                 "          7  seven\n"
                 "          8  eight\n"
                 " ● 3-6    9  nine\n"
                 " ● wait there  ○ make their next call there\n");
    trace_close(made.trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_that_part),
        cmocka_unit_test(no_lane_is_missing),
        cmocka_unit_test(nothing_comes_later),
        cmocka_unit_test(the_search_looks_64_steps_ahead),
        cmocka_unit_test(where_lanes_wait),
        cmocka_unit_test(where_other_warps_wait),
        cmocka_unit_test(lanes_are_listed_before_their_lines),
        cmocka_unit_test(lanes_before_lines_are_clicked),
        cmocka_unit_test(lanes_wait_before_their_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
