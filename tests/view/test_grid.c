/* Cells: UTF-8, wide glyphs, clipping, stand-ins, styles, hits. */
#include "view/grid.h"

#include "replay/keys/action.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct style plain = {STYLE_PLAIN, 0, 0};

static void shows(const struct grid *grid, const char *expected) {
    char *text = grid_to_text(grid, false);
    assert_string_equal(text, expected);
    free(text);
}

static void writes_text_at_its_position(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 6, 2, false);
    assert_int_equal(area_text(grid_area(&grid), 1, 0, "ab", plain), 3);
    assert_int_equal(area_format(grid_area(&grid), 2, 1, plain, "%d%c", 42, '!'), 5);
    shows(&grid, " ab\n  42!\n");
    assert_false(grid.failed_to_fit);
    grid_clear(&grid);
    shows(&grid, "\n\n");
    grid_release(&grid);
}

static void reads_utf8_and_nothing_else(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        uint32_t glyphs[4];
    } expected[] = {
        {"\xe2\x97\x86", {0x25c6}},      /* black diamond */
        {"\xc3\xa9", {0xe9}},            /* e with acute */
        {"\xf0\x9d\x84\x9e", {0x1d11e}}, /* a treble clef: four bytes */
        {"\xff", {0xfffd}},              /* never in UTF-8 */
        {"\xe2\x97z", {0xfffd, 'z'}},    /* cut short */
        {"\xc0\x80", {0xfffd}},          /* overlong */
        {"\xed\xa0\x80", {0xfffd}},      /* a surrogate */
        {"\x1b[", {0xfffd, '['}},        /* an escape sequence is not text */
        {"\n", {0xfffd}},
        {"\xc2\x9b", {0xfffd}},             /* nor is its 8-bit form */
        {"\u202e\u2066", {0xfffd, 0xfffd}}, /* a character that reverses the direction of text */
        {"\u2028\ufeff", {0xfffd, 0xfffd}},
        {"e\xcc\x81z", {'e', 'z'}}, /* a combining accent takes no cell */
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct grid grid;
        grid_init(&grid, 4, 1, false);
        int end = area_text(grid_area(&grid), 0, 0, expected[i].bytes, plain), glyphs = 0;
        while (glyphs < 4 && expected[i].glyphs[glyphs]) {
            assert_int_equal(grid.cells[glyphs].glyph, expected[i].glyphs[glyphs]);
            glyphs++;
        }
        assert_int_equal(end, glyphs);
        assert_int_equal(utf8_columns(expected[i].bytes), glyphs);
        grid_release(&grid);
    }
}

static void keeps_wide_glyphs_whole(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 5, 1, false);
    struct area area = grid_area(&grid);
    assert_int_equal(area_text(area, 0, 0, "\xe6\xb0\xb4x", plain), 3); /* the sign for water */
    assert_int_equal(utf8_columns("\xe6\xb0\xb4x"), 3);
    assert_int_equal(grid.cells[0].glyph, 0x6c34);
    assert_int_equal(grid.cells[1].glyph, 0);
    shows(&grid, "\xe6\xb0\xb4x\n");
    area_text(area, 1, 0, "b", plain); /* replaces the right half; the left half disappears, too */
    shows(&grid, " bx\n");
    assert_false(grid.failed_to_fit);
    area_text(area, 4, 0, "\xe6\xb0\xb4", plain); /* half of it would be outside */
    assert_true(grid.failed_to_fit);
    shows(&grid, " bx\n");
    grid_release(&grid);
}

static void reports_what_did_not_fit(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 4, 2, false);
    area_text(grid_area(&grid), 2, 0, "abc", plain);
    shows(&grid, "  ab\n\n");
    assert_true(grid.failed_to_fit);
    grid_clear(&grid);
    assert_false(grid.failed_to_fit);
    area_text(area_within(grid_area(&grid), 1, 1, 2, 1), 0, 1, "x", plain);
    shows(&grid, "\n\n");
    assert_true(grid.failed_to_fit);
    grid_release(&grid);
}

static void shortens_with_a_mark(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 8, 1, false);
    assert_int_equal(area_text_clipped(grid_area(&grid), 0, 0, 5, "abcdef", plain), 5);
    shows(&grid, "abcd…\n");
    grid_clear(&grid);
    assert_int_equal(area_text_clipped(grid_area(&grid), 0, 0, 6, "abcdef", plain), 6);
    shows(&grid, "abcdef\n");
    grid_clear(&grid);
    area_text_clipped(grid_area(&grid), 0, 0, 4, "ab\xe6\xb0\xb4\xe6\xb0\xb4", plain);
    shows(&grid, "ab…\n");
    assert_false(grid.failed_to_fit);
    grid_release(&grid);
}

static void wraps_at_blanks(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 9, 3, false);
    assert_int_equal(area_text_wrapped(grid_area(&grid), 0, 2, "one two three four", plain), 3);
    shows(&grid, "one two\n  three\n  four\n");
    assert_int_equal(text_lines("one two three four", 9, 2), 3);
    grid_clear(&grid);
    area_text_wrapped(grid_area(&grid), 1, 2, "one two three four", plain);
    shows(&grid, "\none two\n  three …\n");
    grid_clear(&grid);
    assert_int_equal(area_text_wrapped(grid_area(&grid), 0, 0, "abcdefghijkl", plain), 2);
    shows(&grid, "abcdefghi\njkl\n\n");
    assert_int_equal(text_lines("abcdefghijkl", 9, 0), 2);
    assert_false(grid.failed_to_fit);
    grid_release(&grid);
}

/* Marks share the cell of the glyph onto which they are drawn. */
static void keeps_marks_with_their_glyph(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 8, 1, false);
    struct area area = grid_area(&grid);
    /* Thai: two vowel signs and a tone mark; Hebrew: two points on one letter, one on the next */
    assert_int_equal(
        area_text(area, 0, 0, "\u0e17\u0e35\u0e48\u05e9\u05b8\u05c1\u05dc\u05b0", plain), 3);
    shows(&grid, "\u0e17\u0e35\u0e48\u05e9\u05b8\u05c1\u05dc\u05b0\n");
    assert_int_equal(grid.cells[0].glyph, 0x0e17);
    assert_int_equal(grid.cells[0].marks[1], 0x0e48);
    /* Hindi: the vowel sign is beside its letter, the virama below */
    assert_int_equal(area_text(area, 0, 0, "\u0939\u093f\u0928\u094d\u0926\u0940", plain), 5);
    shows(&grid, "\u0939\u093f\u0928\u094d\u0926\u0940\n");
    grid_clear(&grid);
    /* there is no room for a third mark, and no cell for a mark without a letter */
    area_text(area, 0, 0, "\u0301e\u0301\u0302\u0303", plain);
    shows(&grid, "e\u0301\u0302\n");
    area_text(area, 0, 0, "a", plain); /* replaces the letter and its marks */
    shows(&grid, "a\n");
    grid_clear(&grid);
    area_text(area, 0, 0, "か\u3099x", plain); /* a mark on a wide glyph */
    shows(&grid, "か\u3099x\n");
    area_text(area, 1, 0, "b", plain);
    shows(&grid, " bx\n");
    grid_clear(&grid);
    /* selectors and joiners would change the width in some terminals: emoji are drawn one by one */
    assert_int_equal(area_text(area, 0, 0, "\u2764\ufe0f\U0001f468\u200d\U0001f469", plain), 5);
    shows(&grid, "\u2764\U0001f468\U0001f469\n");
    assert_false(grid.failed_to_fit);
    grid_release(&grid);
}

/* Chinese has no blanks: a line may end anywhere except before a closing sign and after an opening
 * sign. */
static void wraps_between_chinese_characters(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 9, 4, false);
    assert_int_equal(area_text_wrapped(grid_area(&grid), 0, 0, "通道一读取通道二", plain), 2);
    shows(&grid, "通道一读\n取通道二\n\n\n");
    grid_clear(&grid);
    /* The comma would begin the second line, so the character before it moves down, too. */
    area_text_wrapped(grid_area(&grid), 0, 0, "通道一读，取二", plain);
    shows(&grid, "通道一\n读，取二\n\n\n");
    grid_clear(&grid);
    area_text_wrapped(grid_area(&grid), 0, 0, "通道一（读取）", plain);
    shows(&grid, "通道一\n（读取）\n\n\n");
    grid_clear(&grid);
    /* Words and numbers stay whole; a blank at the end of a line does not indent the next. */
    area_text_wrapped(grid_area(&grid), 0, 0, "通道 5 读取 laneMask 通道", plain);
    shows(&grid, "通道 5 读\n取\nlaneMask\n通道\n");
    assert_int_equal(text_lines("通道 5 读取 laneMask 通道", 9, 0), 4);
    assert_false(grid.failed_to_fit);
    grid_release(&grid);
}

static void knows_where_lines_may_end(void **state) {
    (void)state;
    assert_true(glyphs_can_break(0x901a, 0x9053));  /* two ideographs */
    assert_true(glyphs_can_break('5', 0x8bfb));     /* a digit and an ideograph */
    assert_true(glyphs_can_break(0xff0c, 0x8bfb));  /* after a comma */
    assert_false(glyphs_can_break(0x8bfb, 0xff0c)); /* before a comma */
    assert_false(glyphs_can_break(0x8bfb, 0x3002));
    assert_false(glyphs_can_break(0x8bfb, 0x300d));
    assert_false(glyphs_can_break(0xff08, 0x8bfb)); /* after an opening bracket */
    assert_false(glyphs_can_break(0x304b, 0x3099)); /* before a mark */
    assert_false(glyphs_can_break('a', 'b'));
    assert_false(glyphs_can_break('-', '1'));
}

static void replaces_what_ascii_lacks(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 12, 1, true);
    area_text(grid_area(&grid), 0, 0, "←→·◆…─│↺é\xe6\xb0\xb4", plain);
    shows(&grid, "<>.*~-|=???\n");
    assert_int_equal(grid.cells[9].glyph, '?');
    grid_release(&grid);
}

static void marks_styles_flags_and_hits(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 8, 2, false);
    struct area area = grid_area(&grid);
    area_text(area, 0, 0, "ab", (struct style){STYLE_GROUP, 1, 0});
    area_text(area, 2, 0, "c", (struct style){STYLE_GROUP, 31, 0});
    area_text(area, 3, 0, "d", (struct style){STYLE_UNDEFINED, 0, STYLE_BOLD});
    area_text(area, 0, 1, "e", plain);
    area_flag(area, 1, 0, 2, 2, STYLE_SELECTED);
    area_hit(area, 3, 0, 99, 99, ACTION_LANE_GO, 7);
    char *text = grid_to_text(&grid, true);
    assert_string_equal(text, "|abcd\n:BB5u\n^ ^^*\n|e\n^ ^^\n");
    free(text);
    assert_int_equal(grid.cells[3].hit.action, ACTION_LANE_GO);
    assert_int_equal(grid.cells[15].hit.argument, 7);
    assert_int_equal(grid.cells[2].hit.action, 0);
    grid_release(&grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_text_at_its_position),
        cmocka_unit_test(reads_utf8_and_nothing_else),
        cmocka_unit_test(keeps_wide_glyphs_whole),
        cmocka_unit_test(reports_what_did_not_fit),
        cmocka_unit_test(shortens_with_a_mark),
        cmocka_unit_test(wraps_at_blanks),
        cmocka_unit_test(keeps_marks_with_their_glyph),
        cmocka_unit_test(wraps_between_chinese_characters),
        cmocka_unit_test(knows_where_lines_may_end),
        cmocka_unit_test(replaces_what_ascii_lacks),
        cmocka_unit_test(marks_styles_flags_and_hits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
