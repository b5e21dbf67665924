/*
 * grid.h - a screen as a value: cells with a glyph and a meaning.
 *
 * Views write cells with a meaning (a style), never with a colour; painters in term/ turn styles
 * into colours, attributes or nothing. So the same grid is shown by ncurses, printed as text,
 * compared in tests and exported.
 */
#ifndef SHFLVIZ_VIEW_GRID_H
#define SHFLVIZ_VIEW_GRID_H

#include "base/text/utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The meaning of a cell. The numbers index the palettes of term/palette.c. */
enum style_role {
    STYLE_PLAIN,
    STYLE_DIM,       /* frame parts: rules, units, labels that need not be read */
    STYLE_TITLE,     /* the object that is shown */
    STYLE_LABEL,     /* column headings */
    STYLE_KEY,       /* a key to press */
    STYLE_CODE,      /* source text */
    STYLE_CODE_LIT,  /* the current line, the call */
    STYLE_GROUP,     /* belongs to a group of lanes: see style.group */
    STYLE_OWN,       /* out of range: its own value */
    STYLE_UNDEFINED, /* undefined */
    STYLE_ABSENT,    /* takes no part */
    STYLE_CHANGED,   /* a value that this operation changed */
    STYLE_GOOD,      /* a right answer */
    STYLE_BAD,       /* a wrong answer, a finding, an error */
    STYLE_ACTIVE,    /* the current phase, tab, step */
    STYLE_TERM,      /* a technical name in a sentence: laneMask */
    STYLE_BLACK,     /* black, whatever colours the terminal has */
    STYLE_ROLE_COUNT
};

#define STYLE_BOLD      0x01u
#define STYLE_SELECTED  0x02u /* the selected lane: drawn on its own background */
#define STYLE_UNDERLINE 0x04u
#define STYLE_REVERSE   0x08u
#define STYLE_FAINT     0x10u /* drawn in its role, but not in focus */
#define STYLE_CENTERED  0x20u /* on paper: the last cell marks the middle of the row's text */

struct style {
    uint8_t role;  /* enum style_role */
    uint8_t group; /* STYLE_GROUP: 0..31 */
    uint8_t flags; /* STYLE_BOLD ... */
};

/* The action of a click on a cell. Packed: thousands of cells are cleared for each frame. */
struct hit {
    uint64_t action : 8;   /* enum action of replay/keys/action.h; 0 for nothing */
    int64_t argument : 56; /* a lane, a beat, a step: far below 2^55 */
};

#define CELL_MARKS 2
struct cell {
    uint32_t glyph; /* Unicode code point; 0 in the right half of a wide one; ' ' when empty */
    uint32_t marks[CELL_MARKS]; /* combining marks: accents, vowel signs; 0 after the last */
    struct style style;
    struct hit hit;
};

/* A wire from the top of one row of cells to the bottom of another, in the middle of its
 * columns. */
struct stroke {
    int16_t x0, y0, x1, y1; /* cells; it ends at the upper edge of row y1 */
    struct style style;
    uint8_t period, on; /* `on` dots of every `period`; 0 for all */
    bool on_top;        /* no other stroke may hide it */
};

struct grid {
    int columns, rows;
    struct cell *cells; /* rows * columns, row by row */
    bool vector; /* for paper: wires are kept as strokes instead of being drawn with glyphs */
    struct stroke *strokes;
    size_t stroke_count, stroke_room;
    bool ascii;   /* nothing beyond ASCII may be drawn, */
    bool letters; /* except the wide letters of the language in use, which the terminal shows */
    bool failed_to_fit; /* something was cut at an edge: a layout defect, which tests look for */
};

void grid_init(struct grid *grid, int columns, int rows, bool ascii);
void grid_release(struct grid *grid);
void grid_resize(struct grid *grid, int columns, int rows); /* contents are lost */
void grid_clear(struct grid *grid);
/* Adds a stroke to a grid that keeps strokes. */
void grid_stroke(struct grid *grid, const struct stroke *stroke);

/* A rectangle of a grid that a view draws into; positions are relative to it, and anything outside
 * is not drawn. */
struct area {
    struct grid *grid;
    int x, y, columns, rows;
};
struct area grid_area(struct grid *grid);
struct area area_within(struct area area, int x, int y, int columns, int rows);

/* The cell at a position, or NULL outside. */
static inline struct cell *area_cell(struct area area, int x, int y) {
    const struct grid *grid = area.grid;
    if (x < 0 || y < 0 || x >= area.columns || y >= area.rows)
        return NULL;
    return &grid->cells[(size_t)(area.y + y) * (size_t)grid->columns + (size_t)(area.x + x)];
}

/* Each returns the column after the last one written. `string` is UTF-8; wide characters take two
 * cells, combining marks go into the previous cell, joiners and variation selectors are left out.
 * In an ASCII grid a glyph beyond ASCII is replaced (grid.c), by '?' if there is no better one. */
int area_glyph(struct area area, int x, int y, uint32_t glyph, struct style style);
int area_text(struct area area, int x, int y, const char *string, struct style style);
int area_format(struct area area, int x, int y, struct style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Like area_text(), in at most `columns` cells: a longer text ends in a visible "…". */
int area_text_clipped(struct area area, int x, int y, int columns, const char *string,
                      struct style style);
/* Wraps the text over as many lines as needed, from line y on. Lines break at blanks and between
 * Chinese characters (glyphs_can_break() below); those after the first are indented. Text that does
 * not fit the area ends in "…". Returns the line after the last. */
int area_text_wrapped(struct area area, int y, int indent, const char *string, struct style style);
void area_fill(struct area area, uint32_t glyph, struct style style);
/* Add flags to the style of every cell in a rectangle; make all its cells clickable. */
void area_flag(struct area area, int x, int y, int columns, int rows, uint8_t flags);
void area_hit(struct area area, int x, int y, int columns, int rows, int action, int64_t argument);

/* The lines that a UTF-8 string takes when wrapped by area_text_wrapped(). */
int text_lines(const char *string, int columns, int indent);
/* The bytes of the first of these lines; a blank after it belongs to no line. */
size_t text_line(const char *string, int columns);

/* The next character of a UTF-8 string as it is drawn, advancing *string: U+FFFD for a bad
 * sequence and for a character that must not reach a terminal. */
uint32_t text_glyph(const char **string);
/* Appends a cell's content as UTF-8: nothing for the right half of a wide glyph, '?' for a glyph
 * that must not reach a terminal. */
struct text;
void text_append_cell(struct text *text, const struct cell *cell);
/* True if a line may break between the two glyphs, neither of which is a blank: beside a wide one,
 * but not before closing punctuation nor after an opening bracket. */
bool glyphs_can_break(uint32_t before, uint32_t after);

/*
 * The grid as lines of UTF-8 text without trailing blanks; the caller frees. With `styles`, for
 * tests, a line begins with '|' and may be followed by one that begins with ':' and gives the role
 * of each cell, and one that begins with '^' and gives its flags:
 *  - roles: blank plain, d dim, t title, l label, k key, c code, e code lit, o own, u undefined,
 *    n absent, h changed, y good, b bad, v active, m term, x black; A..Z the groups 0..25, 0..5
 *    the groups 26..31
 *  - flags: ^ selected, else # reverse, else _ underline, else * bold, else - faint
 */
char *grid_to_text(const struct grid *grid, bool styles);

#endif
