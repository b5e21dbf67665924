/*
 * The division of screens and pictures, and the layout of text (stage.h, network.h, flow.h), each
 * on both sides of its limits. The numbers are worked out from those headers and the constants of
 * stage.c and network.c: text beside a picture takes a third of the screen, and two rows of 32
 * lanes follow a label.
 */
#include "view/flow.h"
#include "view/moment.h"
#include "view/pages/stage.h"
#include "view/pictures/network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a screen ---- */

#define LANES   VIEW_LANES
#define WIRES   VIEW_WIRES
#define HISTORY VIEW_HISTORY
#define SOURCE  VIEW_SOURCE

/* The picture beside the text gets everything that the text and the rule leave. */
static const struct {
    int columns, rows;
    enum view_kind view;
    bool code, wires;
    bool below;
    int picture_columns, picture_rows;
    int x, y, text_columns, text_rows;
} stages[] = {
    /* Below 80 columns the text and its margin have 21 to 29 columns; a low screen has no bar. */
    {60, 20, LANES, false, false, false, 37, 18, 39, 1, 21, 18},
    {61, 20, LANES, false, false, false, 38, 18, 40, 1, 20, 18},
    {63, 20, LANES, false, false, false, 39, 18, 41, 1, 21, 18},
    {79, 23, LANES, false, false, false, 48, 21, 50, 1, 28, 21},
    {79, 24, LANES, true, false, false, 48, 21, 50, 2, 28, 21},
    /* From 80 columns on, the text and its margin have a third of the columns, 30 to 44. */
    {80, 24, LANES, false, false, false, 48, 21, 50, 2, 29, 21},
    {92, 24, LANES, false, false, false, 60, 21, 62, 2, 29, 21},
    {93, 24, LANES, false, false, false, 60, 21, 62, 2, 30, 21},
    {132, 40, LANES, false, false, false, 86, 37, 88, 2, 43, 37},
    {135, 40, LANES, false, false, false, 89, 37, 91, 2, 43, 37},
    /* Five rounds of the history take 56 columns. */
    {80, 24, HISTORY, false, false, false, 56, 21, 58, 2, 21, 21},
    {81, 24, HISTORY, false, false, false, 56, 21, 58, 2, 22, 21},
    {82, 24, HISTORY, false, false, false, 56, 21, 58, 2, 23, 21},
    {117, 24, HISTORY, false, false, false, 91, 21, 93, 2, 23, 21},
    {118, 24, HISTORY, false, false, false, 77, 21, 79, 2, 38, 21},
    /* Wires with one column per lane take 42 columns. */
    {80, 24, WIRES, false, false, false, 42, 21, 44, 2, 35, 21},
    {99, 24, WIRES, false, false, false, 53, 21, 55, 2, 43, 21},
    {100, 24, WIRES, false, false, false, 65, 21, 67, 2, 32, 21},
    /* Code lines are long: the slim lanes take 37 columns, and code needs no more than 78. */
    {80, 24, LANES, true, false, false, 37, 21, 39, 2, 40, 21},
    {116, 24, LANES, true, false, false, 37, 21, 39, 2, 76, 21},
    {117, 24, LANES, true, false, false, 37, 21, 39, 2, 77, 21},
    {118, 24, LANES, true, false, false, 38, 21, 40, 2, 77, 21},
    {200, 24, WIRES, true, false, false, 120, 21, 122, 2, 77, 21},
    /* Text below the picture has a third of the rows, 8 or more; below wires on a low screen, 6. */
    {60, 20, SOURCE, false, false, true, 60, 9, 1, 11, 58, 8},
    {80, 26, SOURCE, false, false, true, 80, 14, 1, 17, 78, 8},
    {80, 30, SOURCE, false, false, true, 80, 17, 1, 20, 78, 9},
    {117, 24, SOURCE, false, false, true, 117, 12, 1, 15, 115, 8},
    {118, 24, SOURCE, false, false, false, 77, 21, 79, 2, 38, 21},
    {69, 22, WIRES, false, true, false, 42, 20, 44, 1, 24, 20},
    {70, 21, WIRES, false, true, false, 43, 19, 45, 1, 24, 19},
    {70, 22, WIRES, false, true, true, 70, 13, 1, 15, 68, 6},
    {80, 27, WIRES, false, true, true, 80, 17, 1, 20, 78, 6},
    {80, 28, WIRES, false, true, true, 80, 16, 1, 19, 78, 8},
    {117, 40, WIRES, false, true, true, 117, 24, 1, 27, 115, 12},
    {118, 40, WIRES, false, true, false, 77, 37, 79, 2, 38, 37},
};

static void a_screen_is_divided(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        struct grid grid;
        grid_init(&grid, stages[i].columns, stages[i].rows, false);
        const struct stage stage =
            stage_of(grid_area(&grid), stages[i].view, stages[i].code, stages[i].wires);
        const int head = stages[i].rows >= 24 ? 2 : 1;
        if (stage.below != stages[i].below || stage.picture.columns != stages[i].picture_columns ||
            stage.picture.rows != stages[i].picture_rows || stage.text.x != stages[i].x ||
            stage.text.y != stages[i].y || stage.text.columns != stages[i].text_columns ||
            stage.text.rows != stages[i].text_rows)
            fail_msg("%dx%d, view %d: picture %dx%d, text %dx%d at %d, %d", stages[i].columns,
                     stages[i].rows, (int)stages[i].view, stage.picture.columns, stage.picture.rows,
                     stage.text.columns, stage.text.rows, stage.text.x, stage.text.y);
        assert_int_equal(stage.picture.x, 0);
        assert_int_equal(stage.picture.y, head);
        assert_int_equal(stage.title.y, 0);
        assert_int_equal(stage.title.rows, 1);
        assert_int_equal(stage.bar.rows, head - 1);
        assert_int_equal(stage.bar.columns, stages[i].columns);
        assert_int_equal(stage.foot.y, stages[i].rows - 1);
        stage_draw_rule(&stage); /* between picture and text, and nowhere else */
        for (int y = 0; y < grid.rows; y++)
            for (int x = 0; x < grid.columns; x++) {
                const bool here = stage.below ? y == stage.text.y - 1
                                              : x == stage.text.x - 2 && y >= head &&
                                                    y < head + stages[i].text_rows;
                if ((grid.cells[y * grid.columns + x].glyph != ' ') != here)
                    fail_msg("%dx%d: %d, %d", grid.columns, grid.rows, x, y);
            }
        grid_release(&grid);
    }
}

/* Signs show that there is text above or below the visible part. */
static void scrolled_out_text_has_signs(void **state) {
    static const struct {
        bool below;
        int more, skip; /* lines beyond the rows; lines scrolled out */
        const char *text;
    } cases[] = {
        {false, 0, 0, ""}, {false, 1, 0, "J↓"}, {false, 1, 1, "↑K"}, {false, 2, 1, "↑KJ↓"},
        {true, 0, 0, ""},  {true, 1, 0, "J↓"},  {true, 1, 1, "K↑"},  {true, 2, 1, "K↑J↓"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        char shown[32] = "";
        grid_init(&grid, 80, 24, false);
        const struct stage stage =
            stage_of(grid_area(&grid), cases[i].below ? SOURCE : LANES, false, false);
        stage_draw_more(&stage, stage.text.rows + cases[i].more, cases[i].skip);
        char *text = grid_to_text(&grid, false);
        for (const char *c = text; *c; c++)
            if (*c != ' ' && *c != '\n')
                strncat(shown, c, 1);
        assert_string_equal(shown, cases[i].text);
        free(text);
        grid_release(&grid);
    }
}

/* ---- two rows of lanes ---- */

static const struct {
    int columns;
    bool falling;
    int label, x0, pitch, gap;
} networks[] = {
    {32, false, 0, 0, 1, 0},   {33, false, 1, 1, 1, 0},  {38, false, 6, 6, 1, 0},
    {39, false, 7, 7, 1, 0},   {40, false, 7, 7, 1, 0},  {42, false, 7, 8, 1, 0},
    {60, false, 7, 17, 1, 0},  {68, false, 7, 21, 1, 0}, {69, false, 6, 6, 2, 0},
    {70, false, 7, 7, 2, 0},   {100, false, 6, 6, 3, 0}, {101, false, 7, 7, 3, 0},
    {193, false, 6, 6, 6, 0},  {194, false, 7, 7, 6, 0}, {200, false, 7, 9, 6, 0},
    {254, false, 7, 36, 6, 0}, {45, true, 7, 9, 1, 0},   {46, true, 7, 7, 1, 1},
    {76, true, 7, 9, 2, 0},    {77, true, 7, 7, 2, 1},   {108, true, 7, 7, 3, 1},
};

static void lanes_are_spread(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct grid grid;
        struct network net = {.falling = networks[i].falling};
        grid_init(&grid, networks[i].columns, 3, false);
        network_spread(&net, grid_area(&grid), NULL);
        if (net.label != networks[i].label || net.x0 != networks[i].x0 ||
            net.pitch != networks[i].pitch || net.gap != networks[i].gap)
            fail_msg("%d columns: label %d, x0 %d, pitch %d, gap %d", networks[i].columns,
                     net.label, net.x0, net.pitch, net.gap);
        /* Eight groups of four; lane 31 comes first where the lanes are read as a number. */
        const int columns = 31 * net.pitch + 7 * net.gap + 1;
        assert_int_equal(network_columns(&net), columns);
        assert_true(net.x0 + columns <= networks[i].columns);
        assert_int_equal(network_x(&net, networks[i].falling ? 31 : 0), net.x0);
        assert_int_equal(network_x(&net, networks[i].falling ? 0 : 31), net.x0 + columns - 1);
        const int third = networks[i].falling ? 31 - 3 : 3, next = networks[i].falling ? 27 : 4;
        assert_int_equal(network_x(&net, third), net.x0 + 3 * net.pitch);
        assert_int_equal(network_x(&net, next), net.x0 + 4 * net.pitch + net.gap);
        grid_release(&grid);
    }
}

/* Where a lane has one cell, values of up to three glyphs are vertical; elsewhere values alternate
 * over up to three rows, but only where the leftmost value is not cut. */
static void values_take_up_to_three_rows(void **state) {
    static const struct {
        int columns, rows[11]; /* for values of 0 to 10 glyphs */
    } cases[] = {
        {33, {0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0}},  {60, {0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0}},
        {70, {0, 1, 2, 2, 3, 3, 0, 0, 0, 0, 0}},  {101, {0, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0}},
        {200, {0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2}}, {194, {0, 1, 1, 1, 1, 1, 2, 2, 2, 0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        struct network net = {.falling = false};
        grid_init(&grid, cases[i].columns, 3, false);
        network_spread(&net, grid_area(&grid), NULL);
        assert_int_equal(net.number_rows, cases[i].rows[2]);
        for (int length = 0; length <= 10; length++)
            if (network_rows_of(&net, length) != cases[i].rows[length])
                fail_msg("%d columns, %d glyphs: %d", cases[i].columns, length,
                         network_rows_of(&net, length));
        grid_release(&grid);
    }
}

/* ---- text in lines ---- */

static struct flow begin(struct grid *grid, int columns, int rows) {
    grid_init(grid, columns, rows, false);
    return (struct flow){.area = grid_area(grid), .draw = true};
}

static void shows(struct grid *grid, const char *expected) {
    char *text = grid_to_text(grid, false);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    assert_string_equal(text, expected);
    free(text);
    grid_release(grid);
}

static const struct style plain = {STYLE_PLAIN, 0, 0}, key = {STYLE_KEY, 0, 0};

static void words_are_broken_into_lines(void **state) {
    (void)state;
    struct grid grid;
    struct flow flow = begin(&grid, 10, 6);
    flow_text(&flow, "one two three four", 2, plain);
    assert_int_equal(flow.line, 3);
    shows(&grid, "one two\n  three\n  four");
    flow = begin(&grid, 10, 6); /* ten characters fit, eleven do not */
    flow_text(&flow, "1234567890", 0, plain);
    flow_text(&flow, "12345678901", 0, plain);
    flow_text(&flow, "1234 67890", 0, plain);
    assert_int_equal(flow.line, 4);
    shows(&grid, "1234567890\n1234567890\n1\n1234 67890");
    flow =
        begin(&grid, 9,
              6); /* wide characters take two cells, and a line may break anywhere between them */
    flow_text(&flow, "每个通道都有值", 0, plain);
    assert_int_equal(flow.line, 2);
    shows(&grid, "每个通道\n都有值");
    flow = begin(&grid, 10, 6);
    flow_text(&flow, "", 0, plain); /* an empty text takes no line */
    flow_blank(&flow, 2);           /* nor does a blank before the first text */
    assert_int_equal(flow.line, 0);
    flow_text(&flow, "a", 0, plain);
    flow_blank(&flow, 2);
    flow_text(&flow, "b", 0, plain);
    assert_int_equal(flow.line, 4);
    shows(&grid, "a\n\n\nb");
}

static void lines_are_scrolled_indented_and_centered(void **state) {
    (void)state;
    struct grid grid;
    struct flow flow = begin(&grid, 10, 2);
    flow.skip = 1;
    flow_text(&flow, "one two three four five", 0, plain); /* one two, three four, five */
    assert_int_equal(flow.line, 3);
    shows(&grid, "three four\nfive");
    flow = begin(&grid, 10, 2);
    flow.draw = false;
    flow_text(&flow, "one two three", 0, plain);
    assert_int_equal(flow.line, 2);
    shows(&grid, "");
    flow = begin(&grid, 10, 3);
    flow.indent = 3;
    flow_text(&flow, "one two three", 1, plain);
    shows(&grid, "   one two\n    three");
    flow = begin(&grid, 10, 4);
    flow.centered = true;
    flow.flags = STYLE_BOLD;
    flow_text(&flow, "one two four five", 0, plain); /* 7 of 10, 9 of 10 */
    assert_int_equal(grid.cells[1].style.flags, STYLE_BOLD);
    shows(&grid, " one two\nfour five");
}

static void signs_are_in_the_margin(void **state) {
    (void)state;
    struct grid grid;
    struct flow flow = begin(&grid, 10, 4);
    flow_with_sign(&flow, 0x2713, key, "one two three", plain);
    assert_int_equal(grid.cells[0].style.role, STYLE_KEY);
    shows(&grid, "✓ one two\n  three");
    flow = begin(&grid, 11, 4); /* a wide sign takes two cells */
    flow_with_sign(&flow, 0x901a, key, "one two three", plain);
    shows(&grid, "通 one two\n   three");
    flow = begin(&grid, 11, 4); /* a centred sign is part of the text */
    flow.centered = true;
    flow_with_sign(&flow, 0x2713, key, "one", plain);
    shows(&grid, "   ✓ one");
    flow = begin(&grid, 10, 2);
    flow.skip = 1;
    flow_sign(&flow, 0x2713, key); /* the sign of a line that is scrolled out */
    flow.line = 3;
    flow_sign(&flow, 0x2713, key); /* the sign of a line below the last */
    flow.line = 2;
    flow_sign(&flow, 0x25b6, key);
    shows(&grid, "\n▶");
}

static void typed_text_has_a_cursor(void **state) {
    (void)state;
    struct grid grid;
    struct flow flow = begin(&grid, 20, 2);
    flow_input(&flow, "", "0 to 31");
    assert_int_equal(grid.cells[0].style.role, STYLE_KEY);
    assert_int_equal(grid.cells[2].style.flags, STYLE_REVERSE);
    assert_int_equal(grid.cells[4].style.role, STYLE_DIM);
    shows(&grid, "▸   0 to 31");
    flow = begin(&grid, 20, 2);
    flow_input(&flow, "17", "0 to 31");
    assert_int_equal(grid.cells[2].style.role, STYLE_TITLE);
    assert_int_equal(grid.cells[2].style.flags, STYLE_BOLD);
    assert_int_equal(grid.cells[4].style.flags, STYLE_REVERSE);
    assert_int_equal(grid.cells[5].style.flags, 0);
    shows(&grid, "▸ 17");
    flow = begin(&grid, 20, 2);
    flow_input(&flow, "", "");
    assert_int_equal(grid.cells[2].style.flags, STYLE_REVERSE);
    shows(&grid, "▸");
}

static void prose(const char *markdown, int columns, int gap, const char *expected) {
    struct grid grid;
    struct prose made;
    struct flow flow = begin(&grid, columns, 12);
    assert_int_equal(prose_make(&made, markdown, NULL, NULL, NULL), 0);
    flow_prose(&flow, &made, gap, plain);
    prose_release(&made);
    shows(&grid, expected);
}

static void prose_is_laid_out(void **state) {
    (void)state;
    prose("one\n\ntwo\n\n- a\n- b c d e f\n\nend", 8, 1,
          "one\n\ntwo\n\n• a\n• b c d\n  e f\n\nend");
    prose("one\n\ntwo\n\n- a\n- b", 8, 0, "one\ntwo\n• a\n• b");
    /* Lines of code stay together, and continued lines are indented; indentation takes at most a
     * third of a line. */
    prose("one\n\n```\nif (a)\n  b;\n```\n\ntwo", 9, 1, "one\n\nif (a)\n  b;\n\ntwo");
    prose("```\n  ab cd ef gh\n```", 11, 1, "  ab cd ef\n      gh");
    prose("```\n     ab\n```", 12, 1, "    ab");
    prose("```\n    ab\n```", 12, 1, "    ab");
    /* Code is not broken if it takes two thirds of a line or less. */
    prose("abcde `c d e fg` h", 12, 1, "abcde\nc d e fg h");
    prose("abcde `c d e fgh` i", 12, 1, "abcde c d e\nfgh i");
}

static void spans_have_styles(void **state) {
    (void)state;
    struct grid grid;
    struct prose made;
    struct flow flow = begin(&grid, 20, 2);
    prose_make(&made, "a **b** `c`", NULL, NULL, NULL);
    flow_prose(&flow, &made, 0, (struct style){STYLE_DIM, 0, 0});
    prose_release(&made);
    assert_int_equal(grid.cells[0].style.role, STYLE_DIM);
    assert_int_equal(grid.cells[2].style.role, STYLE_TITLE);
    assert_int_equal(grid.cells[4].style.role, STYLE_TERM);
    shows(&grid, "a b c");
}

/* ---- keys ---- */

static void keys_are_named_by_their_labels(void **state) {
    static const char *const labels[][3] = {
        {"Right", "→", "Right"}, {"Left", "←", "Left"},    {"Up", "↑", "Up"},
        {"Down", "↓", "Down"},   {"Escape", "Esc", "Esc"}, {"Enter", "Enter", "Enter"},
        {"q", "q", "q"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        for (int ascii = 0; ascii < 2; ascii++)
            assert_string_equal(key_label(labels[i][0], ascii), labels[i][1 + ascii]);
}

/* Help and leaving are at the right end; the others are at the left, as many as fit. If even those
 * two do not fit, help is dropped before leaving. */
static void a_bar_shows_what_it_has_room_for(void **state) {
    static const struct {
        int columns;
        const char *text;
    } bars[] = {
        {50, " ↓ exercise  Enter open            ? help  q quit"},
        {41, " ↓ exercise  Enter open   ? help  q quit"},
        {40, " ↓ exercise  Enter open  ? help  q quit"},
        {39, " ↓ exercise             ? help  q quit"},
        {28, " ↓ exercise  ? help  q quit"},
        {27, "            ? help  q quit"},
        {16, " ? help  q quit"},
        {15, "        q quit"},
        {8, " q quit"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        struct grid grid;
        grid_init(&grid, bars[i].columns, 1, false);
        draw_keys(grid_area(&grid), ACTION_MODE_EXERCISES, NULL);
        shows(&grid, bars[i].text);
    }
}

/* The cell at which a text begins; -1 if the text is missing. */
static int find(const struct grid *grid, const char *text, int *y) {
    const int length = (int)strlen(text);
    for (*y = 0; *y < grid->rows; ++*y)
        for (int x = 0; x + length <= grid->columns; x++) {
            int same = 0;
            while (same < length &&
                   grid->cells[*y * grid->columns + x + same].glyph == (unsigned char)text[same])
                same++;
            if (same == length)
                return x;
        }
    return -1;
}

/* Eight keys: one below the other if they fit with a heading and a margin, else in two columns,
 * with an empty row above them if eight more rows are left. The keys of an entry take 7 cells, 12
 * from 76 columns on, 22 from 100 on, and end before its words. */
static void a_page_of_keys(void **state) {
    static const struct {
        int columns, rows;
        int x, y;           /* the position of the first entry's words */
        int last_x, last_y; /* the position of the last entry's words */
    } pages[] = {
        {60, 24, 10, 2, 10, 9}, {75, 24, 10, 2, 10, 9},  {76, 24, 15, 2, 15, 9},
        {99, 24, 15, 2, 15, 9}, {100, 24, 25, 2, 25, 9}, {80, 16, 15, 2, 15, 9},
        {80, 15, 15, 1, 15, 8}, {80, 11, 15, 1, 15, 8},  {80, 10, 15, 1, 54, 4},
        {81, 10, 15, 1, 55, 4}, {80, 12, 15, 1, 15, 8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        struct grid grid;
        int y, last_y;
        grid_init(&grid, pages[i].columns, pages[i].rows, false);
        draw_help(grid_area(&grid), ACTION_MODE_WHICH);
        const int x = find(&grid, "show this call", &y);
        const int last_x = find(&grid, "draw again", &last_y);
        if (x != pages[i].x || y != pages[i].y || last_x != pages[i].last_x ||
            last_y != pages[i].last_y)
            fail_msg("%dx%d: %d, %d and %d, %d", pages[i].columns, pages[i].rows, x, y, last_x,
                     last_y);
        const struct cell *row = &grid.cells[y * grid.columns];
        assert_int_equal(row[x - 1].glyph, ' ');
        assert_int_equal(row[x - 2].glyph, ' ');
        assert_int_not_equal(row[x - 3].glyph, ' '); /* the end of the keys */
        assert_int_equal(row[x - 3].style.role, STYLE_KEY);
        assert_int_equal(row[1].hit.action, ACTION_CONTINUE);
        assert_int_equal(row[0].hit.action, ACTION_NONE);
        assert_int_equal(find(&grid, "Keys", &y), 1);
        assert_int_equal(find(&grid, "? or Escape closes this page", &y),
                         pages[i].columns - 1 - 28);
        assert_int_equal(y, 0);
        grid_release(&grid);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_screen_is_divided),
        cmocka_unit_test(scrolled_out_text_has_signs),
        cmocka_unit_test(lanes_are_spread),
        cmocka_unit_test(values_take_up_to_three_rows),
        cmocka_unit_test(words_are_broken_into_lines),
        cmocka_unit_test(lines_are_scrolled_indented_and_centered),
        cmocka_unit_test(signs_are_in_the_margin),
        cmocka_unit_test(typed_text_has_a_cursor),
        cmocka_unit_test(prose_is_laid_out),
        cmocka_unit_test(spans_have_styles),
        cmocka_unit_test(keys_are_named_by_their_labels),
        cmocka_unit_test(a_bar_shows_what_it_has_room_for),
        cmocka_unit_test(a_page_of_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
