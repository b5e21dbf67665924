/*
 * Clips every write to its area, so that no view can draw outside its own, and never leaves half of
 * a wide character.
 */
#include "view/grid.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct cell empty_cell = {.glyph = ' '};

/* ---- the grid ---- */

void grid_init(struct grid *grid, int columns, int rows, bool ascii) {
    memset(grid, 0, sizeof *grid);
    grid->ascii = ascii;
    grid->letters = strcmp(message_language(), "en") != 0;
    grid_resize(grid, columns, rows);
}

void grid_release(struct grid *grid) {
    free(grid->cells);
    free(grid->strokes);
    memset(grid, 0, sizeof *grid);
}

void grid_resize(struct grid *grid, int columns, int rows) {
    grid->columns = columns > 0 ? columns : 0;
    grid->rows = rows > 0 ? rows : 0;
    size_t count = (size_t)grid->columns * (size_t)grid->rows;
    grid->cells = memory_grow(grid->cells, count, sizeof *grid->cells);
    grid_clear(grid);
}

void grid_clear(struct grid *grid) {
    size_t count = (size_t)grid->columns * (size_t)grid->rows;
    for (size_t i = 0; i < count; i++)
        grid->cells[i] = empty_cell;
    grid->failed_to_fit = false;
    grid->stroke_count = 0;
}

void grid_stroke(struct grid *grid, const struct stroke *stroke) {
    grid->strokes =
        memory_room(grid->strokes, grid->stroke_count, &grid->stroke_room, sizeof *grid->strokes);
    grid->strokes[grid->stroke_count++] = *stroke;
}

struct area grid_area(struct grid *grid) {
    return (struct area){grid, 0, 0, grid->columns, grid->rows};
}

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

struct area area_within(struct area area, int x, int y, int columns, int rows) {
    int left = clamp(x, 0, area.columns), right = clamp(x + columns, left, area.columns);
    int top = clamp(y, 0, area.rows), bottom = clamp(y + rows, top, area.rows);
    return (struct area){area.grid, area.x + left, area.y + top, right - left, bottom - top};
}

/* ---- glyphs ---- */

/* clang-format off */
/* Replacements for glyphs if only ASCII may be drawn. Sorted by code point. */
static const struct {
    uint32_t glyph;
    char ascii;
} stand_ins[] = {
    /* no-break space (a cursor), middle dot, times, dashes */
    {0x00a0, ' '}, {0x00b7, '.'}, {0x00d7, 'x'}, {0x2013, '-'}, {0x2014, '-'},
    /* quotation marks */
    {0x2018, 39}, {0x2019, 39}, {0x201c, '"'}, {0x201d, '"'},
    /* bullet, ellipsis (something was shortened), single right angle quotation mark */
    {0x2022, '*'}, {0x2026, '~'}, {0x203a, '>'},
    /* arrows: left, up, right, down, turning back (its own value); not equal */
    {0x2190, '<'}, {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'}, {0x21ba, '='}, {0x2260, '!'},
    /* lines: horizontal, heavy, vertical, heavy, dashed */
    {0x2500, '-'}, {0x2501, '='}, {0x2502, '|'}, {0x2503, '|'}, {0x250a, ':'},
    /* corners, junctions */
    {0x250c, '+'}, {0x2510, '+'}, {0x2514, '+'}, {0x2518, '+'},
    {0x251c, '+'}, {0x2524, '+'}, {0x252c, '+'}, {0x2534, '+'}, {0x253c, '+'},
    /* blocks: full, left half, light shade; squares: black, white */
    {0x2588, '#'}, {0x258c, '|'}, {0x2591, ':'}, {0x25a0, '#'}, {0x25a1, '_'},
    /* triangles, black diamond (changed), circles: white, black, half black (begun); star, check mark,
       ballot x */
    {0x25b6, '>'}, {0x25b8, '>'}, {0x25c6, '*'}, {0x25cb, 'o'}, {0x25cf, '*'}, {0x25d0, '-'},
    {0x2605, '*'}, {0x2713, '+'}, {0x2717, 'x'},
};
/* clang-format on */

static uint32_t ascii_glyph(uint32_t glyph) {
    size_t low = 0, high = sizeof stand_ins / sizeof *stand_ins;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (stand_ins[middle].glyph == glyph)
            return (uint32_t)stand_ins[middle].ascii;
        if (stand_ins[middle].glyph < glyph)
            low = middle + 1;
        else
            high = middle;
    }
    return '?';
}

uint32_t text_glyph(const char **string) {
    uint32_t glyph = utf8_next(string);
    return utf8_is_hidden(glyph) ? UTF8_REPLACEMENT : glyph;
}

/* ---- writing cells ---- */

static void set_cell(struct cell *cell, uint32_t glyph) {
    cell->glyph = glyph;
    if (cell->marks[0])
        memset(cell->marks, 0, sizeof cell->marks);
}

/* A wide glyph that loses one half loses both. `column` is the cell's column in the grid. */
static void break_wide(const struct grid *grid, struct cell *cell, int column) {
    if (cell->glyph == 0 && column > 0)
        set_cell(cell - 1, ' ');
    if (column + 1 < grid->columns && cell[1].glyph == 0)
        set_cell(cell + 1, ' ');
}

/* Selectors and joiners change a glyph's look, and in some terminals its width. */
static bool is_drawn_mark(uint32_t mark) {
    return mark != 0x200c && mark != 0x200d && !(mark >= 0xfe00 && mark <= 0xfe0f) &&
           mark < 0xe0000;
}

/* Adds a mark to the glyph that ends before column x. */
static void add_mark(struct area area, int x, int y, uint32_t mark) {
    struct cell *cell = area_cell(area, x - 1, y);
    if (cell && cell->glyph == 0)
        cell = area_cell(area, x - 2, y);
    for (size_t i = 0; cell && is_drawn_mark(mark) && i < CELL_MARKS; i++)
        if (cell->marks[i] == 0) {
            cell->marks[i] = mark;
            return;
        }
}

/* Writes a glyph of one column that every grid draws unchanged; nearly all glyphs are like that. */
static inline void put_narrow(const struct area *area, int x, int y, uint32_t glyph,
                              struct style style) {
    struct cell *cell = area_cell(*area, x, y);
    if (!cell) {
        area->grid->failed_to_fit = true;
        return;
    }
    break_wide(area->grid, cell, area->x + x);
    set_cell(cell, glyph);
    cell->style = style;
}

int area_glyph(struct area area, int x, int y, uint32_t glyph, struct style style) {
    int columns = utf8_width(glyph);
    if (area.grid->ascii && glyph >= 0x80 && !(area.grid->letters && columns == 2)) {
        for (int i = 0; i < columns; i++)
            area_glyph(area, x + i, y, ascii_glyph(glyph), style);
        return x + columns;
    }
    if (columns == 0) {
        add_mark(area, x, y, glyph);
        return x;
    }
    if (columns == 2 && !(area_cell(area, x, y) && area_cell(area, x + 1, y))) {
        area.grid->failed_to_fit = true;
        return x + columns;
    }
    put_narrow(&area, x, y, glyph, style);
    if (columns == 2)
        put_narrow(&area, x + 1, y, 0, style);
    return x + columns;
}

int area_text(struct area area, int x, int y, const char *string, struct style style) {
    while (*string) {
        if (*string >= 0x20 && *string < 0x7f)
            put_narrow(&area, x++, y, (uint32_t)*string++, style);
        else
            x = area_glyph(area, x, y, text_glyph(&string), style);
    }
    return x;
}

int area_format(struct area area, int x, int y, struct style style, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    utf8_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    return area_text(area, x, y, text, style);
}

int area_text_clipped(struct area area, int x, int y, int columns, const char *string,
                      struct style style) {
    if (columns <= 0)
        return x;
    if (utf8_columns(string) <= columns)
        return area_text(area, x, y, string, style);
    int end = x + columns - 1;
    while (*string) {
        const char *next = string;
        uint32_t glyph = text_glyph(&next);
        if (x + utf8_width(glyph) > end)
            break;
        x = area_glyph(area, x, y, glyph, style);
        string = next;
    }
    return area_glyph(area, x, y, 0x2026, style);
}

/* Glyphs that never start a line: closing punctuation, Chinese and other; sorted. */
static const uint32_t closing[] = {
    '!',    '%',    ')',    ',',    '.',    ':',    ';',    '?',    ']',    '}',    0x00b7,
    0x2014, 0x2019, 0x201d, 0x2026, 0x3001, 0x3002, 0x3009, 0x300b, 0x300d, 0x300f, 0x3011,
    0x3015, 0xff01, 0xff05, 0xff09, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff1f, 0xff5d, 0xff5e};
/* Glyphs that never end a line. */
static const uint32_t opening[] = {'(',    '[',    '{',    0x2018, 0x201c, 0x3008, 0x300a,
                                   0x300c, 0x300e, 0x3010, 0x3014, 0xff08, 0xff5b};

static bool is_among(uint32_t glyph, const uint32_t *glyphs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (glyphs[i] == glyph)
            return true;
    return false;
}

bool glyphs_can_break(uint32_t before, uint32_t after) {
    if ((utf8_width(before) < 2 && utf8_width(after) < 2) || utf8_width(after) == 0)
        return false;
    return !is_among(after, closing, sizeof closing / sizeof *closing) &&
           !is_among(before, opening, sizeof opening / sizeof *opening);
}

/* The number of bytes of `string` that fit on a line of `columns`, broken where possible. */
size_t text_line(const char *string, int columns) {
    const char *at = string, *end = NULL;
    uint32_t before = ' ';
    int used = 0;
    while (*at && *at != '\n') {
        const char *next = at;
        uint32_t glyph = text_glyph(&next);
        used += utf8_width(glyph);
        if (glyph == ' ' || (before != ' ' && glyphs_can_break(before, glyph)))
            end = at;
        if (used > columns)
            return (size_t)((end ? end : at) - string);
        before = glyph;
        at = next;
    }
    return (size_t)(at - string);
}

int area_text_wrapped(struct area area, int y, int indent, const char *string, struct style style) {
    int x = 0;
    while (*string && y < area.rows && area.columns - x > 0) {
        size_t bytes = text_line(string, area.columns - x);
        bool last = y + 1 >= area.rows;
        if (bytes == 0 && *string != '\n')
            bytes = strlen(string); /* narrower than one wide glyph: clipped below */
        if (last) {
            area_text_clipped(area, x, y, area.columns - x, string, style);
            return y + 1;
        }
        char line[1024];
        utf8_format(line, sizeof line, "%.*s", (int)bytes, string);
        area_text_clipped(area, x, y++, area.columns - x, line, style);
        string += bytes;
        string += *string == ' ' || *string == '\n';
        x = indent;
    }
    return y;
}

int text_lines(const char *string, int columns, int indent) {
    int lines = 0, x = 0;
    while (*string && columns - x > 0) {
        size_t bytes = text_line(string, columns - x);
        if (bytes == 0 && *string != '\n')
            return lines + 1;
        string += bytes;
        string += *string == ' ' || *string == '\n';
        x = indent;
        lines++;
    }
    return lines;
}

void area_fill(struct area area, uint32_t glyph, struct style style) {
    for (int y = 0; y < area.rows; y++)
        for (int x = 0; x < area.columns; x++)
            area_glyph(area, x, y, glyph, style);
}

void area_flag(struct area area, int x, int y, int columns, int rows, uint8_t flags) {
    struct area part = area_within(area, x, y, columns, rows);
    for (int j = 0; j < part.rows; j++)
        for (int i = 0; i < part.columns; i++)
            area_cell(part, i, j)->style.flags |= flags;
}

void area_hit(struct area area, int x, int y, int columns, int rows, int action, int64_t argument) {
    struct area part = area_within(area, x, y, columns, rows);
    for (int j = 0; j < part.rows; j++)
        for (int i = 0; i < part.columns; i++)
            area_cell(part, i, j)->hit =
                (struct hit){.action = (uint8_t)action, .argument = argument};
}

/* ---- as text ---- */

void text_append_cell(struct text *text, const struct cell *cell) {
    if (cell->glyph == 0)
        return;
    text_append_utf8(text, utf8_is_hidden(cell->glyph) ? '?' : cell->glyph);
    for (size_t i = 0; i < CELL_MARKS && cell->marks[i]; i++)
        text_append_utf8(text, cell->marks[i]);
}

static char role_letter(struct style style) {
    static const char letters[STYLE_ROLE_COUNT] = {
        [STYLE_PLAIN] = ' ',     [STYLE_DIM] = 'd',    [STYLE_TITLE] = 't',    [STYLE_LABEL] = 'l',
        [STYLE_KEY] = 'k',       [STYLE_CODE] = 'c',   [STYLE_CODE_LIT] = 'e', [STYLE_OWN] = 'o',
        [STYLE_UNDEFINED] = 'u', [STYLE_ABSENT] = 'n', [STYLE_CHANGED] = 'h',  [STYLE_GOOD] = 'y',
        [STYLE_BAD] = 'b',       [STYLE_ACTIVE] = 'v', [STYLE_TERM] = 'm',     [STYLE_BLACK] = 'x',
    };
    if (style.role != STYLE_GROUP)
        return letters[style.role];
    return (char)(style.group < 26 ? 'A' + style.group : '0' + style.group - 26);
}

static char flag_letter(uint8_t flags) {
    return flags & STYLE_SELECTED    ? '^'
           : flags & STYLE_REVERSE   ? '#'
           : flags & STYLE_UNDERLINE ? '_'
           : flags & STYLE_BOLD      ? '*'
           : flags & STYLE_FAINT     ? '-'
                                     : ' ';
}

static void trim_line(struct text *text, size_t start) {
    while (text->length > start && text->data[text->length - 1] == ' ')
        text->data[--text->length] = '\0';
}

/* Appends one line of the grid. `kind` is 0 for its glyphs, 1 for its roles, 2 for its flags. */
static void append_line(struct text *text, const struct grid *grid, int y, int kind) {
    const struct cell *cells = grid->cells + (size_t)y * (size_t)grid->columns;
    size_t start = text->length;
    for (int x = 0; x < grid->columns; x++) {
        if (kind == 0)
            text_append_cell(text, &cells[x]);
        else
            text_append_char(text, kind == 1 ? role_letter(cells[x].style)
                                             : flag_letter(cells[x].style.flags));
    }
    trim_line(text, start);
}

char *grid_to_text(const struct grid *grid, bool styles) {
    static const char *const marks[] = {"|", ":", "^"};
    struct text text = TEXT_INIT;
    for (int y = 0; y < grid->rows; y++) {
        for (int kind = 0; kind < (styles ? 3 : 1); kind++) {
            size_t start = text.length;
            if (styles)
                text_append(&text, marks[kind]);
            size_t content = text.length;
            append_line(&text, grid, y, kind);
            /* Lines without any style are left out. */
            if (kind > 0 && text.length == content) {
                text.length = start;
                text.data[start] = '\0';
                continue;
            }
            text_append_char(&text, '\n');
        }
    }
    return text_detach(&text);
}
