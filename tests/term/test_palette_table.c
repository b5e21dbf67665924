/*
 * Every colour and attribute of every style, as reviewed text, in screens/palette.txt: a line
 * for each role or group (g0 to g7) with its appearance alone, on the band of the selected lane,
 * out of focus, and with both. An appearance is FOREGROUND/BACKGROUND, with - for the terminal's
 * own colour, and the attributes b(old), d(im), u(nderlined), r(eversed).
 *
 *     UPDATE_SCREENS=1 ctest -R palette_table     rewrites it; read the diff before committing it
 */
#include "base/text.h"
#include "reviewed.h"
#include "term/palette.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void append_color(struct text *text, enum color_depth depth, int32_t color) {
    if (color == PAINT_DEFAULT)
        text_append_char(text, '-');
    else
        text_append_format(text, depth == COLOR_TRUE ? "%06x" : "%d", (unsigned)color);
}

static void append_paint(struct text *text, const struct palette *palette, struct style style) {
    static const char letters[] = "bdur";
    const struct paint paint = palette_paint(palette, style);
    const size_t begun = text->length;
    append_color(text, palette->depth, paint.foreground);
    text_append_char(text, '/');
    append_color(text, palette->depth, paint.background);
    for (int i = 0; i < 4; i++)
        if (paint.attributes & 1u << i)
            text_append_char(text, letters[i]);
    assert_int_equal(paint.attributes & ~0xfu, 0);
    while (text->length < begun + 17)
        text_append_char(text, ' ');
}

static void append_row(struct text *text, const struct palette *palette, struct style style) {
    static const uint8_t flags[] = {0, STYLE_SELECTED, STYLE_FAINT, STYLE_SELECTED | STYLE_FAINT};
    char name[8];
    snprintf(name, sizeof name, style.role == STYLE_GROUP ? "g%u" : "%u",
             style.role == STYLE_GROUP ? style.group : style.role);
    text_append_format(text, "  %-3s ", name);
    for (size_t i = 0; i < sizeof flags; i++) {
        style.flags = flags[i];
        append_paint(text, palette, style);
    }
    while (text->data[text->length - 1] == ' ')
        text->data[--text->length] = '\0';
    text_append_char(text, '\n');
}

static void everything_is_as_reviewed(void **state) {
    (void)state;
    static const struct {
        const char *name;
        struct palette palette;
    } palettes[] = {
        {"true, unknown", {COLOR_TRUE, BACKGROUND_UNKNOWN}},
        {"true, dark", {COLOR_TRUE, BACKGROUND_DARK}},
        {"true, light", {COLOR_TRUE, BACKGROUND_LIGHT}},
        {"256, unknown", {COLOR_256, BACKGROUND_UNKNOWN}},
        {"256, dark", {COLOR_256, BACKGROUND_DARK}},
        {"256, light", {COLOR_256, BACKGROUND_LIGHT}},
        {"16, unknown", {COLOR_16, BACKGROUND_UNKNOWN}},
        {"16, dark", {COLOR_16, BACKGROUND_DARK}},
        {"16, light", {COLOR_16, BACKGROUND_LIGHT}},
        {"8, unknown", {COLOR_8, BACKGROUND_UNKNOWN}},
        {"8, dark", {COLOR_8, BACKGROUND_DARK}},
        {"8, light", {COLOR_8, BACKGROUND_LIGHT}},
        {"none", {COLOR_NONE, BACKGROUND_UNKNOWN}},
    };
    struct text text = TEXT_INIT;
    for (size_t i = 0; i < sizeof palettes / sizeof *palettes; i++) {
        text_append_format(&text, "%s\n", palettes[i].name);
        for (unsigned role = 0; role < STYLE_ROLE_COUNT; role++)
            if (role != STYLE_GROUP)
                append_row(&text, &palettes[i].palette, (struct style){(uint8_t)role, 0, 0});
        for (unsigned group = 0; group < PALETTE_GROUPS; group++)
            append_row(&text, &palettes[i].palette, (struct style){STYLE_GROUP, (uint8_t)group, 0});
    }
    reviewed_compare(SCREENS_FOLDER, "palette", text_detach(&text));
}

/* At a depth without escape sequences, no role has a colour or an attribute. */
static void plain_is_plain(void **state) {
    (void)state;
    for (int background = BACKGROUND_UNKNOWN; background <= BACKGROUND_LIGHT; background++) {
        const struct palette palette = {COLOR_PLAIN, (enum palette_background)background};
        for (unsigned role = 0; role < STYLE_ROLE_COUNT; role++) {
            const struct paint paint =
                palette_paint(&palette, (struct style){(uint8_t)role, 0, 0xff});
            assert_int_equal(paint.foreground, PAINT_DEFAULT);
            assert_int_equal(paint.background, PAINT_DEFAULT);
            assert_int_equal(paint.attributes, 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_as_reviewed),
                                       cmocka_unit_test(plain_is_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
