/*
 * Turns cells into shapes: neighbouring cells that look alike become one word, one background or
 * one line, so that the file is small and its text can be selected.
 */
#include "export/figures/drawing.h"

#include "base/memory.h"
#include "base/text.h"
#include "term/palette.h"

#include <stdlib.h>
#include <string.h>

#define LINE       0.11 /* columns */
#define LINE_THICK 0.24
#define LINE_HAIR  0.07
#define NODE       0.42 /* radius */
#define ASPECT     0.5  /* a column is half as wide as a row is high */
#define BEND       0.45 /* control points' distance from a wire's ends, as part of its height */
#define GAP        2    /* rows between pictures */

/* ---- colours ---- */

int32_t look_background(const struct drawing_look *look) {
    return look->light ? 0xffffff : 0x101418;
}

int32_t look_ink(const struct drawing_look *look) {
    return look->light ? 0x000000 : 0xe8e8e8;
}

static int32_t grey(const struct drawing_look *look, int percent) {
    const int32_t level = (look->light ? percent : 100 - percent) * 255 / 100;
    return level << 16 | level << 8 | level;
}

/* Neighbouring groups look different, as far as black and white allow. */
static struct paint mono_paint(const struct drawing_look *look, struct style style) {
    struct paint paint = {look_ink(look), PAINT_DEFAULT, 0};
    switch (style.role) {
    case STYLE_DIM:
    case STYLE_LABEL:
    case STYLE_ABSENT:
        paint.foreground = grey(look, 35);
        break;
    case STYLE_GROUP:
        paint.foreground = style.group % 2 ? grey(look, 38) : look_ink(look);
        break;
    case STYLE_ACTIVE:
        paint.background = look_ink(look);
        paint.foreground = look_background(look);
        break;
    case STYLE_TITLE:
    case STYLE_KEY:
    case STYLE_UNDEFINED:
    case STYLE_CHANGED:
        paint.attributes = PAINT_BOLD;
        break;
    default:
        break;
    }
    if (style.flags & STYLE_FAINT)
        paint.foreground = grey(look, 50);
    if (style.flags & STYLE_BOLD)
        paint.attributes |= PAINT_BOLD;
    if (style.flags & STYLE_REVERSE)
        paint.attributes |= PAINT_REVERSE;
    if (style.role != STYLE_ACTIVE &&
        (style.flags & STYLE_SELECTED || style.role == STYLE_CODE_LIT))
        paint.background = grey(look, 88);
    return paint;
}

static struct paint paint_of(const struct drawing_look *look, struct style style) {
    const struct palette palette = {COLOR_TRUE, look->light ? BACKGROUND_LIGHT : BACKGROUND_DARK};
    if (!look->marks_lane) {
        style.flags &= (uint8_t) ~(STYLE_SELECTED | STYLE_FAINT);
        style.role = style.role == STYLE_ACTIVE ? STYLE_LABEL : style.role;
    }
    struct paint paint = look->mono ? mono_paint(look, style) : palette_paint(&palette, style);
    if (paint.foreground == PAINT_DEFAULT)
        paint.foreground = look_ink(look);
    if (paint.attributes & PAINT_REVERSE) {
        const int32_t ground =
            paint.background == PAINT_DEFAULT ? look_background(look) : paint.background;
        paint.background = paint.foreground;
        paint.foreground = ground;
    }
    return paint;
}

/* ---- the list ---- */

void drawing_release(struct drawing *drawing) {
    for (size_t i = 0; i < drawing->count; i++)
        free(drawing->shapes[i].text);
    free(drawing->shapes);
    *drawing = (struct drawing){0};
}

static struct shape *add(struct drawing *drawing, enum shape_kind kind, int32_t color,
                         double size) {
    drawing->shapes =
        memory_room(drawing->shapes, drawing->count, &drawing->room, sizeof drawing->shapes[0]);
    struct shape *shape = &drawing->shapes[drawing->count++];
    *shape = (struct shape){.kind = kind, .color = color, .size = size};
    return shape;
}

static void put(struct shape *shape, double x, double y) {
    shape->point[shape->count++] = (struct point){x, y};
}

static void add_line(struct drawing *drawing, int32_t color, double size, struct point from,
                     struct point to) {
    struct shape *shape = add(drawing, SHAPE_PATH, color, size);
    put(shape, from.x, from.y);
    put(shape, to.x, to.y);
}

static void add_box(struct drawing *drawing, int32_t color, double left, double top, double right,
                    double bottom) {
    struct shape *shape = add(drawing, SHAPE_AREA, color, 0);
    put(shape, left, top);
    put(shape, right, top);
    put(shape, right, bottom);
    put(shape, left, bottom);
}

void curve_controls(const struct shape *curve, struct point control[2]) {
    const double bend = (curve->point[1].y - curve->point[0].y) * BEND;
    control[0] = (struct point){curve->point[0].x, curve->point[0].y + bend};
    control[1] = (struct point){curve->point[1].x, curve->point[1].y - bend};
}

/* ---- glyphs that are drawn ---- */

/* Shapes of a glyph that is drawn rather than set: points relative to the upper left corner of
 * its cell; for a disc, its centre and its radius. All other glyphs are text. */
/* clang-format off */
static const struct glyph_shape {
    uint32_t glyph;
    enum shape_kind kind;
    int count;
    double at[SHAPE_POINTS][2];
    double radius;
} glyph_shapes[] = {
    /* circles: black, white; bullet, middle dot */
    {0x25cf, SHAPE_DISC, 1, {{0.5, 0.5}}, NODE}, {0x25cb, SHAPE_RING, 1, {{0.5, 0.5}}, NODE},
    {0x2022, SHAPE_DISC, 1, {{0.5, 0.5}}, 0.3}, {0x00b7, SHAPE_DISC, 1, {{0.5, 0.5}}, 0.14},
    /* diamond, triangles, squares */
    {0x25c6, SHAPE_AREA, 4, {{0.5, 0.27}, {0.92, 0.5}, {0.5, 0.73}, {0.08, 0.5}}, 0},
    {0x25b6, SHAPE_AREA, 3, {{0.15, 0.28}, {0.85, 0.5}, {0.15, 0.72}}, 0},
    {0x25b8, SHAPE_AREA, 3, {{0.15, 0.28}, {0.85, 0.5}, {0.15, 0.72}}, 0},
    {0x203a, SHAPE_PATH, 3, {{0.3, 0.3}, {0.7, 0.5}, {0.3, 0.7}}, 0},
    {0x25a0, SHAPE_AREA, 4, {{0.1, 0.3}, {0.9, 0.3}, {0.9, 0.7}, {0.1, 0.7}}, 0},
    {0x25a1, SHAPE_PATH, 4, {{0.1, 0.7}, {0.1, 0.3}, {0.9, 0.3}, {0.9, 0.7}}, 0},
    {0x25a1, SHAPE_PATH, 2, {{0.1, 0.7}, {0.9, 0.7}}, 0},
    /* blocks: left half, full, shade */
    {0x258c, SHAPE_AREA, 4, {{0.1, 0}, {0.4, 0}, {0.4, 1}, {0.1, 1}}, 0},
    {0x2588, SHAPE_AREA, 4, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, 0},
    {0x2591, SHAPE_PATH, 2, {{0.1, 0.4}, {0.9, 0.4}}, 0}, {0x2591, SHAPE_PATH, 2, {{0.1, 0.6}, {0.9, 0.6}}, 0},
    /* arrows: left, right, up, down */
    {0x2190, SHAPE_PATH, 2, {{0.95, 0.5}, {0.3, 0.5}}, 0}, {0x2190, SHAPE_AREA, 3, {{0, 0.5}, {0.45, 0.36}, {0.45, 0.64}}, 0},
    {0x2192, SHAPE_PATH, 2, {{0.05, 0.5}, {0.7, 0.5}}, 0}, {0x2192, SHAPE_AREA, 3, {{1, 0.5}, {0.55, 0.36}, {0.55, 0.64}}, 0},
    {0x2191, SHAPE_PATH, 2, {{0.5, 0.85}, {0.5, 0.4}}, 0}, {0x2191, SHAPE_AREA, 3, {{0.5, 0.15}, {0.78, 0.4}, {0.22, 0.4}}, 0},
    {0x2193, SHAPE_PATH, 2, {{0.5, 0.15}, {0.5, 0.6}}, 0}, {0x2193, SHAPE_AREA, 3, {{0.5, 0.85}, {0.22, 0.6}, {0.78, 0.6}}, 0},
    /* an arrow that turns round to where it came from */
    {0x21ba, SHAPE_PATH, 4, {{0.381, 0.278}, {0.165, 0.342}, {0.050, 0.453}, {0.068, 0.579}}, 0},
    {0x21ba, SHAPE_PATH, 4, {{0.068, 0.579}, {0.215, 0.680}, {0.447, 0.728}, {0.694, 0.708}}, 0},
    {0x21ba, SHAPE_PATH, 4, {{0.694, 0.708}, {0.884, 0.626}, {0.960, 0.507}, {0.898, 0.385}}, 0},
    {0x21ba, SHAPE_AREA, 3, {{0.719, 0.437}, {1.098, 0.327}, {0.598, 0.271}}, 0},
    /* not equal, check mark, ballot x */
    {0x2260, SHAPE_PATH, 2, {{0.1, 0.43}, {0.9, 0.43}}, 0}, {0x2260, SHAPE_PATH, 2, {{0.1, 0.58}, {0.9, 0.58}}, 0},
    {0x2260, SHAPE_PATH, 2, {{0.25, 0.75}, {0.75, 0.27}}, 0},
    {0x2713, SHAPE_PATH, 3, {{0.1, 0.55}, {0.4, 0.75}, {0.9, 0.28}}, 0},
    {0x2717, SHAPE_PATH, 2, {{0.12, 0.3}, {0.88, 0.7}}, 0}, {0x2717, SHAPE_PATH, 2, {{0.88, 0.3}, {0.12, 0.7}}, 0},
    {0},
};
/* clang-format on */

static bool is_drawn(uint32_t glyph) {
    for (const struct glyph_shape *from = glyph_shapes; glyph > 0x7f && from->glyph; from++)
        if (from->glyph == glyph)
            return true;
    return false;
}

/* Adds a glyph in the cell whose upper left corner is at x, y. */
static void add_glyph(struct drawing *drawing, double x, double y, uint32_t glyph,
                      const struct paint *paint) {
    for (const struct glyph_shape *from = glyph_shapes; from->glyph; from++) {
        if (from->glyph != glyph)
            continue;
        const double line = paint->attributes & PAINT_BOLD ? LINE_THICK : LINE;
        struct shape *shape =
            add(drawing, from->kind, paint->foreground, from->count == 1 ? from->radius : line);
        for (int k = 0; k < from->count; k++)
            put(shape, x + from->at[k][0], y + from->at[k][1]);
    }
}

/* The sides that a line drawn with a glyph reaches: 1 left, 2 right, 4 up, 8 down; 16 heavy, 32
 * dashed. 0 for anything else. */
static unsigned line_sides(uint32_t glyph) {
    static const struct {
        uint32_t glyph;
        unsigned sides;
    } lines[] = {
        {0x2500, 3},  {0x2501, 3 | 16}, {0x2502, 12}, {0x2503, 12 | 16}, {0x250a, 12 | 32},
        {0x250c, 10}, {0x2510, 9},      {0x2514, 6},  {0x2518, 5},       {0x251c, 14},
        {0x2524, 13}, {0x252c, 11},     {0x2534, 7},  {0x253c, 15},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].glyph == glyph)
            return lines[i].sides;
    return 0;
}

/* ---- cells ---- */

struct page {
    struct drawing *drawing;
    const struct grid *grid;
    const struct drawing_look *look;
    struct crop crop;
    double top; /* the drawing's row at which the crop begins */
};

static const struct cell *cell_at(const struct page *page, int x, int y) {
    return &page->grid->cells[(size_t)y * (size_t)page->grid->columns + (size_t)x];
}

static double left_of(const struct page *page, int x) {
    return x - page->crop.left;
}

static double top_of(const struct page *page, int y) {
    return page->top + y - page->crop.top;
}

/* Neighbouring cells with the same background become one box. */
static void add_backgrounds(const struct page *page, int y) {
    for (int x = page->crop.left; x < page->crop.right;) {
        const int32_t ground = paint_of(page->look, cell_at(page, x, y)->style).background;
        int end = x + 1;
        while (end < page->crop.right &&
               paint_of(page->look, cell_at(page, end, y)->style).background == ground)
            end++;
        if (ground != PAINT_DEFAULT)
            add_box(page->drawing, ground, left_of(page, x), top_of(page, y), left_of(page, end),
                    top_of(page, y) + 1);
        x = end;
    }
}

static bool same_line(const struct page *page, int x, int y, unsigned sides, int32_t color) {
    const struct cell *cell = cell_at(page, x, y);
    return line_sides(cell->glyph) == sides &&
           paint_of(page->look, cell->style).foreground == color;
}

/* A line continues through all neighbouring cells with the same line. */
static void add_rule(const struct page *page, int x, int y, unsigned sides) {
    const int32_t color = paint_of(page->look, cell_at(page, x, y)->style).foreground;
    const double size = sides & 16 ? LINE_THICK : LINE;
    const double middle_x = left_of(page, x) + 0.5, middle_y = top_of(page, y) + 0.5;
    const unsigned plain = sides & 15;
    int end;
    if (plain == 3) {
        if (x > page->crop.left && same_line(page, x - 1, y, sides, color))
            return;
        for (end = x + 1; end < page->crop.right && same_line(page, end, y, sides, color);)
            end++;
        add_line(page->drawing, color, size, (struct point){left_of(page, x), middle_y},
                 (struct point){left_of(page, end), middle_y});
        return;
    }
    if (plain == 12) {
        if (y > page->crop.top && same_line(page, x, y - 1, sides, color))
            return;
        for (end = y + 1; end < page->crop.bottom && same_line(page, x, end, sides, color);)
            end++;
        add_line(page->drawing, color, size, (struct point){middle_x, top_of(page, y)},
                 (struct point){middle_x, top_of(page, end)});
        if (sides & 32)
            page->drawing->shapes[page->drawing->count - 1].dash = DASH_DOTS;
        return;
    }
    static const double to[4][2] = {{-0.5, 0}, {0.5, 0}, {0, -0.5}, {0, 0.5}};
    for (int side = 0; side < 4; side++)
        if (plain >> side & 1)
            add_line(page->drawing, color, size, (struct point){middle_x, middle_y},
                     (struct point){middle_x + to[side][0], middle_y + to[side][1]});
}

static bool is_text(uint32_t glyph) {
    return glyph > ' ' && line_sides(glyph) == 0 && !is_drawn(glyph);
}

static bool looks_alike(const struct paint *a, const struct paint *b) {
    return a->foreground == b->foreground && !((a->attributes ^ b->attributes) & PAINT_BOLD);
}

/* A word: neighbours that look alike, up to a blank. A wide letter is a word of its own, so that
 * the next is in its own cell whatever the font. Returns the cell after it. */
static int add_word(const struct page *page, int x, int y) {
    const struct paint paint = paint_of(page->look, cell_at(page, x, y)->style);
    struct text text = TEXT_INIT;
    const int from = x;
    while (x < page->crop.right) {
        const struct cell *cell = cell_at(page, x, y);
        const struct paint next = paint_of(page->look, cell->style);
        const bool wide = utf8_width(cell->glyph) > 1;
        if (!is_text(cell->glyph) || !looks_alike(&paint, &next) || (wide && x > from))
            break;
        text_append_cell(&text, cell);
        x += wide ? 2 : 1;
        if (wide)
            break;
    }
    struct shape *shape = add(page->drawing, SHAPE_TEXT, paint.foreground, x - from);
    /* A lane's text is centred here, because in the grid it can only be aligned to whole cells. */
    const bool centered = cell_at(page, from, y)->style.flags & STYLE_CENTERED;
    put(shape, left_of(page, from) + (centered ? (x - from - 1) / 2.0 : 0), top_of(page, y) + 0.5);
    shape->bold = paint.attributes & PAINT_BOLD;
    shape->text = text_detach(&text);
    return x;
}

static void add_cells(const struct page *page, int y) {
    for (int x = page->crop.left; x < page->crop.right;) {
        const struct cell *cell = cell_at(page, x, y);
        const unsigned sides = line_sides(cell->glyph);
        if (is_text(cell->glyph)) {
            x = add_word(page, x, y);
            continue;
        }
        const struct paint paint = paint_of(page->look, cell->style);
        if (sides)
            add_rule(page, x, y, sides);
        else if (is_drawn(cell->glyph))
            add_glyph(page->drawing, left_of(page, x), top_of(page, y), cell->glyph, &paint);
        x++;
    }
}

/* ---- wires ---- */

/* The distance a wire continues into the next row, to the edge of the node there. */
static double reach(const struct page *page, int x, int y) {
    if (y < page->crop.top || y >= page->crop.bottom || x < 0 || x >= page->grid->columns)
        return 0;
    const uint32_t glyph = cell_at(page, x, y)->glyph;
    const bool node = glyph == 0x25cf || glyph == 0x25cb;
    return node ? 0.5 - NODE * ASPECT : glyph == 0x21ba ? 0.2 : 0;
}

static enum dash dash_of(const struct stroke *stroke) {
    if (stroke->style.role == STYLE_UNDEFINED)
        return DASH_LONG;
    if (stroke->style.role == STYLE_OWN)
        return DASH_DOTS;
    return stroke->period == 0                ? DASH_NONE
           : stroke->on * 2 >= stroke->period ? DASH_SHORT
                                              : DASH_DOTS;
}

static void add_stroke(const struct page *page, const struct stroke *stroke) {
    const bool on_top = stroke->on_top && page->look->marks_lane;
    const bool hair = stroke->style.flags & STYLE_FAINT && page->look->marks_lane;
    const struct paint paint = paint_of(page->look, stroke->style);
    struct shape *shape = add(page->drawing, SHAPE_CURVE, paint.foreground,
                              on_top ? LINE_THICK
                              : hair ? LINE_HAIR
                                     : LINE);
    shape->dash = dash_of(stroke);
    put(shape, left_of(page, stroke->x0) + 0.5,
        top_of(page, stroke->y0) - reach(page, stroke->x0, stroke->y0 - 1));
    put(shape, left_of(page, stroke->x1) + 0.5,
        top_of(page, stroke->y1) + reach(page, stroke->x1, stroke->y1));
}

/* ---- the whole picture ---- */

struct crop drawing_crop(const struct grid *grid) {
    struct crop crop = {grid->columns, grid->rows, 0, 0};
    for (int y = 0; y < grid->rows; y++)
        for (int x = 0; x < grid->columns; x++)
            if (grid->cells[(size_t)y * (size_t)grid->columns + (size_t)x].glyph != ' ')
                crop = crop_join(crop, (struct crop){x, y, x + 1, y + 1});
    for (size_t i = 0; i < grid->stroke_count; i++) {
        const struct stroke *stroke = &grid->strokes[i];
        crop = crop_join(crop, (struct crop){stroke->x0, stroke->y0, stroke->x0 + 1, stroke->y1});
        crop = crop_join(crop, (struct crop){stroke->x1, stroke->y0, stroke->x1 + 1, stroke->y1});
    }
    if (crop.right <= crop.left)
        return (struct crop){0, 0, 0, 0};
    return crop;
}

struct crop crop_join(struct crop a, struct crop b) {
    return (struct crop){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                         a.right > b.right ? a.right : b.right,
                         a.bottom > b.bottom ? a.bottom : b.bottom};
}

void drawing_add(struct drawing *drawing, const struct grid *grid, struct crop crop,
                 const struct drawing_look *look) {
    const struct page page = {drawing, grid, look, crop,
                              drawing->rows > 0 ? drawing->rows + GAP : 0};
    const double columns = crop.right - crop.left;
    for (int y = crop.top; y < crop.bottom; y++)
        add_backgrounds(&page, y);
    for (int top = 0; top < 2; top++)
        for (size_t i = 0; i < grid->stroke_count; i++)
            if (grid->strokes[i].on_top == (top == 1))
                add_stroke(&page, &grid->strokes[i]);
    for (int y = crop.top; y < crop.bottom; y++)
        add_cells(&page, y);
    drawing->rows = page.top + crop.bottom - crop.top;
    drawing->columns = drawing->columns > columns ? drawing->columns : columns;
}
