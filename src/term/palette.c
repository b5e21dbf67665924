/*
 * A table of shades for each colour depth and background, and the rules that combine them for a
 * style's role and flags. Each table is chosen by hand, because how colours look together cannot be
 * computed.
 */
#include "term/palette.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The colours of one depth and background: of the groups, and of everything else. */
enum hue { HUE_PLAIN, HUE_DIM, HUE_KEY, HUE_OWN, HUE_UNDEFINED, HUE_GOOD, HUE_BAD, HUES };

struct shades {
    int32_t group[PALETTE_GROUPS];
    int32_t hue[HUES];
    /* With 256 colours: the groups' faint forms. Mixed colours have none. */
    int32_t faint[PALETTE_GROUPS];
    int32_t
        band; /* the band behind the selected lane and the current line; PAINT_DEFAULT: reversed */
    int32_t band_plain;      /* ordinary text on the band */
    int32_t chip, chip_text; /* the current phase or tab */
};

enum { PLAIN = PAINT_DEFAULT };

/* clang-format off */
/*
 * The hues start from two sets made for colour-blind readers, Okabe and Ito's (M. Okabe, K. Ito,
 * "Color Universal Design", 2008: orange E69F00, sky blue 56B4E9, bluish green 009E73, blue 0072B2,
 * vermillion D55E00, reddish purple CC79A7) and Paul Tol's qualitative "bright" and "muted" schemes
 * (SRON/EPS/TN/09-002: indigo, olive, wine). Neither is made for text, so each colour was moved in
 * lightness and a little in hue until the set is readable on its background, neighbouring groups
 * differ in lightness, and every pair stays apart under simulated dichromacy; the figures are in
 * the tests.
 *
 * On an unknown background, a colour has to be readable on black and on white, at 4.5 to 1:
 * its luminance is between 0.175 and 0.183, so groups differ in hue alone. Of the cube's colours
 * only 29, 63, 98, 131, 163 and the grey 243 qualify, enough for four groups; a lane's own value
 * has the terminal's colour.
 *
 * Group order: blue, orange, violet, green, ... so that the two to four groups of widths 16 and 8
 * get the clearest pairs.
 */
static const struct shades true_unknown = {
    {0x096bff, 0xcf4a00, 0xbd06f9, 0x3f8072, 0xa55a9c, 0x7269c9, 0x757954, 0xc05530},
    {PLAIN, 0x767676, 0x0c7bc3, 0x9f6c00, 0xc337bb, 0x068739, 0xc64e33},
    {0},
    0x1f3f66, 0xffffff, 0x0a64a8, 0xffffff};
static const struct shades true_dark = {
    {0x9ee7ff, 0xd97f36, 0x2affcd, 0x898cff, 0xfdb202, 0x2aa1c7, 0xf1ea88, 0xff607f},
    {PLAIN, 0x9a9a9a, 0x6cc1f5, 0xf6e05a, 0xfc6ef1, 0x83ffa4, 0xff7a3d},
    {0},
    0x1f3f66, 0xffffff, 0x6cc1f5, 0x06182a};
static const struct shades true_light = {
    {0x0066f4, 0x8e0b03, 0x227f8c, 0x1b1bb9, 0x9a6a00, 0x7a004c, 0x3753a5, 0x6a2e2b},
    {PLAIN, 0x6c6c6c, 0x0a5a9c, 0x8a6f45, 0x70015e, 0x0c4127, 0xa85f08},
    {0},
    0xd7e3ff, 0x000000, 0x0a5a9c, 0xffffff};

/* The same, chosen again within xterm's 6x6x6 cube: rounding the colours above would spoil them. */
static const struct shades index_unknown = {
    {63, 131, 98, 29, 63, 131, 98, 29},
    {PLAIN, 243, 63, PLAIN, 163, 29, 131},
    {243, 243, 243, 243, 243, 243, 243, 243}, 238, 231, 25, 231};
static const struct shades index_dark = {
    {159, 172, 49, 141, 220, 74, 192, 203},
    {PLAIN, 247, 117, 220, 206, 122, 209},
    {73, 137, 72, 103, 143, 67, 108, 131}, 238, 231, 117, 16};
static const struct shades index_light = {
    {27, 88, 23, 19, 130, 54, 97, 53},
    {PLAIN, 242, 25, 130, 126, 23, 124},
    {61, 95, 59, 60, 94, 96, 62, 95}, 189, 16, 25, 231};
/* The colours on the band, where nothing recedes. */
static const struct shades index_band_dark = {
    {159, 215, 49, 183, 220, 117, 192, 217},
    {PLAIN, 251, 117, 220, 213, 122, 216},
    {251, 251, 251, 251, 251, 251, 251, 251}, 238, 231, 117, 16};
static const struct shades index_band_light = {
    {20, 88, 23, 19, 58, 54, 91, 53},
    {PLAIN, 240, 25, 58, 126, 23, 124},
    {240, 240, 240, 240, 240, 240, 240, 240}, 189, 16, 25, 231};

/* The user may have redefined the first 16 colours: their look is not known, but usually blue
 * is hardly visible on black, as are cyan, green and yellow on white. So only neighbouring groups
 * are kept apart, and the band and the chip are reversed text. No group has the colour of an own
 * value or that of an undefined one. */
enum { RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, BRIGHT = 8 };

/* Magenta is readable on both black and white, and red nearly so; everything else has the
 * terminal's own colour. */
static const struct shades few_unknown = {
    {PLAIN, MAGENTA, PLAIN, MAGENTA, PLAIN, MAGENTA, PLAIN, MAGENTA},
    {PLAIN, PLAIN, MAGENTA, PLAIN, RED, PLAIN, RED}, {0}, PLAIN, PLAIN, PLAIN, PLAIN};
static const struct shades sixteen_dark = {
    {BRIGHT + CYAN, BRIGHT + MAGENTA, BRIGHT + GREEN, BRIGHT + WHITE, BRIGHT + BLUE, CYAN, MAGENTA,
     GREEN},
    {PLAIN, WHITE, BRIGHT + CYAN, BRIGHT + YELLOW, BRIGHT + RED, BRIGHT + GREEN, BRIGHT + RED},
    {0}, PLAIN, PLAIN, PLAIN, PLAIN};
static const struct shades eight_light = {
    {BLUE, MAGENTA, BLUE, MAGENTA, BLUE, MAGENTA, BLUE, MAGENTA},
    {PLAIN, PLAIN, BLUE, PLAIN, RED, BLUE, RED}, {0}, PLAIN, PLAIN, PLAIN, PLAIN};
static const struct shades eight_dark = {
    {CYAN, MAGENTA, GREEN, PLAIN, CYAN, MAGENTA, GREEN, PLAIN},
    {PLAIN, PLAIN, CYAN, YELLOW, RED, GREEN, RED}, {0}, PLAIN, PLAIN, PLAIN, PLAIN};
static const struct shades none = {
    {PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN},
    {PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN}, {0}, PLAIN, PLAIN, PLAIN, PLAIN};
/* clang-format on */

static const struct shades *shades_for(enum color_depth depth, enum palette_background background) {
    static const struct shades *const true_shades[] = {&true_unknown, &true_dark, &true_light};
    static const struct shades *const index_shades[] = {&index_unknown, &index_dark, &index_light};

    switch (depth) {
    case COLOR_TRUE:
        return true_shades[background];
    case COLOR_256:
        return index_shades[background];
    case COLOR_16:
        return background == BACKGROUND_DARK    ? &sixteen_dark
               : background == BACKGROUND_LIGHT ? &eight_light
                                                : &few_unknown;
    case COLOR_8:
        return background == BACKGROUND_DARK    ? &eight_dark
               : background == BACKGROUND_LIGHT ? &eight_light
                                                : &few_unknown;
    default:
        return &none;
    }
}

/* The hue of a role, and its attributes with greys, with eight colours, and with neither. */
static const struct {
    enum hue hue;
    unsigned greys, colors, neither;
} roles[STYLE_ROLE_COUNT] = {
    [STYLE_TITLE] = {HUE_PLAIN, PAINT_BOLD, PAINT_BOLD, PAINT_BOLD},
    [STYLE_KEY] = {HUE_KEY, PAINT_BOLD, PAINT_BOLD, PAINT_BOLD},
    [STYLE_CODE_LIT] = {HUE_PLAIN, PAINT_BOLD, PAINT_BOLD, PAINT_BOLD},
    [STYLE_OWN] = {HUE_OWN, 0, 0, 0},
    [STYLE_UNDEFINED] = {HUE_UNDEFINED, PAINT_BOLD, PAINT_BOLD, PAINT_BOLD},
    [STYLE_CHANGED] = {HUE_PLAIN, PAINT_BOLD, PAINT_BOLD, PAINT_BOLD},
    [STYLE_GOOD] = {HUE_GOOD, PAINT_BOLD, PAINT_BOLD, PAINT_BOLD},
    [STYLE_BAD] = {HUE_BAD, PAINT_BOLD, PAINT_BOLD, PAINT_BOLD},
    [STYLE_ACTIVE] = {HUE_PLAIN, PAINT_BOLD, PAINT_BOLD, PAINT_BOLD},
    [STYLE_LABEL] = {HUE_DIM, PAINT_BOLD, PAINT_UNDERLINE, PAINT_UNDERLINE},
    [STYLE_TERM] = {HUE_KEY, 0, 0, PAINT_UNDERLINE},
    [STYLE_DIM] = {HUE_DIM, 0, PAINT_DIM, PAINT_DIM},
    [STYLE_ABSENT] = {HUE_DIM, 0, PAINT_DIM, PAINT_DIM},
};

static unsigned role_attributes(enum style_role role, enum color_depth depth) {
    return depth >= COLOR_16  ? roles[role].greys
           : depth >= COLOR_8 ? roles[role].colors
                              : roles[role].neither;
}

static int32_t role_foreground(const struct shades *shades, struct style style) {
    return style.role == STYLE_GROUP ? shades->group[style.group % PALETTE_GROUPS]
                                     : shades->hue[roles[style.role].hue];
}

/* The root mean square: close enough to mixing light that a mixture of two readable
 * colours is readable, too. Takes `of` parts of the first colour and one of the other. */
static int32_t mix(int32_t color, int32_t other, int of) {
    int32_t mixed = 0;

    for (int shift = 0; shift < 24; shift += 8) {
        const int32_t a = (color >> shift) & 0xff, b = (other >> shift) & 0xff;
        const int32_t square = (a * a * of + b * b) / (of + 1);
        int32_t root = 0;
        while ((2 * root + 1) * (2 * root + 1) <= 4 * square) /* to the nearest */
            root++;
        mixed |= root << shift;
    }
    return mixed;
}

/* Makes a paint look out of focus: towards grey if exact colours are available, with a nearby
 * colour if there are many, else with the terminal's dim attribute. */
static void make_faint(struct paint *paint, const struct shades *shades, enum color_depth depth,
                       struct style style) {
    paint->attributes &= ~PAINT_BOLD;
    if (depth == COLOR_256)
        paint->foreground = style.role == STYLE_GROUP ? shades->faint[style.group % PALETTE_GROUPS]
                                                      : shades->hue[HUE_DIM];
    else if (depth != COLOR_TRUE)
        paint->attributes |= PAINT_DIM;
    else if (paint->foreground == PAINT_DEFAULT)
        paint->foreground = shades->hue[HUE_DIM];
    else
        paint->foreground = mix(paint->foreground, shades->hue[HUE_DIM], 1);
}

/* The table of colours that are readable on the band, which is dark unless the terminal is
 * light. */
static const struct shades *band_shades(const struct palette *palette) {
    const bool light = palette->background == BACKGROUND_LIGHT;
    if (palette->depth == COLOR_256)
        return light ? &index_band_light : &index_band_dark;
    return shades_for(palette->depth, light ? BACKGROUND_LIGHT : BACKGROUND_DARK);
}

/* Moves a paint to the band; exact colours are mixed with the band's text colour. */
static void put_on_band(struct paint *paint, const struct shades *shades, enum color_depth depth) {
    paint->background = shades->band;
    if (paint->foreground == PAINT_DEFAULT)
        paint->foreground = shades->band_plain;
    else if (depth == COLOR_TRUE)
        paint->foreground = mix(paint->foreground, shades->band_plain, 3);
}

/* Black on black; without colours the cell must be blank. */
static struct paint black(enum color_depth depth) {
    const int32_t color = depth == COLOR_256 ? 16 : depth >= COLOR_8 ? 0 : PAINT_DEFAULT;

    return (struct paint){color, color, 0};
}

struct paint palette_paint(const struct palette *palette, struct style style) {
    const struct shades *shades = shades_for(palette->depth, palette->background);
    const bool has_band = shades->band != PAINT_DEFAULT;
    const bool on_band = (style.flags & STYLE_SELECTED) || (style.role == STYLE_CODE_LIT);
    struct paint paint = {PAINT_DEFAULT, PAINT_DEFAULT, 0};

    if (palette->depth == COLOR_PLAIN)
        return paint;
    if (style.role == STYLE_BLACK)
        return black(palette->depth);
    if (on_band && has_band)
        shades = band_shades(palette);

    paint.foreground = role_foreground(shades, style);
    paint.attributes = role_attributes(style.role, palette->depth);
    if (style.role == STYLE_OWN && !has_band && paint.foreground == PAINT_DEFAULT &&
        palette->depth >= COLOR_8)
        paint.attributes |= PAINT_UNDERLINE; /* a group may also have the terminal's own colour */
    if (style.flags & STYLE_FAINT)
        make_faint(&paint, shades, palette->depth, style);
    if (style.flags & STYLE_BOLD)
        paint.attributes |= PAINT_BOLD;
    if (style.flags & STYLE_UNDERLINE)
        paint.attributes |= PAINT_UNDERLINE;
    if (style.flags & STYLE_REVERSE)
        paint.attributes |= PAINT_REVERSE;

    if (style.role == STYLE_ACTIVE && has_band) {
        paint.foreground = shades->chip_text;
        paint.background = shades->chip;
    } else if (style.role == STYLE_ACTIVE) {
        paint.attributes |= PAINT_REVERSE;
    } else if (on_band && has_band) {
        put_on_band(&paint, shades, palette->depth);
    } else if (style.flags & STYLE_SELECTED) {
        paint.attributes |= PAINT_REVERSE;
    }
    return paint;
}

static bool starts_with(const char *string, const char *start) {
    return strncmp(string, start, strlen(start)) == 0;
}

static bool is_set(const char *name) {
    const char *value = getenv(name);

    return value && *value;
}

/* Terminals whose names do not show true colour. They also set COLORTERM, but ssh does not forward
 * it. */
static bool has_256_colors(const char *term) {
    static const char *const names[] = {"alacritty", "foot",    "xterm-kitty", "xterm-ghostty",
                                        "wezterm",   "contour", "konsole"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (starts_with(term, names[i]))
            return true;
    return false;
}

enum color_depth color_depth_detect(void) {
    const char *term = getenv("TERM");
    const char *colorterm = getenv("COLORTERM");

    if (!term || !*term || strcmp(term, "dumb") == 0)
        return COLOR_PLAIN;
    if (is_set("NO_COLOR"))
        return COLOR_NONE;
    if (colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0))
        return COLOR_TRUE;
    if (string_ends_with(term, "-direct"))
        return COLOR_TRUE;
    if (strstr(term, "256color") || has_256_colors(term))
        return COLOR_256;
    if (strstr(term, "16color"))
        return COLOR_16;
    if (starts_with(term, "vt1") || starts_with(term, "vt2") || starts_with(term, "vt5") ||
        string_ends_with(term, "-m") || string_ends_with(term, "-mono"))
        return COLOR_NONE;
    return COLOR_8;
}

enum palette_background palette_background_detect(void) {
    const char *value = getenv("COLORFGBG"), *term = getenv("TERM");
    const char *last = value ? strrchr(value, ';') : NULL;
    char *end;
    long color;

    if (!last) /* the Linux console is black, and does not answer the query */
        return term && starts_with(term, "linux") ? BACKGROUND_DARK : BACKGROUND_UNKNOWN;
    color = strtol(last + 1, &end, 10);
    if (end == last + 1 || *end || color < 0 || color > 15)
        return BACKGROUND_UNKNOWN;
    return color == 7 || color >= 9 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}

/* "1a1a" as a fraction of "ffff", with any number of digits; advances *text. False if there are
 * none. */
static bool parse_channel(const char **text, double *fraction) {
    char *end;
    const unsigned long value = strtoul(*text, &end, 16);
    const long digits = end - *text;

    if (digits < 1 || digits > 4 || **text == '-' || **text == '+' || **text == ' ')
        return false;
    *fraction = (double)value / (double)((1ul << 4 * digits) - 1);
    *text = end;
    return true;
}

enum palette_background palette_background_parse(const char *reply) {
    double red, green, blue;

    if (starts_with(reply, "11;rgb:"))
        reply += strlen("11;rgb:");
    else if (starts_with(reply, "11;rgba:"))
        reply += strlen("11;rgba:");
    else
        return BACKGROUND_UNKNOWN;
    if (!parse_channel(&reply, &red) || *reply++ != '/' || !parse_channel(&reply, &green) ||
        *reply++ != '/' || !parse_channel(&reply, &blue))
        return BACKGROUND_UNKNOWN;
    /* Luma with the weights of ITU-R BT.601, without gamma: enough to distinguish light from
     * dark. */
    return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}
