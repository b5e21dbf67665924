/* Steps as Markdown; a warp as one table with a row for each lane; how long a film shows a beat;
 * and the size limit of a page. */
#include "base/memory.h"
#include "export/figures/paper.h"
#include "export/history_table.h"
#include "export/page.h"
#include "term/painter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { RECORD = 512 };

/* Lane l passes base + l. */
static const struct made {
    enum warp_op op;
    int width, arg, site;
    uint32_t present;
    uint32_t base;
} steps[] = {
    {WARP_OP_DOWN, 16, 1, 0, UINT32_MAX, 100}, {WARP_OP_DOWN, 32, 8, 1, 0xffff, 200},
    {WARP_OP_SYNC, 0, 0, 1, UINT32_MAX, 0},    {WARP_OP_BALLOT, 0, 0, 1, 0x80000001, 1},
    {WARP_OP_SHARED_WRITE, 4, 132, 2, 6, 300}, {WARP_OP_ACTIVEMASK, 0, 0, 1, 0xff, 0},
    {WARP_OP_WATCH, 0, 0, 3, UINT32_MAX, 7},   {WARP_OP_DOWN, 12, 1, 0, UINT32_MAX, 400},
};

static struct trace *recording(void) {
    static const struct trace_site sites[] = {{"a_b.cu", 7, "f", "down(`v`)"},
                                              {"a_b.cu", 8, "f", "call()"},
                                              {"a_b.cu", 9, "f", "s[i]"},
                                              {"a_b.cu", 10, "f", "sum"}};
    const struct trace_writer_options options = {.value_bytes = 4};
    const struct trace_launch launch = {"k", {1, 1, 1}, {32, 1, 1}, 0};
    struct trace_writer *writer;
    struct trace *trace;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, NULL), 0);
    trace_writer_launch(writer, &launch);
    for (size_t i = 0; i < COUNT(sites); i++)
        trace_writer_site(writer, &sites[i]);
    trace_writer_note(writer, TRACE_NOTE_SHARED, "128 64 s_0\n");
    trace_writer_note(writer, TRACE_NOTE_NAME, "CPU *warp*");
    for (size_t i = 0; i < COUNT(steps); i++) {
        const struct made *made = &steps[i];
        unsigned char record[RECORD] = {0};
        const struct shflviz_record_header header = {
            .sequence = i + 1,
            .site = (uint32_t)made->site,
            .op = (uint8_t)made->op,
            .type = made->op == WARP_OP_SYNC ? WARP_TYPE_NONE : WARP_TYPE_INT,
            .members = made->present,
            .present = made->present,
            .width = made->width};
        struct warp_operation operation = {.op = made->op,
                                           .members = made->present,
                                           .present = made->present,
                                           .launched = UINT32_MAX};
        struct lane_outcome outcome[WARP_LANES];
        size_t room = 1;
        for (int lane = 0; lane < WARP_LANES; lane++) {
            operation.width[lane] = made->width;
            operation.arg[lane] = made->arg;
            operation.in[lane] = made->base ? made->base + (uint64_t)lane : 0;
        }
        warp_outcome(&operation, outcome);
        memcpy(record, &header, sizeof header);
        for (int lane = 0; lane < WARP_LANES; lane++)
            if (made->present >> lane & 1) {
                const int32_t arg = warp_op_is_access(made->op) ? made->arg + 4 * lane : made->arg;
                const uint64_t out = warp_op_is_access(made->op) ? 9000 + (uint64_t)lane
                                     : outcome[lane].has_value   ? outcome[lane].value
                                                                 : 0;
                memcpy(record + 128 + 4 * lane, &arg, 4);
                memcpy(record + 256 + 4 * lane, &operation.in[lane], 4);
                memcpy(record + 384 + 4 * lane, &out, 4);
            }
        void *to = trace_writer_reserve(writer, &room);
        assert_non_null(to);
        memcpy(to, record, RECORD);
    }
    assert_int_equal(trace_writer_close(writer, &trace, NULL), 0);
    return trace;
}

/* ---- Markdown ---- */

static char *text_of(FILE *out) {
    const size_t size = (size_t)ftell(out);
    char *data = memory_zeroed(size + 1, 1);
    rewind(out);
    assert_int_equal(fread(data, 1, size, out), size);
    fclose(out);
    return data;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("without: %s", part);
}

static void test_markdown(void **state) {
    static const char *const parts[] = {
        "# T\\*\n\nCPU \\*warp\\*, ?; 8 of 8 steps\n\n## Step 0: down\n\n"
        "`` down(`v`) `` (a\\_b.cu:7), block 0, warp 0\n\n",
        "| lane | group | in | formula | reads | out |\n|--:|:-:|--:|:--|--:|--:|\n"
        "| 0 | A | 100 | 0+1=1 | 1 | 101 |\n",
        "| 15 | A | 115 | 15+1=16 | 15 (own) | 115 |\n"
        "| 16 | B | 116 | 16+1=17 | 17 | 117 |\n",
        "| 31 | B | 131 | 31+1=32 | 31 (own) | 131 |\n\n## Step 1: down\n\n"
        "`call()` (a\\_b.cu:8), block 0, warp 0\n\n",
        "\n\n- **source_lane_not_in_mask**: lanes 8-15 read lanes 16-23, ",
        "| 7 | A | 207 | 7+8=15 | 15 | 215 |\n| 8 | A | 208 | 8+8=16 | 16 (undefined) | ? |\n",
        "| 16 | A | · |  |  | · |\n",
        "## Step 3: ballot\n\n",
        "| lane | in | out |\n|--:|--:|--:|\n| 0 | 1 | 0x80000001 |\n| 1 | · | · |\n",
        "| 31 | 32 | 0x80000001 |\n\n## Step 4: shared_write\n\n`s[i]` (a\\_b.cu:9), block 0, warp "
        "0\n\ns\\_0: ",
        "| lane | byte | was | is |\n|--:|--:|--:|--:|\n| 0 | · | · | · |\n"
        "| 1 | 8 | 301 | 9001 |\n| 2 | 12 | 302 | 9002 |\n| 3 | · | · | · |\n",
        "## Step 5: activemask\n\n",
        "| lane | in | out |\n|--:|--:|--:|\n| 0 |  | 0x00000000 |\n",
        "- **width_is_not_power_of_two**: ",
        "| 0 | ? | 400 | 0+1=1 | 1 (undefined) | ? |\n",
    };
    struct trace *trace = recording();
    const struct paper_options some = {.has_steps = true, .first_step = 3, .last_step = 4};
    struct paper_options opts = {.columns = 0};
    FILE *out = tmpfile();
    (void)state;
    assert_non_null(out);
    assert_int_equal(paper_markdown(out, trace, &opts, "T*", NULL), 0);
    char *text = text_of(out);
    for (size_t i = 0; i < COUNT(parts); i++)
        has(text, parts[i]);
    assert_null(strstr(text, "**\n")); /* a correct step has no findings */
    free(text);
    out = tmpfile();
    assert_non_null(out);
    assert_int_equal(paper_markdown(out, trace, &some, "T", NULL), 0);
    text = text_of(out);
    has(text, "; 2 of 8 steps\n\n## Step 3: ballot\n");
    has(text, "## Step 4: shared");
    assert_null(strstr(text, "## Step 5"));
    free(text);
    trace_close(trace);
}

/* ---- a warp as one table ---- */

/* The number of operations that fit; a barrier, which moves nothing, has no column. */
static void test_columns(void **state) {
    static const struct {
        int columns;
        uint64_t first; /* the position after the first table */
        int width;
    } cases[] = {{1, 1, 16},  {15, 1, 16}, {16, 1, 16}, {27, 1, 27},  {28, 3, 28}, {45, 3, 45},
                 {46, 4, 46}, {60, 4, 60}, {61, 5, 61}, {73, 5, 73},  {74, 6, 74}, {79, 6, 79},
                 {80, 7, 80}, {91, 7, 91}, {92, 8, 92}, {200, 8, 200}};
    struct trace *trace = recording();
    struct trace_warp warp;
    (void)state;
    assert_true(trace_warp(trace, 0, &warp));
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct grid grid;
        uint64_t position = 0;
        grid_init(&grid, 10, 1, true);
        assert_true(history_draw(&grid, trace, &warp, cases[i].columns, &position));
        assert_int_equal(position, cases[i].first);
        assert_int_equal(grid.columns, cases[i].width);
        assert_int_equal(grid.rows, 34);
        while (position < COUNT(steps))
            assert_true(history_draw(&grid, trace, &warp, cases[i].columns, &position));
        assert_false(history_draw(&grid, trace, &warp, cases[i].columns, &position));
        grid_release(&grid);
    }
    trace_close(trace);
}

static void test_rows(void **state) {
    static const char *const parts[] = {"lane | down 1    | down 8    | ballot          | "
                                        "shared_write | activemask | sum | down 1\n"
                                        "     | has gets  | has gets  | has       gets  | has gets "
                                        "    | gets       | has | has gets\n"
                                        "   0 | 100  101  | 200  208  |   1 2147483649  |   .      "
                                        "    |    0       |   7 | 400    ?\n"
                                        "   1 | 101  102  | 201  209  |   .             | 301 9001 "
                                        "    |    0       |   8 | 401    ?\n",
                                        "   8 | 108  109  | 208    ?  |   .             |   .      "
                                        "    |    .       |  15 | 408    ?\n",
                                        "  15 | 115  115= | 215    ?  |   .             |   .      "
                                        "    |    .       |  22 | 415    ?\n"
                                        "  16 | 116  117  |   .       |   .             |   .      "
                                        "    |    .       |  23 | 416    ?\n",
                                        "  31 | 131  131= |   .       |  32 2147483649  |   .      "
                                        "    |    .       |  38 | 431    ?\n"};
    const struct palette palette = {COLOR_PLAIN, BACKGROUND_UNKNOWN};
    struct trace *trace = recording();
    struct trace_warp warp;
    struct grid grid;
    uint64_t position = 0;
    FILE *out = tmpfile();
    (void)state;
    assert_non_null(out);
    grid_init(&grid, 10, 1, true);
    assert_true(trace_warp(trace, 0, &warp));
    assert_true(history_draw(&grid, trace, &warp, 92, &position));
    paint_to(out, &grid, &palette);
    grid_release(&grid);
    char *text = text_of(out);
    for (size_t i = 0; i < COUNT(parts); i++)
        has(text, parts[i]);
    free(text);
    trace_close(trace);
}

/* ---- films and pages ---- */

/* Fifteen letters take a second; a beat is shown for at least 1.5 seconds and at most 8. */
static void a_beat_is_filmed_as_long_as_it_takes_to_read(void **state) {
    static const struct {
        int letters;
        const char *next; /* the next beat's marker, with its start time */
    } beats[] = {{15, "\n[1.500, \"m\", \"test 2: B "},
                 {45, "\n[4.500, \"m\", \"test 3: C "},
                 {150, "\n[12.500, \"m\", \"test 4: D "},
                 {30, "\n[14.500, \"o\""}};
    const struct paper_options opts = {.lane = -1, .view = VIEW_KIND_COUNT};
    struct text lines = TEXT_INIT;
    struct lesson *lesson;
    struct player player;
    struct cast cast;
    FILE *out = tmpfile();
    (void)state;
    assert_non_null(out);
    text_append(&lines, "---\ntitle: T\nkernel: down\n---\n");
    for (size_t i = 0; i < COUNT(beats); i++) {
        text_append_format(&lines, "## %c {#b%zu}\n```show\nphase: before\n```\n", 'A' + (int)i, i);
        for (int letter = 0; letter < beats[i].letters; letter++)
            text_append_char(&lines, 'a');
        text_append(&lines, "\n\n");
    }
    const struct lesson_source source = {"en", "en.md", lines.data};
    assert_int_equal(lesson_parse(&lesson, "test", &source, 1, NULL), 0);
    struct trace *trace = recording();
    assert_int_equal(player_init(&player, lesson, &trace, "en", NULL, NULL), 0);
    cast_begin(&cast, out, &opts, "T");
    cast_lesson(&cast, &player);
    cast_end(&cast);
    char *text = text_of(out);
    for (size_t i = 0; i < COUNT(beats); i++)
        has(text, beats[i].next);
    free(text);
    player_release(&player);
    trace_close(trace);
    lesson_free(lesson);
    text_release(&lines);
}

static void too_much_for_a_page_is_refused(void **state) {
    struct page_file files[] = {{.size = (size_t)50 << 20}, {.size = (size_t)50 << 20}};
    const struct page page = {.files = files, .file_count = COUNT(files)};
    struct error err = ERROR_INIT;
    (void)state;
    assert_int_equal(page_write(NULL, &page, &err), -1);
    assert_int_equal(err.kind, ERROR_USAGE);
    has(err.text, "the recordings take 100 MB, too much for a page\nallowed: up to 64 MB\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markdown), cmocka_unit_test(test_columns),
        cmocka_unit_test(test_rows), cmocka_unit_test(a_beat_is_filmed_as_long_as_it_takes_to_read),
        cmocka_unit_test(too_much_for_a_page_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
