#include "term/painter.h"

#include <stdbool.h>

/* Attributes and their SGR parameters, in the order in which they are written. */
static const struct {
    unsigned attribute;
    int parameter;
} attribute_parameters[] = {
    {PAINT_BOLD, 1},
    {PAINT_DIM, 2},
    {PAINT_UNDERLINE, 4},
    {PAINT_REVERSE, 7},
};

static const struct paint nothing = {PAINT_DEFAULT, PAINT_DEFAULT, 0};

static bool paint_equal(struct paint a, struct paint b) {
    return a.foreground == b.foreground && a.background == b.background &&
           a.attributes == b.attributes;
}

static bool style_equal(struct style a, struct style b) {
    return a.role == b.role && a.group == b.group && a.flags == b.flags;
}

/* True if a blank cell in this paint looks different from an empty one. */
static bool paint_shows_blank(struct paint paint) {
    return paint.background != PAINT_DEFAULT ||
           (paint.attributes & (PAINT_UNDERLINE | PAINT_REVERSE)) != 0;
}

/* One SGR parameter; *first is true if no separator is due. */
static void append_parameter(struct text *text, bool *first, int parameter) {
    text_append_format(text, *first ? "%d" : ";%d", parameter);
    *first = false;
}

/* `base` is 30 for a foreground and 40 for a background. */
static void append_color(struct text *text, bool *first, int base, int32_t color,
                         enum color_depth depth) {
    if (color == PAINT_DEFAULT) {
        append_parameter(text, first, base + 9);
    } else if (depth == COLOR_TRUE) {
        append_parameter(text, first, base + 8);
        text_append_format(text, ";2;%d;%d;%d", (int)(color >> 16) & 0xff, (int)(color >> 8) & 0xff,
                           (int)color & 0xff);
    } else if (color < 8) {
        append_parameter(text, first, base + (int)color);
    } else if (color < 16) {
        append_parameter(text, first, base + 60 + (int)color - 8);
    } else {
        append_parameter(text, first, base + 8);
        text_append_format(text, ";5;%d", (int)color);
    }
}

/* Changes one paint to another in one sequence. Attributes can only be reset all together. */
static void append_change(struct text *text, struct paint from, struct paint to,
                          enum color_depth depth) {
    bool first = true;

    if (paint_equal(from, to))
        return;
    text_append(text, "\033[");
    if (paint_equal(to, nothing) || (from.attributes & ~to.attributes)) {
        append_parameter(text, &first, 0);
        from = nothing;
    }
    for (size_t i = 0; i < sizeof(attribute_parameters) / sizeof(attribute_parameters[0]); i++)
        if (to.attributes & ~from.attributes & attribute_parameters[i].attribute)
            append_parameter(text, &first, attribute_parameters[i].parameter);
    if (to.foreground != from.foreground)
        append_color(text, &first, 30, to.foreground, depth);
    if (to.background != from.background)
        append_color(text, &first, 40, to.background, depth);
    text_append_char(text, 'm');
}

/* Columns of a row up to its last visible cell. */
static int shown_columns(const struct cell *row, int columns, const struct palette *palette) {
    while (columns > 0 && row[columns - 1].glyph == ' ' &&
           !paint_shows_blank(palette_paint(palette, row[columns - 1].style)))
        columns--;
    return columns;
}

static void append_row(struct text *text, const struct cell *row, int columns,
                       const struct palette *palette) {
    struct paint current = nothing, meant = nothing; /* current paint; paint of this cell's style */

    columns = shown_columns(row, columns, palette);
    for (int x = 0; x < columns; x++) {
        if (x == 0 || !style_equal(row[x].style, row[x - 1].style))
            meant = palette_paint(palette, row[x].style);
        struct paint paint = meant;

        if (row[x].glyph == 0) /* the right half of a wide glyph came with the left one */
            continue;
        /* A blank need not switch attributes that are not visible in it. */
        if (row[x].glyph == ' ' && !paint_shows_blank(paint))
            paint = paint_shows_blank(current) ? nothing : current;
        append_change(text, current, paint, palette->depth);
        text_append_cell(text, &row[x]);
        current = paint;
    }
    append_change(text, current, nothing, palette->depth);
    text_append_char(text, '\n');
}

void paint_ansi_palette(struct text *text, const struct grid *grid, const struct palette *palette) {
    for (int y = 0; y < grid->rows; y++)
        append_row(text, grid->cells + (size_t)y * (size_t)grid->columns, grid->columns, palette);
}

void paint_to(FILE *out, const struct grid *grid, const struct palette *palette) {
    struct text text = TEXT_INIT;

    paint_ansi_palette(&text, grid, palette);
    fwrite(text.data, 1, text.length, out);
    text_release(&text);
}

void paint_ansi(struct text *text, const struct grid *grid, enum color_depth depth) {
    const struct palette palette = {depth, BACKGROUND_UNKNOWN};

    paint_ansi_palette(text, grid, &palette);
}
