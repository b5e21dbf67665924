/*
 * painter.h - a grid of cells as bytes: plain text or ANSI escape sequences.
 *
 * Knows about colours, but not about warps. The ncurses front end (screen.h) uses the same
 * palettes.
 */
#ifndef SHFLVIZ_TERM_PAINTER_H
#define SHFLVIZ_TERM_PAINTER_H

#include "base/text.h"
#include "term/palette.h"
#include "view/grid.h"

/*
 * Appends the grid line by line as UTF-8, each line with a newline at its end. Trailing blanks are
 * left out unless they are visible (a background, reversed, underlined). Escape sequences are
 * "select graphic rendition" only (ECMA-48 8.3.117; 38;5 and 38;2 from ISO 8613-6); a line ends
 * with everything reset, so that lines may be cut apart. Nothing else is sent: no cursor, no
 * erasing.
 */
void paint_ansi_palette(struct text *text, const struct grid *grid, const struct palette *palette);

/* Writes the same to a file. */
void paint_to(FILE *out, const struct grid *grid, const struct palette *palette);

/* The same for a terminal whose background is not known. */
void paint_ansi(struct text *text, const struct grid *grid, enum color_depth depth);

#endif
