#include "view/grid.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cell empty_cell = {' ', {STYLE_PLAIN, 0, 0}, {0, 0}};

/* ---- the grid ----------------------------------------------------------------------------------
 */

void grid_init(struct grid *grid, int columns, int rows, bool ascii) {
    memset(grid, 0, sizeof *grid);
    grid->ascii = ascii;
    grid->letters = strcmp(message_language(), "en") != 0;
    grid_resize(grid, columns, rows);
}

void grid_release(struct grid *grid) {
    free(grid->cells);
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

/* ---- glyphs ------------------------------------------------------------------------------------
 */

/* What stands for a glyph where only ASCII may be drawn. Sorted by code point. */
static const struct {
    uint32_t glyph;
    char ascii;
} stand_ins[] = {
    {0x00a0, ' '}, /* no-break space: a cursor */
    {0x00b7, '.'}, /* middle dot */
    {0x00d7, 'x'}, /* multiplication sign */
    {0x2013, '-'}, /* en dash */
    {0x2014, '-'}, /* em dash */
    {0x2018, 39},  /* quotation marks: left single */
    {0x2019, 39},  /* right single */
    {0x201c, '"'}, /* left double */
    {0x201d, '"'}, /* right double */
    {0x2022, '*'}, /* bullet */
    {0x2026, '~'}, /* ellipsis: something was shortened */
    {0x203a, '>'}, /* single right angle quotation mark */
    {0x2190, '<'}, /* arrows: left */
    {0x2191, '^'}, /* up */
    {0x2192, '>'}, /* right */
    {0x2193, 'v'}, /* down */
    {0x21ba, '='}, /* anticlockwise open circle arrow: the own value */
    {0x2260, '!'}, /* not equal */
    {0x2500, '-'}, /* box drawing: horizontal */
    {0x2501, '='}, /* heavy horizontal */
    {0x2502, '|'}, /* vertical */
    {0x2503, '|'}, /* heavy vertical */
    {0x250a, ':'}, /* dashed vertical */
    {0x250c, '+'}, {0x2510, '+'}, {0x2514, '+'}, {0x2518, '+'},                /* corners */
    {0x251c, '+'}, {0x2524, '+'}, {0x252c, '+'}, {0x2534, '+'}, {0x253c, '+'}, /* junctions */
    {0x2588, '#'},                                                             /* full block */
    {0x258c, '|'},                                                             /* left half block */
    {0x2591, ':'},                                                             /* light shade */
    {0x25a0, '#'},                                                             /* black square */
    {0x25a1, '_'},                                                             /* white square */
    {0x25b6, '>'}, /* black right-pointing triangle */
    {0x25b8, '>'}, /* small one */
    {0x25c6, '*'}, /* black diamond: changed */
    {0x25cb, 'o'}, /* white circle */
    {0x25cf, '*'}, /* black circle */
    {0x2713, '+'}, /* check mark */
    {0x2717, 'x'}, /* ballot x */
};

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

/* Ranges of code points that take two cells (East Asian wide and fullwidth, emoji), and none. */
struct range {
    uint32_t first, last;
};
static const struct range wide_ranges[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x23e9, 0x23ec},   {0x2e80, 0x303e},
    {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},
    {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},
    {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
    {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};
static const struct range zero_ranges[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a}, {0x064b, 0x065f},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x2064},
    {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
};

static bool in_ranges(uint32_t glyph, const struct range *ranges, size_t count) {
    for (size_t i = 0; i < count && ranges[i].first <= glyph; i++)
        if (glyph <= ranges[i].last)
            return true;
    return false;
}

int glyph_columns(uint32_t glyph) {
    if (glyph < 0x300)
        return 1;
    if (in_ranges(glyph, zero_ranges, sizeof zero_ranges / sizeof *zero_ranges))
        return 0;
    return in_ranges(glyph, wide_ranges, sizeof wide_ranges / sizeof *wide_ranges) ? 2 : 1;
}

/* What is no UTF-8, and control characters (a recording's text comes from elsewhere), become
 * U+FFFD. */
uint32_t text_glyph(const char **string) {
    const unsigned char *s = (const unsigned char *)*string;
    int length = *s < 0x80 ? 1 : (*s & 0xe0) == 0xc0 ? 2 : (*s & 0xf0) == 0xe0 ? 3 : 4;
    uint32_t glyph = length == 1 ? *s : *s & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            *string += i;
            return 0xfffd;
        }
        glyph = glyph << 6 | (s[i] & 0x3f);
    }
    *string += length;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool control = glyph < 0x20 || (glyph >= 0x7f && glyph < 0xa0);
    bool surrogate = glyph >= 0xd800 && glyph < 0xe000;
    if (control || surrogate || glyph < least[length] || glyph > 0x10ffff || *s >= 0xf8)
        return 0xfffd;
    return glyph;
}

int text_columns(const char *string) {
    int columns = 0;
    while (*string)
        columns += glyph_columns(text_glyph(&string));
    return columns;
}

/* ---- writing cells -----------------------------------------------------------------------------
 */

static struct cell *area_cell(struct area area, int x, int y) {
    if (x < 0 || y < 0 || x >= area.columns || y >= area.rows)
        return NULL;
    return &area.grid
                ->cells[(size_t)(area.y + y) * (size_t)area.grid->columns + (size_t)(area.x + x)];
}

/* A wide glyph that loses one half loses both: the other must not keep half a glyph. */
static void break_wide(struct area area, struct cell *cell) {
    size_t index = (size_t)(cell - area.grid->cells), columns = (size_t)area.grid->columns;
    if (cell->glyph == 0 && index % columns > 0)
        cell[-1].glyph = ' ';
    if ((index + 1) % columns > 0 && cell[1].glyph == 0)
        cell[1].glyph = ' ';
}

int area_glyph(struct area area, int x, int y, uint32_t glyph, struct style style) {
    int columns = glyph_columns(glyph);
    if (area.grid->ascii && glyph >= 0x80 && !(area.grid->letters && columns == 2)) {
        for (int i = 0; i < columns; i++)
            area_glyph(area, x + i, y, ascii_glyph(glyph), style);
        return x + columns;
    }
    if (columns == 0)
        return x;
    struct cell *cell = area_cell(area, x, y);
    struct cell *right = columns == 2 ? area_cell(area, x + 1, y) : cell;
    if (!cell || !right) {
        area.grid->failed_to_fit = true;
        return x + columns;
    }
    break_wide(area, cell);
    cell->glyph = glyph;
    cell->style = style;
    if (columns == 2) {
        break_wide(area, right);
        right->glyph = 0;
        right->style = style;
    }
    return x + columns;
}

int area_text(struct area area, int x, int y, const char *string, struct style style) {
    while (*string)
        x = area_glyph(area, x, y, text_glyph(&string), style);
    return x;
}

int area_format(struct area area, int x, int y, struct style style, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return area_text(area, x, y, text, style);
}

int area_text_clipped(struct area area, int x, int y, int columns, const char *string,
                      struct style style) {
    if (columns <= 0)
        return x;
    if (text_columns(string) <= columns)
        return area_text(area, x, y, string, style);
    int end = x + columns - 1;
    while (*string) {
        const char *next = string;
        uint32_t glyph = text_glyph(&next);
        if (x + glyph_columns(glyph) > end)
            break;
        x = area_glyph(area, x, y, glyph, style);
        string = next;
    }
    return area_glyph(area, x, y, 0x2026, style);
}

/* What begins no line: closing punctuation, Chinese and other; sorted. */
static const uint32_t closing[] = {
    '!',    '%',    ')',    ',',    '.',    ':',    ';',    '?',    ']',    '}',    0x00b7,
    0x2014, 0x2019, 0x201d, 0x2026, 0x3001, 0x3002, 0x3009, 0x300b, 0x300d, 0x300f, 0x3011,
    0x3015, 0xff01, 0xff05, 0xff09, 0xff0c, 0xff0e, 0xff1a, 0xff1b, 0xff1f, 0xff5d, 0xff5e};
/* What ends no line. */
static const uint32_t opening[] = {'(',    '[',    '{',    0x2018, 0x201c, 0x3008, 0x300a,
                                   0x300c, 0x300e, 0x3010, 0x3014, 0xff08, 0xff5b};

static bool is_among(uint32_t glyph, const uint32_t *glyphs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (glyphs[i] == glyph)
            return true;
    return false;
}

bool glyphs_part(uint32_t before, uint32_t after) {
    if (glyph_columns(before) < 2 && glyph_columns(after) < 2)
        return false;
    return !is_among(after, closing, sizeof closing / sizeof *closing) &&
           !is_among(before, opening, sizeof opening / sizeof *opening);
}

/* How many bytes of `string` stand on a line of `columns`, broken where it may be. */
size_t text_line(const char *string, int columns) {
    const char *at = string, *end = NULL;
    uint32_t before = ' ';
    int used = 0;
    while (*at && *at != '\n') {
        const char *next = at;
        uint32_t glyph = text_glyph(&next);
        used += glyph_columns(glyph);
        if (glyph == ' ' || (before != ' ' && glyphs_part(before, glyph)))
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
        snprintf(line, sizeof line, "%.*s", (int)(bytes < sizeof line ? bytes : sizeof line - 1),
                 string);
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
            area_cell(part, i, j)->hit = (struct hit){(uint8_t)action, argument};
}

/* ---- as text -----------------------------------------------------------------------------------
 */

static void append_glyph(struct text *text, uint32_t glyph) {
    char bytes[4];
    size_t count = 0;
    if (glyph == 0)
        return;
    if (glyph < 0x80) {
        bytes[count++] = (char)glyph;
    } else if (glyph < 0x800) {
        bytes[count++] = (char)(0xc0 | glyph >> 6);
        bytes[count++] = (char)(0x80 | (glyph & 0x3f));
    } else if (glyph < 0x10000) {
        bytes[count++] = (char)(0xe0 | glyph >> 12);
        bytes[count++] = (char)(0x80 | (glyph >> 6 & 0x3f));
        bytes[count++] = (char)(0x80 | (glyph & 0x3f));
    } else {
        bytes[count++] = (char)(0xf0 | glyph >> 18);
        bytes[count++] = (char)(0x80 | (glyph >> 12 & 0x3f));
        bytes[count++] = (char)(0x80 | (glyph >> 6 & 0x3f));
        bytes[count++] = (char)(0x80 | (glyph & 0x3f));
    }
    text_append_bytes(text, bytes, count);
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

/* One line of the grid: 0 its glyphs, 1 its roles, 2 its flags. */
static void append_line(struct text *text, const struct grid *grid, int y, int kind) {
    const struct cell *cells = grid->cells + (size_t)y * (size_t)grid->columns;
    size_t start = text->length;
    for (int x = 0; x < grid->columns; x++) {
        if (kind == 0)
            append_glyph(text, cells[x].glyph);
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
            /* Lines that mark nothing are left out. */
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
