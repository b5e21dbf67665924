/* Escape output, compared once with sequences written by hand, and once read back into cells. */
#include "term/painter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COLUMNS 12
#define ROWS    3

/* A grid on the stack: painting needs only its cells. */
struct canvas {
    struct grid grid;
    struct cell cells[ROWS * COLUMNS];
};

static void canvas_init(struct canvas *canvas) {
    memset(canvas, 0, sizeof(*canvas));
    canvas->grid.columns = COLUMNS;
    canvas->grid.rows = ROWS;
    canvas->grid.cells = canvas->cells;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        canvas->cells[i].glyph = ' ';
}

static const struct style plain = {STYLE_PLAIN, 0, 0};
static const struct style title = {STYLE_TITLE, 0, 0};
static const struct style group_a = {STYLE_GROUP, 0, 0};
static const struct style group_b = {STYLE_GROUP, 1, 0};
static const struct style own = {STYLE_OWN, 0, 0};
static const struct style active = {STYLE_ACTIVE, 0, 0};

static void put(struct canvas *canvas, int x, int y, const char *ascii, struct style style) {
    for (int i = 0; ascii[i]; i++) {
        canvas->cells[y * COLUMNS + x + i].glyph = (unsigned char)ascii[i];
        canvas->cells[y * COLUMNS + x + i].style = style;
    }
}

static void check(const struct canvas *canvas, enum color_depth depth, const char *expected) {
    struct text text = TEXT_INIT;

    /* test_palette.c tests eight colours on an unknown background. */
    const struct palette palette = {depth, depth == COLOR_8 ? BACKGROUND_DARK : BACKGROUND_UNKNOWN};
    paint_ansi_palette(&text, &canvas->grid, &palette);
    assert_string_equal(text.data, expected);
    text_release(&text);
}

static void test_empty_lines(void **state) {
    struct canvas canvas;

    (void)state;
    canvas_init(&canvas);
    check(&canvas, COLOR_TRUE, "\n\n\n");
    check(&canvas, COLOR_PLAIN, "\n\n\n");
}

static void test_plain_has_no_escape(void **state) {
    struct canvas canvas;

    (void)state;
    canvas_init(&canvas);
    put(&canvas, 0, 0, "one", title);
    put(&canvas, 4, 0, "two", active);
    put(&canvas, 2, 1, "own", own);
    check(&canvas, COLOR_PLAIN, "one two\n  own\n\n");
}

static void test_runs(void **state) {
    struct canvas canvas;

    (void)state;
    canvas_init(&canvas);
    put(&canvas, 0, 0, "ab", title);
    put(&canvas, 2, 0, "cd", plain);
    put(&canvas, 4, 0, "ef", group_a); /* cyan, then magenta, at eight colours */
    put(&canvas, 6, 0, "gh", group_b);
    put(&canvas, 0, 2, "x", own); /* a new line starts without a style */
    check(&canvas, COLOR_8,
          "\033[1mab\033[0mcd\033[36mef\033[35mgh\033[0m\n"
          "\n"
          "\033[33mx\033[0m\n");
}

/* Two groups with a blank between them: the blank needs no change of colour. */
static void test_blanks_keep_the_color(void **state) {
    struct canvas canvas;

    (void)state;
    canvas_init(&canvas);
    put(&canvas, 0, 0, "a", group_a);
    put(&canvas, 2, 0, "b", group_a);
    put(&canvas, 4, 0, "c", group_b);
    check(&canvas, COLOR_8, "\033[36ma b \033[35mc\033[0m\n\n\n");
}

/* A background and a reversed field stop at their last cell, and show at the end of a line, too. */
static void test_blanks_that_show(void **state) {
    struct canvas canvas;

    (void)state;
    canvas_init(&canvas);
    put(&canvas, 0, 0, " x ", active);
    put(&canvas, 5, 0, "y", plain);
    put(&canvas, 9, 1, "   ", active);
    check(&canvas, COLOR_8,
          "\033[1;7m x \033[0m  y\n"
          "         \033[1;7m   \033[0m\n"
          "\n");
}

/* For each depth, the escape sequence of one colour. */
static void test_depths(void **state) {
    struct canvas canvas;
    const struct palette dark = {COLOR_16, BACKGROUND_DARK};
    struct text text = TEXT_INIT;

    (void)state;
    canvas_init(&canvas);
    put(&canvas, 0, 0, "a", group_a);
    check(&canvas, COLOR_NONE, "a\n\n\n");
    check(&canvas, COLOR_8, "\033[36ma\033[0m\n\n\n");
    check(&canvas, COLOR_256, "\033[38;5;63ma\033[0m\n\n\n");
    check(&canvas, COLOR_TRUE, "\033[38;2;9;107;255ma\033[0m\n\n\n"); /* 096bff */
    paint_ansi_palette(&text, &canvas.grid, &dark);
    assert_string_equal(text.data, "\033[96ma\033[0m\n\n\n"); /* bright cyan */
    text_release(&text);
}

static void test_utf8(void **state) {
    struct canvas canvas;

    (void)state;
    canvas_init(&canvas);
    canvas.cells[0].glyph = 0xe9;   /* e with acute */
    canvas.cells[1].glyph = 0x2502; /* box drawing */
    canvas.cells[2].glyph = 0x4e00; /* wide, and its right half */
    canvas.cells[3].glyph = 0;
    canvas.cells[4].glyph = 0x1d7d9; /* beyond the basic plane */
    check(&canvas, COLOR_PLAIN, "\xc3\xa9\xe2\x94\x82\xe4\xb8\x80\xf0\x9d\x9f\x99\n\n\n");
}

/* Text from a foreign file cannot control the terminal. */
static void test_control_characters_are_replaced(void **state) {
    struct canvas canvas;

    (void)state;
    canvas_init(&canvas);
    put(&canvas, 0, 0, "a\033[2J\a\x7f", plain);
    canvas.cells[8].glyph = 0x9b; /* CSI in one character */
    canvas.cells[9].glyph = 0x110000;
    check(&canvas, COLOR_PLAIN, "a?[2J?? ??\n\n\n");
}

/* ---- read back: a terminal that knows SGR and nothing else
 * ------------------------------------ */

struct terminal {
    struct paint paint;
    uint32_t glyph[ROWS][COLUMNS];
    struct paint shown[ROWS][COLUMNS];
    int x, y;
};

static const struct paint nothing = {PAINT_DEFAULT, PAINT_DEFAULT, 0};

/* The parameters after 38 or 48; returns how many were read. */
static size_t extended_color(const int *parameters, size_t count, int32_t *color) {
    assert_true(count >= 2);
    if (parameters[0] == 5) {
        *color = parameters[1];
        return 2;
    }
    assert_int_equal(parameters[0], 2);
    assert_true(count >= 4);
    *color = parameters[1] << 16 | parameters[2] << 8 | parameters[3];
    return 4;
}

static void select_rendition(struct paint *paint, const int *parameters, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const int p = parameters[i];

        if (p == 0)
            *paint = nothing;
        else if (p == 1)
            paint->attributes |= PAINT_BOLD;
        else if (p == 2)
            paint->attributes |= PAINT_DIM;
        else if (p == 4)
            paint->attributes |= PAINT_UNDERLINE;
        else if (p == 7)
            paint->attributes |= PAINT_REVERSE;
        else if (p == 38)
            i += extended_color(parameters + i + 1, count - i - 1, &paint->foreground);
        else if (p == 48)
            i += extended_color(parameters + i + 1, count - i - 1, &paint->background);
        else if (p == 39)
            paint->foreground = PAINT_DEFAULT;
        else if (p == 49)
            paint->background = PAINT_DEFAULT;
        else if (p >= 30 && p <= 37)
            paint->foreground = p - 30;
        else if (p >= 40 && p <= 47)
            paint->background = p - 40;
        else if (p >= 90 && p <= 97)
            paint->foreground = p - 90 + 8;
        else if (p >= 100 && p <= 107)
            paint->background = p - 100 + 8;
        else
            fail_msg("unknown parameter %d", p);
    }
}

/* Reads an SGR sequence, beginning after its "ESC ["; returns the text after its final "m". */
static const char *read_sequence(struct terminal *terminal, const char *s) {
    int parameters[16];
    size_t count = 0;
    char *end;

    for (;;) {
        assert_true(count < 16);
        parameters[count++] = (int)strtol(s, &end, 10);
        assert_ptr_not_equal(end, s);
        s = end;
        if (*s == 'm')
            break;
        assert_int_equal(*s, ';');
        s++;
    }
    select_rendition(&terminal->paint, parameters, count);
    return s + 1;
}

static void terminal_init(struct terminal *terminal) {
    memset(terminal, 0, sizeof(*terminal));
    terminal->paint = nothing;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            terminal->glyph[y][x] = ' ';
            terminal->shown[y][x] = nothing;
        }
}

static void terminal_read(struct terminal *terminal, const char *s) {
    while (*s) {
        if (strncmp(s, "\033[", 2) == 0) {
            s = read_sequence(terminal, s + 2);
        } else if (*s == '\n') {
            /* Every line leaves the terminal as it found it. */
            assert_int_equal(terminal->paint.foreground, PAINT_DEFAULT);
            assert_int_equal(terminal->paint.background, PAINT_DEFAULT);
            assert_int_equal(terminal->paint.attributes, 0);
            terminal->x = 0;
            terminal->y++;
            s++;
        } else {
            assert_true(terminal->y < ROWS && terminal->x < COLUMNS);
            terminal->glyph[terminal->y][terminal->x] = (unsigned char)*s++;
            terminal->shown[terminal->y][terminal->x++] = terminal->paint;
        }
    }
    assert_int_equal(terminal->y, ROWS);
}

static void check_cell(const struct cell *cell, uint32_t glyph, struct paint shown,
                       const struct palette *palette) {
    const struct paint paint = palette_paint(palette, cell->style);
    const unsigned visible = PAINT_UNDERLINE | PAINT_REVERSE;

    assert_int_equal(glyph, cell->glyph);
    assert_int_equal(shown.background, paint.background);
    if (cell->glyph == ' ' && !(paint.attributes & visible)) {
        /* A blank shows a background, an underline and nothing else. */
        assert_int_equal(shown.attributes & visible, 0);
        if (paint.background == PAINT_DEFAULT)
            return;
    }
    assert_int_equal(shown.foreground, paint.foreground);
    assert_int_equal(shown.attributes, paint.attributes);
}

/* A small random number generator of our own, so that a failure can be repeated. */
static unsigned next_random(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void fill_at_random(struct canvas *canvas, unsigned *seed) {
    canvas_init(canvas);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        /* Styles come in runs, and there are blanks among the glyphs. */
        if (i == 0 || next_random(seed) % 3 == 0)
            canvas->cells[i].style = (struct style){
                (uint8_t)(next_random(seed) % STYLE_ROLE_COUNT), (uint8_t)(next_random(seed) % 32),
                (uint8_t)(next_random(seed) % 2 ? 0 : next_random(seed) % 32)};
        else
            canvas->cells[i].style = canvas->cells[i - 1].style;
        if (next_random(seed) % 3)
            canvas->cells[i].glyph = 'a' + next_random(seed) % 26;
    }
}

static void test_read_back(void **state) {
    static const enum color_depth depths[] = {COLOR_NONE, COLOR_8, COLOR_16, COLOR_256, COLOR_TRUE};
    unsigned seed = 1;

    (void)state;
    for (int round = 0; round < 1000; round++) {
        const struct palette palette = {depths[round % 5],
                                        (enum palette_background)(round / 5 % 3)};
        struct canvas canvas;
        struct terminal terminal;
        struct text text = TEXT_INIT;

        fill_at_random(&canvas, &seed);
        paint_ansi_palette(&text, &canvas.grid, &palette);
        terminal_init(&terminal);
        terminal_read(&terminal, text.data);
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < COLUMNS; x++)
                check_cell(&canvas.cells[y * COLUMNS + x], terminal.glyph[y][x],
                           terminal.shown[y][x], &palette);
        text_release(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_lines),
        cmocka_unit_test(test_plain_has_no_escape),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_blanks_keep_the_color),
        cmocka_unit_test(test_blanks_that_show),
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_control_characters_are_replaced),
        cmocka_unit_test(test_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
