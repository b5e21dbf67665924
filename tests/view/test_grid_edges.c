/* Cells at their edges: sizes, stand-ins, marks, halves of wide glyphs, every role and flag. */
#include "base/message.h"
#include "base/text.h"
#include "view/grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct style plain = {STYLE_PLAIN, 0, 0};

static void shows(const struct grid *grid, const char *expected) {
    char *text = grid_to_text(grid, false);
    assert_string_equal(text, expected);
    free(text);
}

static void sizes_are_never_negative(void **state) {
    (void)state;
    static const int sizes[][4] = {{-1, 3, 0, 3}, {3, -1, 3, 0}, {0, 0, 0, 0}, {1, 1, 1, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct grid grid;
        grid_init(&grid, sizes[i][0], sizes[i][1], false);
        assert_int_equal(grid.columns, sizes[i][2]);
        assert_int_equal(grid.rows, sizes[i][3]);
        assert_false(grid.vector || grid.failed_to_fit || grid.letters);
        assert_int_equal(grid.stroke_count, 0);
        grid_release(&grid);
    }
}

static void strokes_are_kept_in_order(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 1, 1, false);
    for (int16_t i = 0; i < 300; i++)
        grid_stroke(&grid, &(struct stroke){.x0 = i, .y1 = (int16_t)-i});
    assert_int_equal(grid.stroke_count, 300);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(grid.strokes[i].x0, i);
        assert_int_equal(grid.strokes[i].y1, -i);
    }
    grid_clear(&grid);
    assert_int_equal(grid.stroke_count, 0);
    grid_release(&grid);
}

/* Nothing outside an area belongs to any of its parts. */
static void parts_are_within_their_area(void **state) {
    (void)state;
    static const struct {
        int x, y, columns, rows;
        int wanted[4];
    } cases[] = {{0, 0, 8, 4, {2, 1, 8, 4}},   {1, 2, 3, 1, {3, 3, 3, 1}},
                 {-2, -1, 5, 3, {2, 1, 3, 2}}, {6, 3, 9, 9, {8, 4, 2, 1}},
                 {8, 4, 1, 1, {10, 5, 0, 0}},  {9, 5, 1, 1, {10, 5, 0, 0}},
                 {3, 1, -1, -1, {5, 2, 0, 0}}, {-5, 0, 3, 1, {2, 1, 0, 1}}};
    struct grid grid;
    grid_init(&grid, 12, 6, false);
    const struct area area = area_within(grid_area(&grid), 2, 1, 8, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct area part =
            area_within(area, cases[i].x, cases[i].y, cases[i].columns, cases[i].rows);
        assert_int_equal(part.x, cases[i].wanted[0]);
        assert_int_equal(part.y, cases[i].wanted[1]);
        assert_int_equal(part.columns, cases[i].wanted[2]);
        assert_int_equal(part.rows, cases[i].wanted[3]);
    }
    assert_ptr_equal(area_cell(area, 0, 0), &grid.cells[12 + 2]);
    assert_ptr_equal(area_cell(area, 7, 3), &grid.cells[4 * 12 + 9]);
    assert_null(area_cell(area, -1, 0));
    assert_null(area_cell(area, 0, -1));
    assert_null(area_cell(area, 8, 0));
    assert_null(area_cell(area, 0, 4));
    area_fill(area_within(area, 1, 1, 2, 2), '#', (struct style){STYLE_GOOD, 0, 0});
    shows(&grid, "\n\n   ##\n   ##\n\n\n");
    assert_int_equal(grid.cells[2 * 12 + 4].style.role, STYLE_GOOD);
    assert_false(grid.failed_to_fit);
    grid_release(&grid);
}

/* For each glyph, a replacement that every terminal has. */
static void every_glyph_in_use_has_a_stand_in(void **state) {
    (void)state;
    static const struct {
        const char *glyphs, *ascii;
    } cases[] = {{"\u00a0·×–—", " .x--"}, {"‘’“”", "''\"\""},     {"•…›", "*~>"},
                 {"←↑→↓↺≠", "<^>v=!"},    {"─━│┃┊", "-=||:"},     {"┌┐└┘├┤┬┴┼", "+++++++++"},
                 {"█▌░■□", "#|:#_"},      {"▶▸◆○●✓✗", ">>*o*+x"}, {"¡¶\u2017\u2597☃", "?????"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        grid_init(&grid, 12, 1, true);
        area_text(grid_area(&grid), 0, 0, cases[i].glyphs, plain);
        for (size_t x = 0; cases[i].ascii[x]; x++)
            assert_int_equal(grid.cells[x].glyph, cases[i].ascii[x]);
        grid_release(&grid);
    }
}

/* In Chinese, an ASCII grid keeps the wide letters, but nothing else beyond ASCII. */
static void letters_of_the_language_are_drawn(void **state) {
    (void)state;
    struct grid grid;
    message_language_use("zh");
    grid_init(&grid, 8, 1, true);
    message_language_use("en");
    assert_int_equal(area_text(grid_area(&grid), 0, 0, "通→é1", plain), 5);
    shows(&grid, "通>?1\n");
    grid_release(&grid);
    grid_init(&grid, 8, 1, true);
    assert_int_equal(area_text(grid_area(&grid), 0, 0, "通1", plain), 3);
    shows(&grid, "??1\n");
    grid_release(&grid);
}

static void halves_of_wide_glyphs_go_together(void **state) {
    (void)state;
    static const struct {
        int x; /* the column of a letter over "水水", which begins at column 1 */
        const char *shown;
    } cases[] = {{0, "x水水\n"}, {1, " x 水\n"}, {2, "  x水\n"},
                 {3, " 水x\n"},  {4, " 水 x\n"}, {5, " 水水x\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        grid_init(&grid, 6, 1, false);
        area_text(grid_area(&grid), 1, 0, "水水", plain);
        area_text(grid_area(&grid), cases[i].x, 0, "x", plain);
        shows(&grid, cases[i].shown);
        assert_false(grid.failed_to_fit);
        grid_release(&grid);
    }
    /* The end of a row is not adjacent to the beginning of the row below. */
    struct grid grid;
    grid_init(&grid, 3, 2, false);
    area_text(grid_area(&grid), 0, 1, "水", plain);
    area_text(grid_area(&grid), 2, 0, "x", plain);
    area_text(grid_area(&grid), 1, 0, "水", plain); /* fits in the last two columns */
    shows(&grid, " 水\n水\n");
    area_text(grid_area(&grid), 0, 1, "水", plain);
    shows(&grid, " 水\n水\n");
    assert_false(grid.failed_to_fit);
    grid_release(&grid);
}

/* Joiners and selectors are left out, other marks are kept, up to two per glyph. */
static void some_marks_are_not_drawn(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t marks[2];
    } cases[] = {{"e\u0301", {0x301, 0}},
                 {"e\u200c\u0301", {0x301, 0}},
                 {"e\u200d", {0, 0}},
                 {"e\ufe00\ufe0f", {0, 0}},
                 {"e\u0301\u0302", {0x301, 0x302}},
                 {"e\u0301\ufe0f\u0302", {0x301, 0x302}},
                 {"e\U000e0100", {0, 0}},
                 {"e\ufe20", {0xfe20, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        grid_init(&grid, 4, 1, false);
        assert_int_equal(area_text(grid_area(&grid), 1, 0, cases[i].text, plain), 2);
        assert_int_equal(grid.cells[1].marks[0], cases[i].marks[0]);
        assert_int_equal(grid.cells[1].marks[1], cases[i].marks[1]);
        grid_release(&grid);
    }
}

static void clipped_text_ends_in_a_sign(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int columns, end;
        const char *shown;
    } cases[] = {{"abc", 0, 1, "\n"},       {"abc", -1, 1, "\n"},     {"abc", 1, 2, " …\n"},
                 {"abc", 2, 3, " a…\n"},    {"abc", 3, 4, " abc\n"},  {"a水b", 3, 3, " a…\n"},
                 {"a水b", 4, 5, " a水b\n"}, {"水水", 3, 4, " 水…\n"}, {"水水", 2, 2, " …\n"},
                 {"", 3, 1, "\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        grid_init(&grid, 8, 1, false);
        assert_int_equal(
            area_text_clipped(grid_area(&grid), 1, 0, cases[i].columns, cases[i].text, plain),
            cases[i].end);
        shows(&grid, cases[i].shown);
        grid_release(&grid);
    }
}

static void lines_break_where_they_may(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int columns, indent;
        size_t first; /* bytes of the first line */
        int lines;
        const char *shown; /* laid out in four rows */
    } cases[] = {{"ab cd", 5, 0, 5, 1, "ab cd\n\n\n\n"},
                 {"ab cd", 4, 0, 2, 2, "ab\ncd\n\n\n"},
                 {"ab cd", 3, 1, 2, 2, "ab\n cd\n\n\n"},
                 {"ab\ncd ef", 9, 0, 2, 2, "ab\ncd ef\n\n\n"},
                 {"ab\n\ncd", 9, 1, 2, 3, "ab\n\n cd\n\n"},
                 {"abcdef", 2, 0, 2, 3, "ab\ncd\nef\n\n"},
                 {"abcdef", 2, 1, 2, 5, "ab\n c\n d\n …\n"},
                 {"a  b", 2, 0, 2, 2, "a\nb\n\n\n"},
                 {"水", 1, 0, 0, 1, "…\n\n\n\n"},
                 {"", 3, 0, 0, 0, "\n\n\n\n"},
                 {"ab cd", 0, 0, 0, 0, "\n\n\n\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        grid_init(&grid, cases[i].columns, 4, false);
        assert_int_equal(text_lines(cases[i].text, cases[i].columns, cases[i].indent),
                         cases[i].lines);
        if (cases[i].columns)
            assert_int_equal(text_line(cases[i].text, cases[i].columns), cases[i].first);
        const int lines = cases[i].lines < 4 ? cases[i].lines : 4;
        assert_int_equal(
            area_text_wrapped(grid_area(&grid), 0, cases[i].indent, cases[i].text, plain), lines);
        shows(&grid, cases[i].shown);
        grid_release(&grid);
    }
}

/* Closing signs never begin a line, and opening signs never end a line. */
static void signs_stay_with_their_words(void **state) {
    (void)state;
    const char *closing = "!%),.:;?]}·—’”…、。〉》」』】〕！％），．：；？｝～";
    const char *opening = "([{‘“〈《「『【〔（｛";
    const uint32_t word = 0x901a;
    while (*closing)
        assert_false(glyphs_can_break(word, text_glyph(&closing)));
    while (*opening) {
        const uint32_t sign = text_glyph(&opening);
        assert_false(glyphs_can_break(sign, word));
        assert_true(glyphs_can_break(word, sign));
    }
    assert_true(glyphs_can_break(word, 'a'));
    assert_true(glyphs_can_break('a', word));
    assert_true(glyphs_can_break(0x3002, word));
}

static void every_role_and_flag_has_a_letter(void **state) {
    (void)state;
    static const char roles[] = " dtlkce ounhybvmx"; /* the eighth role is a group */
    static const struct {
        uint8_t flags;
        char letter;
    } flags[] = {{0, ' '},
                 {STYLE_BOLD, '*'},
                 {STYLE_FAINT, '-'},
                 {STYLE_FAINT | STYLE_BOLD, '*'},
                 {STYLE_UNDERLINE | STYLE_BOLD, '_'},
                 {STYLE_REVERSE | STYLE_UNDERLINE, '#'},
                 {STYLE_SELECTED | STYLE_REVERSE, '^'},
                 {STYLE_CENTERED, ' '}};
    struct grid grid;
    char expected[8];
    grid_init(&grid, 2, 1, false);
    for (int role = 0; role < STYLE_ROLE_COUNT; role++) {
        grid_clear(&grid);
        const uint8_t group = role == STYLE_GROUP ? 25 : 0;
        area_text(grid_area(&grid), 0, 0, "x", (struct style){(uint8_t)role, group, 0});
        area_text(grid_area(&grid), 1, 0, "y", (struct style){STYLE_GROUP, 26, 0});
        char *text = grid_to_text(&grid, true);
        snprintf(expected, sizeof expected, ":%c0\n", role == STYLE_GROUP ? 'Z' : roles[role]);
        assert_string_equal(strchr(text, '\n') + 1, expected);
        free(text);
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        grid_clear(&grid);
        area_text(grid_area(&grid), 0, 0, "x", (struct style){STYLE_PLAIN, 0, flags[i].flags});
        char *text = grid_to_text(&grid, true);
        snprintf(expected, sizeof expected, "^%c\n", flags[i].letter);
        assert_string_equal(strchr(text, '\n') + 1, flags[i].letter == ' ' ? "" : expected);
        free(text);
    }
    grid_release(&grid);
}

static void a_cell_as_text(void **state) {
    (void)state;
    static const struct {
        struct cell cell;
        const char *text;
    } cases[] = {{{.glyph = 'a'}, "a"},
                 {{.glyph = 0}, ""},
                 {{.glyph = 0x1b}, "?"},
                 {{.glyph = 'e', .marks = {0x301}}, "e\u0301"},
                 {{.glyph = 'e', .marks = {0x301, 0x302}}, "e\u0301\u0302"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = TEXT_INIT;
        text_append(&text, "");
        text_append_cell(&text, &cases[i].cell);
        assert_string_equal(text.length ? text.data : "", cases[i].text);
        text_release(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_never_negative),
        cmocka_unit_test(strokes_are_kept_in_order),
        cmocka_unit_test(parts_are_within_their_area),
        cmocka_unit_test(every_glyph_in_use_has_a_stand_in),
        cmocka_unit_test(letters_of_the_language_are_drawn),
        cmocka_unit_test(halves_of_wide_glyphs_go_together),
        cmocka_unit_test(some_marks_are_not_drawn),
        cmocka_unit_test(clipped_text_ends_in_a_sign),
        cmocka_unit_test(lines_break_where_they_may),
        cmocka_unit_test(signs_stay_with_their_words),
        cmocka_unit_test(every_role_and_flag_has_a_letter),
        cmocka_unit_test(a_cell_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
