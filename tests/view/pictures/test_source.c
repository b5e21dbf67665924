/* The text of a kernel: the visible lines, how they are cut, and the lit and underlined parts. */
#include "view/moment.h"
#include "view/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct made {
    struct trace *trace;
    struct replay replay;
    struct moment moment;
};

/* One call, at a line of a file whose text is in the recording. */
static void begin(struct made *made, const char *source, uint32_t line, const char *call) {
    struct trace_writer *writer;
    const struct trace_writer_options options = {.value_bytes = 4};
    struct error err = ERROR_INIT;
    assert_int_equal(trace_writer_open(&writer, NULL, &options, &err), 0);
    const struct trace_launch launch = {"k", {1, 1, 1}, {32, 1, 1}, 0};
    const struct trace_site site = {"dir/k.cu", line, "", call};
    trace_writer_launch(writer, &launch);
    if (source)
        trace_writer_source(writer, "dir/k.cu", source);
    size_t count = 1;
    struct shflviz_record_header *record = trace_writer_reserve(writer, &count);
    record->op = WARP_OP_XOR;
    record->members = record->present = WARP_FULL_MASK;
    record->width = 32;
    record->site = trace_writer_site(writer, &site);
    record->sequence = 1;
    assert_int_equal(trace_writer_close(writer, &made->trace, &err), 0);
    assert_int_equal(replay_init(&made->replay, made->trace, &err), 0);
    assert_true(moment_init(&made->moment, &made->replay));
}

static const char nine[] = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

static void shows(const char *source, uint32_t line, const char *call, int columns, int rows,
                  const char *expected) {
    struct made made;
    struct grid grid;
    begin(&made, source, line, call);
    grid_init(&grid, columns, rows, false);
    draw_source(grid_area(&grid), &made.moment);
    assert_false(grid.failed_to_fit);
    char *text = grid_to_text(&grid, false);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    assert_string_equal(text, expected);
    free(text);
    grid_release(&grid);
    trace_close(made.trace);
}

/* The line is in the middle unless the text begins or ends before the area does. */
static void the_line_is_in_the_middle(void **state) {
    (void)state;
    shows(nine, 1, "", 20, 3, "    1  one\n    2  two\n    3  three");
    shows(nine, 2, "", 20, 3, "    1  one\n    2  two\n    3  three");
    shows(nine, 3, "", 20, 3, "    2  two\n    3  three\n    4  four");
    shows(nine, 8, "", 20, 3, "    7  seven\n    8  eight\n    9  nine");
    shows(nine, 9, "", 20, 3, "    7  seven\n    8  eight\n    9  nine");
    shows(nine, 9, "", 20, 1, "    9  nine");
    shows(nine, 5, "", 20, 4, "    3  three\n    4  four\n    5  five\n    6  six");
    shows("one\ntwo", 2, "", 20, 4, "    1  one\n    2  two"); /* without a final newline */
    shows("one\r\ntwo\r\n", 1, "", 20, 2, "    1  one\n    2  two");
    shows("one\n\nthree\n", 3, "", 20, 3, "    1  one\n    2\n    3  three");
}

/* A tab advances to the next column that is a multiple of four. */
static void tabs_are_blanks(void **state) {
    (void)state;
    shows("\ta\nbc\td\nabc\te\nabcd\tf\n\t\tg\n", 1, "", 30, 5,
          "    1      a\n    2  bc  d\n    3  abc e\n    4  abcd    f\n    5          g");
}

/* Blanks at the start of all lines are left out where a line would be cut. */
static void common_indentation_is_dropped(void **state) {
    (void)state;
    shows("    abc\n      def\n", 1, "", 7 + 9, 2, "    1      abc\n    2        def");
    shows("    abc\n      def\n", 1, "", 7 + 8, 2, "    1  abc\n    2    def");
    shows("    abc\n\n      def\n", 1, "", 7 + 8, 3, "    1  abc\n    2\n    3    def");
    shows("abcdefghi\n  b\n", 1, "", 7 + 8, 2, "    1  abcdefg…\n    2    b");
}

/* The current line is lit to the edge, its call underlined; in other lines, comments recede. */
static void the_call_is_underlined(void **state) {
    (void)state;
    struct made made;
    struct grid grid;
    begin(&made, "int a; // one\n  x = call(1); // two\nint b;\n", 2, "call(1)");
    grid_init(&grid, 40, 3, false);
    draw_source(grid_area(&grid), &made.moment);
    char *text = grid_to_text(&grid, true);
    assert_string_equal(text, "|    1  int a; // one\n"
                              ":dddddd cccccccdddddd\n"
                              "|    2    x = call(1); // two\n"
                              ":vvvvvv eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\n"
                              "^             _______\n"
                              "|    3  int b;\n"
                              ":dddddd cccccc\n");
    free(text);
    grid_release(&grid);
    trace_close(made.trace);
}

/* If the call is not in the line, nothing is underlined. */
static void a_call_that_is_not_there(void **state) {
    static const char *const calls[] = {"call(1)", "", "y; // x"};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct made made;
        struct grid grid;
        begin(&made, "  x = y;\n", 1, calls[i]);
        grid_init(&grid, 20, 1, false);
        draw_source(grid_area(&grid), &made.moment);
        for (int x = 0; x < grid.columns; x++)
            assert_int_equal(grid.cells[x].style.flags & STYLE_UNDERLINE, 0);
        assert_int_equal(grid.cells[9].glyph, 'x');
        grid_release(&grid);
        trace_close(made.trace);
    }
}

static void lines_are_counted(void **state) {
    static const struct {
        const char *source;
        int lines, columns; /* the columns are at least 20 */
    } cases[] = {
        {NULL, 0, 20},
        {"a\nb\n", 2, 20},
        {"a\nb", 2, 20},
        {"1234567890123\n", 1, 20},
        {"12345678901234\n", 1, 21},
        {"\t\t\t12\n", 1, 21},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made;
        int columns = 20;
        begin(&made, cases[i].source, 1, "a");
        assert_int_equal(source_lines(&made.moment, &columns), cases[i].lines);
        assert_int_equal(columns, cases[i].columns);
        assert_int_equal(moment_has_source(&made.moment), cases[i].source != NULL);
        made.moment.hide = REPLAY_HIDES_CALL;
        assert_false(moment_has_source(&made.moment));
        trace_close(made.trace);
    }
}

/* The line of the call in one row, from the source, or else from the site's text; in a short row,
 * the text before the call is left out. */
static void the_call_in_one_row(void **state) {
    static const struct {
        const char *source;
        uint32_t line;
        const char *call;
        int columns;
        const char *text, *flags;
    } cases[] = {
        {"  x = call(1);\n", 1, "call(1)", 20, "x = call(1);", "    _______"},
        {"  x = call(1);\n", 1, "call(1)", 12, "x = call(1);", "    _______"},
        {"  x = call(1);\n", 1, "call(1)", 11, "call(1);", "_______"},
        {"  x = call(1);\n", 1, "call(1)", 7, "call(1…", "_______"},
        {"  x = call(1);\n", 2, "call(1)", 20, "call(1)", "_______"}, /* there is no such line */
        {"  x = y;\n", 1, "call(1)", 20, "call(1)", "_______"},       /* the call is not there */
        {NULL, 1, "call(1)", 20, "call(1)", "_______"},
        {"  x = call(1);\n", 0, "call(1)", 20, "call(1)", "_______"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made;
        struct grid grid;
        begin(&made, cases[i].source, cases[i].line, cases[i].call);
        grid_init(&grid, cases[i].columns, 1, false);
        draw_call_line(grid_area(&grid), &made.moment);
        char *text = grid_to_text(&grid, false);
        text[strcspn(text, "\n")] = '\0';
        if (strcmp(text, cases[i].text) != 0)
            fail_msg("case %zu: \"%s\"", i, text);
        for (int x = 0; x < cases[i].columns; x++)
            assert_int_equal(!!(grid.cells[x].style.flags & STYLE_UNDERLINE),
                             (size_t)x < strlen(cases[i].flags) && cases[i].flags[x] == '_');
        free(text);
        made.moment.hide = REPLAY_HIDES_CALL; /* nothing reveals the call */
        grid_clear(&grid);
        draw_call_line(grid_area(&grid), &made.moment);
        for (int x = 0; x < cases[i].columns; x++)
            assert_int_equal(grid.cells[x].glyph, ' ');
        grid_release(&grid);
        trace_close(made.trace);
    }
}

static void names_are_matched_as_words(void **state) {
    (void)state;
    static const char source[] = "int sum;\nsummed += p.key * tile[i];\n\nsum = 1;";
    assert_true(source_line_names(source, 1, "sum"));
    assert_false(source_line_names(source, 2, "sum"));
    assert_true(source_line_names(source, 2, "p.key"));
    assert_true(source_line_names(source, 2, "tile[3]"));
    assert_false(source_line_names(source, 2, "til"));
    assert_false(source_line_names(source, 3, "sum"));
    assert_true(source_line_names(source, 4, "sum"));
    assert_false(source_line_names(source, 5, "sum"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_is_in_the_middle),
        cmocka_unit_test(tabs_are_blanks),
        cmocka_unit_test(common_indentation_is_dropped),
        cmocka_unit_test(the_call_is_underlined),
        cmocka_unit_test(lines_are_counted),
        cmocka_unit_test(the_call_in_one_row),
        cmocka_unit_test(a_call_that_is_not_there),
        cmocka_unit_test(names_are_matched_as_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
