/*
 * Cells as shapes: colours, lines, words and wires, each worked out by hand from
 * export/figures/drawing.h.
 *
 * A grey of p per cent is p * 255 / 100 of each colour on white, and 255 minus that on a
 * dark background.
 */
#include "export/figures/drawing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BLACK 0x000000
#define WHITE 0xffffff

static const struct drawing_look paper = {.light = true, .mono = true, .marks_lane = true};
static const struct drawing_look slide = {.light = false, .mono = true, .marks_lane = true};

static bool near(double a, double b) {
    return fabs(a - b) < 1e-9;
}

static struct drawing drawn(const struct grid *grid, const struct drawing_look *look) {
    struct drawing drawing = {0};
    drawing_add(&drawing, grid, drawing_crop(grid), look);
    return drawing;
}

static struct style style(enum style_role role, uint8_t group, unsigned flags) {
    return (struct style){(uint8_t)role, group, (uint8_t)flags};
}

static void assert_at(const struct shape *shape, int i, double x, double y) {
    if (i >= shape->count || !near(shape->point[i].x, x) || !near(shape->point[i].y, y))
        fail_msg("point %d of %d is %g, %g, not %g, %g", i, shape->count, shape->point[i].x,
                 shape->point[i].y, x, y);
}

static void assert_line(const struct shape *shape, double size, double x0, double y0, double x1,
                        double y1) {
    assert_int_equal(shape->kind, SHAPE_PATH);
    assert_int_equal(shape->count, 2);
    assert_true(near(shape->size, size));
    assert_at(shape, 0, x0, y0);
    assert_at(shape, 1, x1, y1);
}

static void assert_box(const struct shape *shape, int32_t color, double left, double right) {
    assert_int_equal(shape->kind, SHAPE_AREA);
    assert_int_equal(shape->count, 4);
    assert_int_equal(shape->color, color);
    assert_at(shape, 0, left, 0);
    assert_at(shape, 1, right, 0);
    assert_at(shape, 2, right, 1);
    assert_at(shape, 3, left, 1);
}

static void assert_word(const struct shape *shape, const char *text, double x, double columns) {
    assert_int_equal(shape->kind, SHAPE_TEXT);
    assert_string_equal(shape->text, text);
    assert_true(near(shape->size, columns));
    assert_at(shape, 0, x, 0.5);
}

/* The look of a role, its group and its flags without colours. */
static void ink_replaces_colours(void **state) {
    (void)state;
    static const struct {
        enum style_role role;
        uint8_t group;
        unsigned flags;
        int32_t light, dark;
        bool bold;
    } inks[] = {
        {STYLE_PLAIN, 0, 0, BLACK, 0xe8e8e8, false},
        {STYLE_DIM, 0, 0, 0x595959, 0xa5a5a5, false},
        {STYLE_LABEL, 0, 0, 0x595959, 0xa5a5a5, false},
        {STYLE_ABSENT, 0, 0, 0x595959, 0xa5a5a5, false},
        {STYLE_GROUP, 0, 0, BLACK, 0xe8e8e8, false},
        {STYLE_GROUP, 1, 0, 0x606060, 0x9e9e9e, false},
        {STYLE_GROUP, 2, 0, BLACK, 0xe8e8e8, false},
        {STYLE_TITLE, 0, 0, BLACK, 0xe8e8e8, true},
        {STYLE_KEY, 0, 0, BLACK, 0xe8e8e8, true},
        {STYLE_UNDEFINED, 0, 0, BLACK, 0xe8e8e8, true},
        {STYLE_CHANGED, 0, 0, BLACK, 0xe8e8e8, true},
        {STYLE_CODE, 0, 0, BLACK, 0xe8e8e8, false},
        {STYLE_CODE, 0, STYLE_BOLD, BLACK, 0xe8e8e8, true},
        {STYLE_CODE, 0, STYLE_FAINT, 0x7f7f7f, 0x7f7f7f, false},
        {STYLE_ACTIVE, 0, 0, WHITE, 0x101418, false},
        {STYLE_PLAIN, 0, STYLE_REVERSE, WHITE, 0x101418, false},
    };
    for (size_t i = 0; i < sizeof inks / sizeof *inks; i++)
        for (int light = 0; light < 2; light++) {
            struct grid grid;
            grid_init(&grid, 4, 1, false);
            area_text(grid_area(&grid), 1, 0, "ab",
                      style(inks[i].role, inks[i].group, inks[i].flags));
            struct drawing drawing = drawn(&grid, light ? &paper : &slide);
            const struct shape *word = &drawing.shapes[drawing.count - 1];
            assert_word(word, "ab", 0, 2);
            assert_int_equal(word->color, light ? inks[i].light : inks[i].dark);
            assert_int_equal(word->bold, inks[i].bold);
            const bool turned = inks[i].role == STYLE_ACTIVE || inks[i].flags & STYLE_REVERSE;
            assert_int_equal(drawing.count, turned ? 2 : 1);
            if (turned)
                assert_box(&drawing.shapes[0], light ? BLACK : 0xe8e8e8, 0, 2);
            drawing_release(&drawing);
            grid_release(&grid);
        }
}

/* The selected lane and the code line share a background; a phase has its own: 88 % is e0, 12 % is
 * 1e. */
static void backgrounds_are_boxes(void **state) {
    (void)state;
    for (int light = 0; light < 2; light++) {
        struct grid grid;
        grid_init(&grid, 10, 1, false);
        struct area area = grid_area(&grid);
        area_text(area, 0, 0, "a", style(STYLE_PLAIN, 0, 0));
        area_text(area, 1, 0, "bc", style(STYLE_CODE, 0, STYLE_SELECTED));
        area_text(area, 3, 0, "d", style(STYLE_CODE_LIT, 0, 0));
        area_text(area, 4, 0, "ef", style(STYLE_ACTIVE, 0, 0));
        area_text(area, 6, 0, "g", style(STYLE_ACTIVE, 0, STYLE_SELECTED));
        area_text(area, 7, 0, "h", style(STYLE_CODE, 0, 0));
        struct drawing drawing = drawn(&grid, light ? &paper : &slide);
        assert_box(&drawing.shapes[0], light ? 0xe0e0e0 : 0x1e1e1e, 1, 4);
        assert_box(&drawing.shapes[1], light ? BLACK : 0xe8e8e8, 4, 7);
        assert_int_equal(drawing.shapes[2].kind, SHAPE_TEXT);
        assert_true(near(drawing.rows, 1));
        assert_true(near(drawing.columns, 8));
        drawing_release(&drawing);
        grid_release(&grid);
    }
}

/* In a printout for a whole class, no lane is marked: nothing is selected, faint or active. */
static void without_a_lane_nothing_recedes(void **state) {
    (void)state;
    const struct drawing_look look = {.light = true, .mono = true};
    struct grid grid;
    grid_init(&grid, 10, 1, false);
    struct area area = grid_area(&grid);
    area_text(area, 0, 0, "a", style(STYLE_CODE, 0, STYLE_SELECTED | STYLE_FAINT));
    area_text(area, 2, 0, "b", style(STYLE_ACTIVE, 0, 0));
    struct drawing drawing = drawn(&grid, &look);
    assert_int_equal(drawing.count, 2);
    assert_word(&drawing.shapes[0], "a", 0, 1);
    assert_int_equal(drawing.shapes[0].color, BLACK);
    assert_word(&drawing.shapes[1], "b", 2, 1);
    assert_int_equal(drawing.shapes[1].color, 0x595959);
    drawing_release(&drawing);
    grid_release(&grid);
}

/* Words end at blanks, where the look changes, and around wide letters. */
static void cells_become_words(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 30, 1, false);
    struct area area = grid_area(&grid);
    area_text(area, 0, 0, "ab cd", style(STYLE_CODE, 0, 0));
    area_text(area, 5, 0, "ef", style(STYLE_TITLE, 0, 0));
    area_text(area, 7, 0, "g", style(STYLE_DIM, 0, 0));
    area_text(area, 9, 0, "x\u4e2d\u6587y", style(STYLE_CODE, 0, 0));
    area_text(area, 16, 0, "123", style(STYLE_CODE, 0, STYLE_CENTERED));
    area_text(area, 20, 0, "e\u0301", style(STYLE_CODE, 0, 0));
    struct drawing drawing = drawn(&grid, &paper);
    static const struct {
        const char *text;
        double x, columns;
    } words[] = {{"ab", 0, 2},   {"cd", 3, 2},      {"ef", 5, 2},      {"g", 7, 1},
                 {"x", 9, 1},    {"\u4e2d", 10, 2}, {"\u6587", 12, 2}, {"y", 14, 1},
                 {"123", 17, 3}, {"e\u0301", 20, 1}};
    assert_int_equal(drawing.count, sizeof words / sizeof *words);
    for (size_t i = 0; i < drawing.count; i++)
        assert_word(&drawing.shapes[i], words[i].text, words[i].x, words[i].columns);
    drawing_release(&drawing);
    grid_release(&grid);
}

static void rules_join_into_lines(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 12, 4, false);
    struct area area = grid_area(&grid);
    const struct style plain = style(STYLE_CODE, 0, 0), dim = style(STYLE_DIM, 0, 0);
    for (int x = 0; x < 4; x++) /* the last of another colour */
        area_glyph(area, x, 0, 0x2500, x < 3 ? plain : dim);
    for (int y = 0; y < 4; y++)
        area_glyph(area, 5, y, y < 3 ? 0x2502 : 0x2503, plain);
    area_glyph(area, 7, 0, 0x250a, plain);
    area_glyph(area, 7, 1, 0x250a, plain);
    area_glyph(area, 9, 3, 0x2501, plain);
    struct drawing drawing = drawn(&grid, &paper);
    assert_int_equal(drawing.count, 6);
    assert_line(&drawing.shapes[0], 0.11, 0, 0.5, 3, 0.5);
    assert_line(&drawing.shapes[1], 0.11, 3, 0.5, 4, 0.5);
    assert_line(&drawing.shapes[2], 0.11, 5.5, 0, 5.5, 3);
    assert_line(&drawing.shapes[3], 0.11, 7.5, 0, 7.5, 2);
    assert_line(&drawing.shapes[4], 0.24, 5.5, 3, 5.5, 4);
    assert_line(&drawing.shapes[5], 0.24, 9, 3.5, 10, 3.5);
    for (int i = 0; i < 6; i++)
        assert_int_equal(drawing.shapes[i].dash, i == 3 ? DASH_DOTS : DASH_NONE);
    assert_int_equal(drawing.shapes[0].color, BLACK);
    assert_int_equal(drawing.shapes[1].color, 0x595959);
    drawing_release(&drawing);
    grid_release(&grid);
}

/* From the middle of a cell to the sides in the glyph's name. */
static void corners_go_to_their_sides(void **state) {
    (void)state;
    static const struct {
        uint32_t glyph;
        const char *sides;
    } corners[] = {{0x250c, "rd"},  {0x2510, "ld"},  {0x2514, "ru"},
                   {0x2518, "lu"},  {0x251c, "rud"}, {0x2524, "lud"},
                   {0x252c, "lrd"}, {0x2534, "lru"}, {0x253c, "lrud"}};
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        struct grid grid;
        grid_init(&grid, 5, 5, false);
        area_glyph(grid_area(&grid), 2, 3, corners[i].glyph, style(STYLE_CODE, 0, 0));
        struct drawing drawing = {0};
        drawing_add(&drawing, &grid, (struct crop){1, 1, 5, 5}, &paper);
        assert_int_equal(drawing.count, strlen(corners[i].sides));
        for (size_t k = 0; k < drawing.count; k++) {
            const char side = corners[i].sides[k];
            assert_line(&drawing.shapes[k], 0.11, 1.5, 2.5, /* the crop begins at 1, 1 */
                        side == 'l'   ? 1
                        : side == 'r' ? 2
                                      : 1.5,
                        side == 'u'   ? 2
                        : side == 'd' ? 3
                                      : 2.5);
        }
        drawing_release(&drawing);
        grid_release(&grid);
    }
}

static struct drawing one_glyph(uint32_t glyph, unsigned flags) {
    struct grid grid;
    grid_init(&grid, 1, 1, false);
    area_glyph(grid_area(&grid), 0, 0, glyph, style(STYLE_CODE, 0, flags));
    struct drawing drawing = drawn(&grid, &paper);
    for (size_t i = 0; i < drawing.count; i++)
        assert_int_not_equal(drawing.shapes[i].kind, SHAPE_TEXT);
    grid_release(&grid);
    return drawing;
}

/* The numbers of shapes and points of a drawn glyph; all are within its cell, except the head of
 * the arrow that turns round. */
static void drawn_glyphs_keep_to_their_cell(void **state) {
    (void)state;
    static const struct {
        uint32_t glyph;
        const char *shapes; /* Disc, Ring, Area, Path, and how many points */
    } glyphs[] = {
        {0x25cf, "D1"},   {0x25cb, "R1"},       {0x2022, "D1"},     {0x00b7, "D1"},
        {0x25c6, "A4"},   {0x25b6, "A3"},       {0x25b8, "A3"},     {0x203a, "P3"},
        {0x25a0, "A4"},   {0x25a1, "P4P2"},     {0x258c, "A4"},     {0x2588, "A4"},
        {0x2591, "P2P2"}, {0x2190, "P2A3"},     {0x2192, "P2A3"},   {0x2191, "P2A3"},
        {0x2193, "P2A3"}, {0x21ba, "P4P4P4A3"}, {0x2260, "P2P2P2"}, {0x2713, "P3"},
        {0x2717, "P2P2"},
    };
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++) {
        struct drawing drawing = one_glyph(glyphs[i].glyph, 0);
        assert_int_equal(drawing.count, strlen(glyphs[i].shapes) / 2);
        for (size_t k = 0; k < drawing.count; k++) {
            const struct shape *shape = &drawing.shapes[k];
            const char kind = glyphs[i].shapes[2 * k];
            assert_int_equal(shape->kind, kind == 'D'   ? SHAPE_DISC
                                          : kind == 'R' ? SHAPE_RING
                                          : kind == 'A' ? SHAPE_AREA
                                                        : SHAPE_PATH);
            assert_int_equal(shape->count, glyphs[i].shapes[2 * k + 1] - '0');
            if (kind == 'P')
                assert_true(near(shape->size, 0.11));
            for (int p = 0; p < shape->count; p++) {
                assert_true(shape->point[p].x >= 0 &&
                            shape->point[p].x <= (glyphs[i].glyph == 0x21ba ? 1.1 : 1));
                assert_true(shape->point[p].y >= 0 && shape->point[p].y <= 1);
                for (int q = 0; q < p; q++)
                    assert_false(near(shape->point[p].x, shape->point[q].x) &&
                                 near(shape->point[p].y, shape->point[q].y));
            }
        }
        drawing_release(&drawing);
    }
    struct drawing bold = one_glyph(0x2713, STYLE_BOLD);
    assert_true(near(bold.shapes[0].size, 0.24));
    drawing_release(&bold);
    struct drawing node = one_glyph(0x25cf, 0);
    assert_at(&node.shapes[0], 0, 0.5, 0.5);
    assert_true(near(node.shapes[0].size, 0.42));
    drawing_release(&node);
}

/* Each point of `a` is the mirror image of a point of `b`. */
static void assert_mirrored(uint32_t a, uint32_t b, bool sideways) {
    struct drawing one = one_glyph(a, 0), other = one_glyph(b, 0);
    assert_int_equal(one.count, other.count);
    for (size_t k = 0; k < one.count; k++)
        for (int p = 0; p < one.shapes[k].count; p++) {
            bool found = false;
            for (int q = 0; q < other.shapes[k].count; q++) {
                const struct point *from = &one.shapes[k].point[p], *to = &other.shapes[k].point[q];
                found = found || (near(from->x, sideways ? 1 - to->x : to->x) &&
                                  near(from->y, sideways ? to->y : 1 - to->y));
            }
            assert_true(found);
        }
    drawing_release(&one);
    drawing_release(&other);
}

static void drawn_glyphs_are_symmetric(void **state) {
    (void)state;
    assert_mirrored(0x2190, 0x2192, true);
    assert_mirrored(0x2191, 0x2193, false);
    static const uint32_t upright[] = {0x25c6, 0x25b6, 0x25b8, 0x203a, 0x25a0,
                                       0x2588, 0x2190, 0x2192, 0x258c};
    for (size_t i = 0; i < sizeof upright / sizeof *upright; i++)
        assert_mirrored(upright[i], upright[i], false);
    static const uint32_t level[] = {0x25c6, 0x25a0, 0x2588, 0x2191, 0x2193};
    for (size_t i = 0; i < sizeof level / sizeof *level; i++)
        assert_mirrored(level[i], level[i], true);
}

/* A wire ends at the edges of the nodes that it joins; the topmost shapes come last, and are
 * thick. */
static void wires_join_nodes(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 12, 6, false);
    grid.vector = true;
    struct area area = grid_area(&grid);
    area_glyph(area, 2, 1, 0x25cf, style(STYLE_CODE, 0, 0));
    area_glyph(area, 4, 4, 0x25cb, style(STYLE_CODE, 0, 0));
    area_glyph(area, 6, 4, 0x21ba, style(STYLE_CODE, 0, 0));
    const struct stroke strokes[] = {
        {2, 2, 4, 4, style(STYLE_CODE, 0, 0), 0, 0, true},
        {2, 2, 6, 4, style(STYLE_UNDEFINED, 0, 0), 0, 0, false},
        {8, 2, 9, 4, style(STYLE_OWN, 0, 0), 0, 0, false},
        {8, 2, 9, 4, style(STYLE_CODE, 0, 0), 4, 2, false},
        {8, 2, 9, 4, style(STYLE_CODE, 0, STYLE_FAINT), 4, 1, false},
    };
    for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++)
        grid_stroke(&grid, &strokes[i]);
    const struct crop crop = drawing_crop(&grid);
    assert_int_equal(crop.left, 2);
    assert_int_equal(crop.top, 1);
    assert_int_equal(crop.right, 10);
    assert_int_equal(crop.bottom, 5);
    static const struct {
        double size, x0, y0, x1, y1;
        enum dash dash;
    } wires[] = {
        /* less 2 and 1, where the crop begins; a node's edge is 0.29 from its row's edge */
        {0.11, 0.5, 1 - 0.29, 4.5, 3.2, DASH_LONG},  {0.11, 6.5, 1, 7.5, 3, DASH_DOTS},
        {0.11, 6.5, 1, 7.5, 3, DASH_SHORT},          {0.07, 6.5, 1, 7.5, 3, DASH_DOTS},
        {0.24, 0.5, 1 - 0.29, 2.5, 3.29, DASH_NONE},
    };
    struct drawing drawing = drawn(&grid, &paper);
    for (size_t i = 0; i < 5; i++) {
        const struct shape *shape = &drawing.shapes[i];
        assert_int_equal(shape->kind, SHAPE_CURVE);
        assert_true(near(shape->size, wires[i].size));
        assert_at(shape, 0, wires[i].x0, wires[i].y0);
        assert_at(shape, 1, wires[i].x1, wires[i].y1);
        assert_int_equal(shape->dash, wires[i].dash);
        struct point control[2]; /* upright at both ends, for 45 % of the height */
        curve_controls(shape, control);
        assert_true(near(control[0].x, wires[i].x0));
        assert_true(near(control[1].x, wires[i].x1));
        assert_true(near(control[0].y - wires[i].y0, 0.45 * (wires[i].y1 - wires[i].y0)));
        assert_true(near(wires[i].y1 - control[1].y, 0.45 * (wires[i].y1 - wires[i].y0)));
    }
    assert_int_not_equal(drawing.shapes[5].kind, SHAPE_CURVE);
    drawing_release(&drawing);
    const struct drawing_look plain = {.light = true, .mono = true};
    drawing = drawn(&grid, &plain);
    for (size_t i = 0; i < 5; i++)
        assert_true(near(drawing.shapes[i].size, 0.11));
    drawing_release(&drawing);
    grid_release(&grid);
}

static void pictures_are_stacked(void **state) {
    (void)state;
    struct grid grid;
    grid_init(&grid, 9, 5, false);
    const struct crop none = drawing_crop(&grid);
    assert_true(none.left == 0 && none.top == 0 && none.right == 0 && none.bottom == 0);
    area_text(grid_area(&grid), 3, 2, "abc", style(STYLE_CODE, 0, 0));
    area_text(grid_area(&grid), 1, 4, "d", style(STYLE_CODE, 0, 0));
    const struct crop crop = drawing_crop(&grid);
    assert_true(crop.left == 1 && crop.top == 2 && crop.right == 6 && crop.bottom == 5);
    struct drawing drawing = {0};
    drawing_add(&drawing, &grid, crop, &paper);
    assert_true(near(drawing.rows, 3) && near(drawing.columns, 5));
    drawing_add(&drawing, &grid, (struct crop){3, 2, 6, 3}, &paper); /* two rows between them */
    assert_true(near(drawing.rows, 6) && near(drawing.columns, 5));
    assert_int_equal(drawing.count, 3);
    assert_at(&drawing.shapes[0], 0, 2, 0.5);
    assert_at(&drawing.shapes[1], 0, 0, 2.5);
    assert_at(&drawing.shapes[2], 0, 0, 5.5);
    drawing_release(&drawing);
    grid_release(&grid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ink_replaces_colours),
        cmocka_unit_test(backgrounds_are_boxes),
        cmocka_unit_test(without_a_lane_nothing_recedes),
        cmocka_unit_test(cells_become_words),
        cmocka_unit_test(rules_join_into_lines),
        cmocka_unit_test(corners_go_to_their_sides),
        cmocka_unit_test(drawn_glyphs_keep_to_their_cell),
        cmocka_unit_test(drawn_glyphs_are_symmetric),
        cmocka_unit_test(wires_join_nodes),
        cmocka_unit_test(pictures_are_stacked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
