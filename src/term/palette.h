/*
 * palette.h - the colour of each style: one table for every painter.
 *
 * A style is the meaning of a cell (view/grid.h); a palette turns it into a foreground, a
 * background and attributes that a terminal of some colour depth can show. Colour never carries a
 * meaning alone (groups have letters; own, undefined and absent have signs), so that with a
 * palette of depth COLOR_NONE only comfort is lost.
 *
 * The colours are safe for colour-blind users and readable: tests/term/test_palette.c simulates
 * protanopia, deuteranopia and tritanopia and measures WCAG contrast for every table.
 */
#ifndef SHFLVIZ_TERM_PALETTE_H
#define SHFLVIZ_TERM_PALETTE_H

#include "view/grid.h"

#include <stdint.h>

enum color_depth {
    COLOR_NONE = 0, /* attributes only: bold, underline, reverse */
    COLOR_8 = 8,
    COLOR_16 = 16,
    COLOR_256 = 256,
    COLOR_TRUE = 1 << 24,
    COLOR_PLAIN = -1, /* no escape sequence at all */
};

/*
 * The terminal's capabilities, from the environment:
 *  - NO_COLOR set and not empty: COLOR_NONE (https://no-color.org);
 *  - TERM not set, empty or "dumb": COLOR_PLAIN;
 *  - COLORTERM "truecolor" or "24bit", or a TERM that ends in "-direct": COLOR_TRUE;
 *  - TERM with "256color": COLOR_256, with "16color": COLOR_16; a terminal known to have no
 *    colours (vt100 and its kin, a name that ends in "-m" or "-mono"): COLOR_NONE; else COLOR_8.
 * COLOR_PLAIN wins over NO_COLOR, which wins over the rest.
 */
enum color_depth color_depth_detect(void);

/* The terminal's own background, which is never repainted as a whole. */
enum palette_background {
    BACKGROUND_UNKNOWN, /* text colours are readable on black and on white: contrast at least 4.5 */
    BACKGROUND_DARK,    /* brighter colours: contrast on black at least 4.5 */
    BACKGROUND_LIGHT,   /* deeper colours: contrast on white at least 4.5 */
};

/* From COLORFGBG ("15;0", "0;default;15"), which rxvt, Konsole and others set: its last number is
 * the colour of the background; 7 and 9 to 15 are light. BACKGROUND_UNKNOWN if it is not set. */
enum palette_background palette_background_detect(void);

/* A terminal's answer to the request for its background (xterm control sequences, "OSC 11"),
 * without "ESC ]" and the terminator: "11;rgb:1a1a/1b1b/1c1c", with one to four hexadecimal
 * digits per channel, or "11;rgba:..." with a fourth. BACKGROUND_UNKNOWN for anything else. */
enum palette_background palette_background_parse(const char *reply);

struct palette {
    enum color_depth depth;
    enum palette_background background;
};

#define PAINT_DEFAULT   (-1) /* the terminal's own colour */
#define PAINT_BOLD      0x01u
#define PAINT_DIM       0x02u
#define PAINT_UNDERLINE 0x04u
#define PAINT_REVERSE   0x08u

struct paint {
    /* COLOR_TRUE: 0xRRGGBB. COLOR_256, COLOR_16, COLOR_8: an index below the depth. Always
     * PAINT_DEFAULT at depth COLOR_NONE and COLOR_PLAIN, which has no attributes either. */
    int32_t foreground, background;
    unsigned attributes; /* PAINT_BOLD ... */
};

/* Further groups reuse the colours of the first ones. */
#define PALETTE_GROUPS 8

struct paint palette_paint(const struct palette *palette, struct style style);

#endif
