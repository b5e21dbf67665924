/*
 * painter.h - a grid of cells as bytes: plain text or ANSI escape sequences.
 *
 * Knows colours and nothing of warps. The ncurses front end (screen.h) uses the same palettes.
 */
#ifndef SHFLVIZ_TERM_PAINTER_H
#define SHFLVIZ_TERM_PAINTER_H

#include "base/text.h"
#include "view/grid.h"

enum color_depth {
    COLOR_NONE = 0, /* attributes only: bold, underline, reverse */
    COLOR_8 = 8,
    COLOR_16 = 16,
    COLOR_256 = 256,
    COLOR_TRUE = 1 << 24,
    COLOR_PLAIN = -1, /* no escape sequence at all */
};

/* What the environment says a terminal can do: NO_COLOR, COLORTERM, TERM. */
enum color_depth color_depth_detect(void);

/* Appends the grid line by line, trailing blanks left out, each line ended by a newline. */
void paint_ansi(struct text *text, const struct grid *grid, enum color_depth depth);

#endif
