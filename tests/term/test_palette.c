/* The guarantees of the palettes: text is readable on its background, and colour-blind eyes
 * can distinguish groups, also by their lightness. Also tests how the environment is read. */
#include "term/palette.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct linear {
    double r, g, b; /* 0..1, linear light */
};

struct lab {
    double lightness, a, b;
};

/* IEC 61966-2-1, the sRGB transfer function. */
static double linear_channel(int value) {
    const double v = value / 255.0;

    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static struct linear linear_from_rgb(int32_t rgb) {
    return (struct linear){linear_channel((rgb >> 16) & 0xff), linear_channel((rgb >> 8) & 0xff),
                           linear_channel(rgb & 0xff)};
}

/* xterm's 256colres.h: a 6x6x6 cube from 16, then 24 greys from 232. */
static int32_t rgb_from_index(int32_t index) {
    static const int32_t levels[6] = {0, 95, 135, 175, 215, 255};

    assert_in_range(index, 16, 255);
    if (index >= 232)
        return (8 + 10 * (index - 232)) * 0x010101;
    index -= 16;
    return levels[index / 36] << 16 | levels[index / 6 % 6] << 8 | levels[index % 6];
}

/* WCAG 2.1, "relative luminance" and "contrast ratio". */
static double luminance(int32_t rgb) {
    const struct linear c = linear_from_rgb(rgb);

    return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

static double contrast(int32_t a, int32_t b) {
    const double la = luminance(a) + 0.05, lb = luminance(b) + 0.05;

    return la > lb ? la / lb : lb / la;
}

/* Complete loss of one kind of cone (severity 1.0), in linear sRGB: G. M. Machado, M. M. Oliveira,
 * L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
 * IEEE TVCG 15 (6), 2009, supplementary tables. The first is normal vision. */
enum sight { ORDINARY, PROTANOPIA, DEUTERANOPIA, TRITANOPIA, SIGHT_COUNT };
static const double sight_matrix[SIGHT_COUNT][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

static double within_unit(double v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

static struct linear seen(int32_t rgb, enum sight sight) {
    const struct linear c = linear_from_rgb(rgb);
    double out[3];

    for (int i = 0; i < 3; i++)
        out[i] = within_unit(sight_matrix[sight][i][0] * c.r + sight_matrix[sight][i][1] * c.g +
                             sight_matrix[sight][i][2] * c.b);
    return (struct linear){out[0], out[1], out[2]};
}

static double lab_curve(double t) {
    return t > 216.0 / 24389 ? cbrt(t) : 841.0 / 108 * t + 4.0 / 29;
}

/* CIE 1976 L*a*b*, white D65. */
static struct lab lab_from_linear(struct linear c) {
    const double x = lab_curve((0.4124564 * c.r + 0.3575761 * c.g + 0.1804375 * c.b) / 0.95047);
    const double y = lab_curve(0.2126729 * c.r + 0.7151522 * c.g + 0.0721750 * c.b);
    const double z = lab_curve((0.0193339 * c.r + 0.1191920 * c.g + 0.9503041 * c.b) / 1.08883);

    return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double distance(int32_t first, int32_t second, enum sight sight) {
    const struct lab p = lab_from_linear(seen(first, sight));
    const struct lab q = lab_from_linear(seen(second, sight));

    return sqrt(pow(p.lightness - q.lightness, 2) + pow(p.a - q.a, 2) + pow(p.b - q.b, 2));
}

static double lightness(int32_t rgb) {
    return lab_from_linear(linear_from_rgb(rgb)).lightness;
}

/* The two palettes with our own colours, on every background. */
static const struct palette own_palettes[] = {
    {COLOR_TRUE, BACKGROUND_UNKNOWN}, {COLOR_TRUE, BACKGROUND_DARK}, {COLOR_TRUE, BACKGROUND_LIGHT},
    {COLOR_256, BACKGROUND_UNKNOWN},  {COLOR_256, BACKGROUND_DARK},  {COLOR_256, BACKGROUND_LIGHT},
};
static const enum color_depth depths[] = {COLOR_PLAIN, COLOR_NONE, COLOR_8,
                                          COLOR_16,    COLOR_256,  COLOR_TRUE};

static int32_t rgb_of(const struct palette *palette, int32_t color) {
    return palette->depth == COLOR_TRUE ? color : rgb_from_index(color);
}

static struct style style_of(enum style_role role, int group, unsigned flags) {
    return (struct style){(uint8_t)role, (uint8_t)group, (uint8_t)flags};
}

static int32_t group_rgb(const struct palette *palette, int group) {
    const struct paint paint = palette_paint(palette, style_of(STYLE_GROUP, group, 0));

    assert_int_equal(paint.background, PAINT_DEFAULT);
    return rgb_of(palette, paint.foreground);
}

/* The measures themselves: the contrast of black on white is 21, and a grey looks the same to every
 * eye. */
static void test_yardstick(void **state) {
    (void)state;
    assert_true(fabs(contrast(0x000000, 0xffffff) - 21) < 1e-9);
    assert_true(fabs(contrast(0x767676, 0xffffff) - 4.54) < 0.01);
    assert_true(fabs(lightness(0xffffff) - 100) < 0.01);
    for (int sight = 0; sight < SIGHT_COUNT; sight++) {
        const struct lab grey = lab_from_linear(seen(0x808080, (enum sight)sight));
        assert_true(fabs(grey.a) < 0.5 && fabs(grey.b) < 0.5);
    }
    /* Pure red and a dark green are one hue to a deuteranope, but far apart to others. */
    assert_true(distance(0xd03a00, 0x7a7a00, DEUTERANOPIA) <
                0.4 * distance(0xd03a00, 0x7a7a00, ORDINARY));
    assert_int_equal(rgb_from_index(16), 0x000000);
    assert_int_equal(rgb_from_index(231), 0xffffff);
    assert_int_equal(rgb_from_index(202), 0xff5f00);
    assert_int_equal(rgb_from_index(244), 0x808080);
}

static void check_readable(const struct palette *palette, struct style style) {
    const struct paint paint = palette_paint(palette, style);
    int32_t text;

    assert_false(paint.attributes & PAINT_DIM); /* the terminal decides how dim it is */

    if (paint.background != PAINT_DEFAULT) {
        assert_int_not_equal(paint.foreground, PAINT_DEFAULT);
        assert_true(
            contrast(rgb_of(palette, paint.foreground), rgb_of(palette, paint.background)) >= 4.5);
        return;
    }
    if (paint.foreground == PAINT_DEFAULT)
        return; /* as readable as the user has made it */
    text = rgb_of(palette, paint.foreground);
    if (palette->background == BACKGROUND_UNKNOWN) {
        assert_true(contrast(text, 0x000000) >= 4.5);
        assert_true(contrast(text, 0xffffff) >= 4.5);
    } else {
        assert_true(contrast(text, palette->background == BACKGROUND_DARK ? 0x000000 : 0xffffff) >=
                    4.5);
    }
}

/* A black screen is black on a light terminal, too, at every depth that has a black. */
static void test_black(void **state) {
    static const struct {
        enum color_depth depth;
        int32_t color;
    } expected[] = {{COLOR_8, 0},
                    {COLOR_16, 0},
                    {COLOR_256, 16},
                    {COLOR_TRUE, 0x000000},
                    {COLOR_NONE, PAINT_DEFAULT},
                    {COLOR_PLAIN, PAINT_DEFAULT}};
    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        const struct palette palette = {expected[i].depth, BACKGROUND_LIGHT};
        const struct paint paint = palette_paint(&palette, style_of(STYLE_BLACK, 0, 0));
        assert_int_equal(paint.foreground, expected[i].color);
        assert_int_equal(paint.background, expected[i].color);
        assert_int_equal(paint.attributes, 0);
    }
}

/* Every role, in every combination of flags, is readable on its background. */
static void test_text_is_readable(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT(own_palettes); p++)
        for (int role = 0; role < STYLE_BLACK; role++) /* the last role is not for reading */
            for (int group = 0; group < (role == STYLE_GROUP ? 32 : 1); group++)
                for (unsigned flags = 0; flags < 32; flags++)
                    check_readable(&own_palettes[p], style_of((enum style_role)role, group, flags));
}

/* The cube has four colours for groups that are readable on black and on white. */
static int group_colors(const struct palette *palette) {
    return palette->depth == COLOR_256 && palette->background == BACKGROUND_UNKNOWN
               ? 4
               : PALETTE_GROUPS;
}

/* Any two of the group colours can be told apart: a distance of 2.3 is just noticeable in L*a*b*;
 * six times this distance is required, for every kind of vision. Of the four colours in the cube,
 * only neighbours must have this distance; for the others, four times 2.3 is enough. */
static void test_groups_differ_for_every_eye(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT(own_palettes); p++) {
        const int count = group_colors(&own_palettes[p]);
        for (int first = 0; first < count; first++)
            for (int second = first + 1; second < count; second++) {
                const bool neighbours = second == first + 1 || second - first == count - 1;
                for (int sight = 0; sight < SIGHT_COUNT; sight++)
                    assert_true(distance(group_rgb(&own_palettes[p], first),
                                         group_rgb(&own_palettes[p], second), (enum sight)sight) >=
                                (neighbours || count == PALETTE_GROUPS ? 13.8 : 9));
            }
    }
}

/* Neighbouring groups differ in lightness, too, even from the eighth to the first; but colours that
 * are readable on black and on white all have the same lightness. */
static void test_neighbours_differ_in_lightness(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT(own_palettes); p++)
        for (int group = 0;
             own_palettes[p].background != BACKGROUND_UNKNOWN && group < PALETTE_GROUPS; group++)
            assert_true(fabs(lightness(group_rgb(&own_palettes[p], group)) -
                             lightness(group_rgb(&own_palettes[p], group + 1))) >= 7.5);
}

/* Own, undefined, good and bad are not mistaken for each other, nor for absent lanes. */
static void test_verdicts_differ_for_every_eye(void **state) {
    static const enum style_role roles[] = {STYLE_OWN, STYLE_UNDEFINED, STYLE_GOOD, STYLE_BAD,
                                            STYLE_ABSENT};
    (void)state;
    for (size_t p = 0; p < COUNT(own_palettes); p++)
        for (size_t i = 0; i < COUNT(roles); i++)
            for (size_t k = i + 1; k < COUNT(roles); k++)
                for (int sight = 0; sight < SIGHT_COUNT; sight++) {
                    const struct palette *palette = &own_palettes[p];
                    const int32_t a = palette_paint(palette, style_of(roles[i], 0, 0)).foreground;
                    const int32_t b = palette_paint(palette, style_of(roles[k], 0, 0)).foreground;

                    assert_int_not_equal(a, b);
                    if (a != PAINT_DEFAULT && b != PAINT_DEFAULT)
                        assert_true(distance(rgb_of(palette, a), rgb_of(palette, b),
                                             (enum sight)sight) >= 6.9);
                }
}

/* Text is readable in the eight colours of xterm (XTerm-col.ad), which other terminals more or less
 * share. On black the contrast of magenta is only 4.47, and that of red 3.59; text in red has a
 * sign, too. */
static void test_eight_colors_are_readable(void **state) {
    static const int32_t xterm[8] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00,
                                     0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5};
    (void)state;
    for (int background = 0; background < 3; background++)
        for (int role = 0; role < STYLE_BLACK; role++)
            for (int group = 0; group < 8; group++) {
                const struct palette palette = {COLOR_8, (enum palette_background)background};
                const int32_t color =
                    palette_paint(&palette, style_of((enum style_role)role, group, 0)).foreground;
                if (color == PAINT_DEFAULT)
                    continue;
                if (background != BACKGROUND_LIGHT)
                    assert_true(contrast(xterm[color], 0x000000) >= (color == 1 ? 3.5 : 4.4));
                if (background != BACKGROUND_DARK)
                    assert_true(contrast(xterm[color], 0xffffff) >= 4.5);
            }
}

/* Where colours are few, no group has the colour of an own value or an undefined value: otherwise
 * the first lanes of xor 16 at width 16 would look like the second group. An own value may be
 * underlined instead. */
static void test_few_colors_keep_the_verdicts_apart(void **state) {
    static const enum color_depth few[] = {COLOR_8, COLOR_16};
    (void)state;
    for (size_t d = 0; d < COUNT(few); d++)
        for (int background = 0; background < 3; background++) {
            const struct palette palette = {few[d], (enum palette_background)background};
            const struct paint own = palette_paint(&palette, style_of(STYLE_OWN, 0, 0));
            const struct paint undefined = palette_paint(&palette, style_of(STYLE_UNDEFINED, 0, 0));

            assert_int_not_equal(own.foreground, undefined.foreground);
            for (int group = 0; group < 32; group++) {
                const struct paint paint = palette_paint(&palette, style_of(STYLE_GROUP, group, 0));

                assert_true(paint.foreground != own.foreground ||
                            (own.attributes ^ paint.attributes) & PAINT_UNDERLINE);
                assert_int_not_equal(paint.foreground, undefined.foreground);
            }
        }
}

static void test_groups_cycle(void **state) {
    (void)state;
    for (size_t d = 0; d < COUNT(depths); d++)
        for (int background = 0; background < 3; background++) {
            const struct palette palette = {depths[d], (enum palette_background)background};

            for (int group = 0; group < 32; group++) {
                const struct paint paint = palette_paint(&palette, style_of(STYLE_GROUP, group, 0));
                const struct paint first =
                    palette_paint(&palette, style_of(STYLE_GROUP, group % 8, 0));
                const struct paint next =
                    palette_paint(&palette, style_of(STYLE_GROUP, group + 1, 0));

                assert_int_equal(paint.foreground, first.foreground);
                if (depths[d] > COLOR_NONE)
                    assert_int_not_equal(paint.foreground, next.foreground);
            }
        }
}

/* Nothing uses a colour that the depth does not have. */
static void test_colors_are_within_depth(void **state) {
    (void)state;
    for (size_t d = 0; d < COUNT(depths); d++)
        for (int background = 0; background < 3; background++)
            for (int role = 0; role < STYLE_ROLE_COUNT; role++)
                for (unsigned flags = 0; flags < 32; flags++) {
                    const struct palette palette = {depths[d], (enum palette_background)background};
                    const struct paint paint =
                        palette_paint(&palette, style_of((enum style_role)role, 5, flags));
                    const int32_t limit = depths[d] > 0 ? (int32_t)depths[d] : 0;

                    assert_true(paint.foreground == PAINT_DEFAULT ||
                                (paint.foreground >= 0 && paint.foreground < limit));
                    assert_true(paint.background == PAINT_DEFAULT ||
                                (paint.background >= 0 && paint.background < limit));
                    if (depths[d] == COLOR_PLAIN)
                        assert_int_equal(paint.attributes, 0);
                }
}

/* Without colour, important parts still stand out. */
static void test_attributes_without_color(void **state) {
    const struct palette palette = {COLOR_NONE, BACKGROUND_UNKNOWN};

    (void)state;
    assert_int_equal(palette_paint(&palette, style_of(STYLE_PLAIN, 0, 0)).attributes, 0);
    assert_int_equal(palette_paint(&palette, style_of(STYLE_TITLE, 0, 0)).attributes, PAINT_BOLD);
    assert_int_equal(palette_paint(&palette, style_of(STYLE_CHANGED, 0, 0)).attributes, PAINT_BOLD);
    assert_int_equal(palette_paint(&palette, style_of(STYLE_ABSENT, 0, 0)).attributes, PAINT_DIM);
    assert_int_equal(palette_paint(&palette, style_of(STYLE_ACTIVE, 0, 0)).attributes,
                     PAINT_BOLD | PAINT_REVERSE);
    assert_int_equal(palette_paint(&palette, style_of(STYLE_GROUP, 3, STYLE_SELECTED)).attributes,
                     PAINT_REVERSE);
    assert_int_equal(palette_paint(&palette, style_of(STYLE_GROUP, 3, STYLE_UNDERLINE)).attributes,
                     PAINT_UNDERLINE);
    assert_int_equal(palette_paint(&palette, style_of(STYLE_TITLE, 0, STYLE_FAINT)).attributes,
                     PAINT_DIM);
}

/* The selected lane has a background of its own that is visible against the terminal's. */
static void test_selection_shows(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT(own_palettes); p++) {
        const struct palette *palette = &own_palettes[p];
        const struct paint paint = palette_paint(palette, style_of(STYLE_PLAIN, 0, STYLE_SELECTED));
        const int32_t band = rgb_of(palette, paint.background);

        if (palette->background != BACKGROUND_LIGHT)
            assert_true(lightness(band) >= 20);
        if (palette->background != BACKGROUND_DARK)
            assert_true(lightness(band) <= 92);
    }
}

static void set_or_unset(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void test_depth_from_environment(void **state) {
    static const struct {
        const char *term, *colorterm, *no_color;
        enum color_depth depth;
    } cases[] = {
        {"xterm", NULL, NULL, COLOR_8},
        {"xterm-256color", NULL, NULL, COLOR_256},
        {"xterm-256color", "truecolor", NULL, COLOR_TRUE},
        {"xterm-256color", "24bit", NULL, COLOR_TRUE},
        {"xterm-256color", "yes", NULL, COLOR_256},
        {"xterm-256color", "", NULL, COLOR_256},
        {"xterm-direct", NULL, NULL, COLOR_TRUE},
        {"tmux-256color", NULL, NULL, COLOR_256},
        {"alacritty", NULL, NULL, COLOR_256},
        {"foot-extra", NULL, NULL, COLOR_256},
        {"xterm-kitty", NULL, NULL, COLOR_256},
        {"xterm-ghostty", "truecolor", NULL, COLOR_TRUE},
        {"screen", NULL, NULL, COLOR_8},
        {"linux", NULL, NULL, COLOR_8},
        {"linux-16color", NULL, NULL, COLOR_16},
        {"vt100", NULL, NULL, COLOR_NONE},
        {"vt220", NULL, NULL, COLOR_NONE},
        {"linux-m", NULL, NULL, COLOR_NONE},
        {"xterm-mono", NULL, NULL, COLOR_NONE},
        {"dumb", NULL, NULL, COLOR_PLAIN},
        {"dumb", "truecolor", NULL, COLOR_PLAIN},
        {"", NULL, NULL, COLOR_PLAIN},
        {NULL, NULL, NULL, COLOR_PLAIN},
        {"xterm-256color", "truecolor", "1", COLOR_NONE},
        {"xterm-256color", NULL, "", COLOR_256}, /* an empty NO_COLOR counts as not set */
        {"dumb", NULL, "1", COLOR_PLAIN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        set_or_unset("TERM", cases[i].term);
        set_or_unset("COLORTERM", cases[i].colorterm);
        set_or_unset("NO_COLOR", cases[i].no_color);
        assert_int_equal(color_depth_detect(), cases[i].depth);
    }
}

static void test_background_from_environment(void **state) {
    static const struct {
        const char *value;
        enum palette_background background;
    } cases[] = {
        {NULL, BACKGROUND_UNKNOWN},         {"", BACKGROUND_UNKNOWN},
        {"15;0", BACKGROUND_DARK},          {"0;15", BACKGROUND_LIGHT},
        {"0;default;15", BACKGROUND_LIGHT}, {"15;default;0", BACKGROUND_DARK},
        {"0;7", BACKGROUND_LIGHT},          {"7;8", BACKGROUND_DARK},
        {"7;default", BACKGROUND_UNKNOWN},  {"7;", BACKGROUND_UNKNOWN},
        {"7;99", BACKGROUND_UNKNOWN},       {"7", BACKGROUND_UNKNOWN},
        {"7;0x", BACKGROUND_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        set_or_unset("COLORFGBG", cases[i].value);
        assert_int_equal(palette_background_detect(), cases[i].background);
    }
}

static void test_background_from_terminal(void **state) {
    (void)state;
    assert_int_equal(palette_background_parse("11;rgb:0000/0000/0000"), BACKGROUND_DARK);
    assert_int_equal(palette_background_parse("11;rgb:ffff/ffff/ffff"), BACKGROUND_LIGHT);
    assert_int_equal(palette_background_parse("11;rgb:1e/1e/1e"), BACKGROUND_DARK);
    assert_int_equal(palette_background_parse("11;rgb:fd/f6/e3"), BACKGROUND_LIGHT);
    assert_int_equal(palette_background_parse("11;rgb:0/0/8"), BACKGROUND_DARK);
    assert_int_equal(palette_background_parse("11;rgba:ffff/ffff/dddd/ffff"), BACKGROUND_LIGHT);
    assert_int_equal(palette_background_parse("11;rgb:0000/ffff/0000"), BACKGROUND_LIGHT);
    assert_int_equal(palette_background_parse("10;rgb:ffff/ffff/ffff"), BACKGROUND_UNKNOWN);
    assert_int_equal(palette_background_parse("11;rgb:fffff/0/0"), BACKGROUND_UNKNOWN);
    assert_int_equal(palette_background_parse("11;rgb:-f/0/0"), BACKGROUND_UNKNOWN);
    assert_int_equal(palette_background_parse("11;rgb:+f/0/0"), BACKGROUND_UNKNOWN);
    assert_int_equal(palette_background_parse("11;rgb: f/0/0"), BACKGROUND_UNKNOWN);
    assert_int_equal(palette_background_parse("11;rgb:fg/ff/ff"), BACKGROUND_UNKNOWN);
    assert_int_equal(palette_background_parse("11;rgb:ff/ff"), BACKGROUND_UNKNOWN);
    assert_int_equal(palette_background_parse("11;#ffffff"), BACKGROUND_UNKNOWN);
    assert_int_equal(palette_background_parse(""), BACKGROUND_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_black),
        cmocka_unit_test(test_yardstick),
        cmocka_unit_test(test_text_is_readable),
        cmocka_unit_test(test_groups_differ_for_every_eye),
        cmocka_unit_test(test_neighbours_differ_in_lightness),
        cmocka_unit_test(test_verdicts_differ_for_every_eye),
        cmocka_unit_test(test_few_colors_keep_the_verdicts_apart),
        cmocka_unit_test(test_eight_colors_are_readable),
        cmocka_unit_test(test_groups_cycle),
        cmocka_unit_test(test_colors_are_within_depth),
        cmocka_unit_test(test_attributes_without_color),
        cmocka_unit_test(test_selection_shows),
        cmocka_unit_test(test_depth_from_environment),
        cmocka_unit_test(test_background_from_environment),
        cmocka_unit_test(test_background_from_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
