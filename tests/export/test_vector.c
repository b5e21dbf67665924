/*
 * Shapes as SVG and TikZ: lengths worked out by hand from the size of a cell, which is 6 by 12 in
 * SVG, where the margin is 6, and 5.25 by 10.5 points in TikZ.
 */
#include "base/memory.h"
#include "export/figures/svg.h"
#include "export/figures/tikz.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct drawing_look paper = {.light = true, .mono = true};

#define LINE(x0, y0, x1, y1)                                                                       \
    { .kind = SHAPE_PATH, .count = 2, .point = {{x0, y0}, {x1, y1}}, .size = 0.5 }
#define WORD(x, y, length, of)                                                                     \
    { .kind = SHAPE_TEXT, .count = 1, .point = {{x, y}}, .size = length, .text = of }
#define ROUND(is, x, y)                                                                            \
    { .kind = is, .count = 1, .point = {{x, y}}, .size = 0.4 }

typedef void vector_write(FILE *out, const struct drawing *drawing, const struct drawing_look *look,
                          const char *title);

/* The output for these shapes on 10 by 2 cells; the caller frees. */
static char *written(vector_write *write, struct shape *shapes, size_t count) {
    const struct drawing drawing = {.shapes = shapes, .count = count, .columns = 10, .rows = 2};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    write(out, &drawing, &paper, "a & b");
    assert_int_equal(fclose(out), 0);
    return text;
}

static int times(const char *text, const char *word) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

static void contains(const char *text, const char *part) {
    if (times(text, part) != 1)
        fail_msg("\"%s\" is not once in:\n%s", part, text);
}

static void svg_has_each_shape_at_its_place(void **state) {
    (void)state;
    struct shape shapes[] = {LINE(0.5, 0.5, 2.25, 1),     ROUND(SHAPE_DISC, 1.5, 0.5),
                             ROUND(SHAPE_RING, 2.5, 1.5), WORD(0, 0.5, 3, "a<b"),
                             WORD(4, 0.5, 1, "c"),        WORD(0, 1.5, 1, "d")};
    char *text = written(svg_write, shapes, 6);
    contains(text, "width=\"72\" height=\"36\" viewBox=\"0 0 72 36\">\n<title>a &amp; b</title>\n");
    contains(text, "<path d=\"M9 12L19.5 18\" fill=\"none\" stroke=\"#000000\" "
                   "stroke-width=\"3\"/>\n");
    contains(text, "<circle cx=\"15\" cy=\"12\" r=\"2.4\" fill=\"#000000\"/>\n");
    contains(text, "<circle cx=\"21\" cy=\"24\" r=\"2\" fill=\"#ffffff\" stroke=\"#000000\" "
                   "stroke-width=\"0.8\"/>\n");
    /* A row is one text, whose words have a blank between them. */
    contains(text,
             "<text y=\"15.5\"><tspan x=\"6\">a&lt;b</tspan> <tspan x=\"30\">c</tspan></text>\n"
             "<text y=\"27.5\"><tspan x=\"6\">d</tspan></text>\n");
    free(text);
}

/* Numbers from 6 on, a hundredth apart, are written with no more decimals than necessary. */
static void svg_has_as_many_decimals_as_it_takes(void **state) {
    (void)state;
    for (int hundredths = 0; hundredths < 200; hundredths++) {
        struct shape shape = WORD(hundredths / 600.0, 0.5, 1, "x");
        char *text = written(svg_write, &shape, 1), expected[40];
        int length = snprintf(expected, sizeof expected, "<tspan x=\"%d.%02d", 6 + hundredths / 100,
                              hundredths % 100);
        while (expected[length - 1] == '0')
            length--;
        if (expected[length - 1] == '.')
            length--;
        snprintf(expected + length, sizeof expected - (size_t)length, "\">");
        contains(text, expected);
        free(text);
    }
}

/* Two frames: common shapes are written once, before them. */
static void frames_share_what_they_have_in_common(void **state) {
    (void)state;
    struct shape first[] = {WORD(0, 0.5, 3, "one"), WORD(0, 1.5, 4, "both"), LINE(5, 0, 5, 2),
                            WORD(6, 0.5, 3, "too")},
                 second[] = {LINE(5, 0, 5, 2), WORD(0, 0.5, 3, "two"), WORD(6, 0.5, 3, "too"),
                             WORD(0, 1.5, 4, "both")};
    const struct drawing drawings[] = {{first, 4, 4, 10, 2}, {second, 4, 4, 10, 2}};
    static const bool moves[] = {false, false};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    svg_write_animated(out, drawings, 2, moves, &paper, "two frames");
    assert_int_equal(fclose(out), 0);
    const char *frames = strstr(text, "<g class=\"frame f0\">");
    assert_non_null(frames);
    static const char *const shared[] = {">both<", ">too<", "M36 6L36 30"};
    for (size_t i = 0; i < 3; i++) {
        contains(text, shared[i]);
        assert_null(strstr(frames, shared[i]));
    }
    contains(frames, "<g class=\"frame f0\">\n<text y=\"15.5\"><tspan x=\"6\">one</tspan></text>\n"
                     "</g>\n<g class=\"frame f1 still\">\n<text y=\"15.5\"><tspan x=\"6\">two"
                     "</tspan></text>\n</g>\n");
    free(text);
}

static void tikz_has_each_shape_once(void **state) {
    (void)state;
    struct shape shapes[] = {WORD(2, 0.5, 5, "a_b&c"), LINE(0, 0, 4, 1), ROUND(SHAPE_DISC, 2, 0.5),
                             ROUND(SHAPE_RING, 4, 1)};
    char *text = written(tikz_write, shapes, 4);
    const char *body = strstr(text, "\\useasboundingbox");
    assert_non_null(body);
    assert_string_equal(
        body, "\\useasboundingbox (-5.25,5.25) rectangle (57.75,-26.25);\n"
              "\\draw[draw=black,line width=2.63pt] (0.00,0.00) -- (21.00,-10.50);\n"
              "\\fill[fill=black] (10.50,-5.25) circle[radius=2.10pt];\n"
              "\\draw[line width=0.7pt,draw=black,fill=white] (21.00,-10.50) circle"
              "[radius=1.75pt];\n"
              "\\node[anchor=base west,inner sep=0pt,text=black] at (10.50,-8.45) {a\\_b\\&c};\n"
              "\\end{tikzpicture}%\n");
    free(text);
}

/* Characters that TeX would interpret, or that its fonts would replace. */
static void tikz_escapes_what_tex_would_read(void **state) {
    (void)state;
    static const char *const words[][2] = {{"\\", "\\textbackslash{}"},
                                           {"~", "\\textasciitilde{}"},
                                           {"^", "\\textasciicircum{}"},
                                           {"{}", "\\{\\}"},
                                           {"%#&_$", "\\%\\#\\&\\_\\$"},
                                           {"\"'`", "\\textquotedbl{}\\textquotesingle{}"
                                                    "\\textasciigrave{}"},
                                           {"<>", "\\textless{}\\textgreater{}"},
                                           {"--", "-{}-{}"},
                                           {",,|", ",{},{}\\textbar{}"},
                                           {"…a×b", "\\ldots{}a$\\times$b"},
                                           {"x[0]=(1+2)*3/4:é!;", "x[0]=(1+2)*3/4:é!;"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct shape shape = WORD(0, 0.5, 1, memory_string(words[i][0]));
        char *text = written(tikz_write, &shape, 1), expected[80];
        snprintf(expected, sizeof expected, " {%s};\n\\end{tikzpicture}", words[i][1]);
        contains(text, expected);
        free(shape.text);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svg_has_each_shape_at_its_place),
        cmocka_unit_test(svg_has_as_many_decimals_as_it_takes),
        cmocka_unit_test(frames_share_what_they_have_in_common),
        cmocka_unit_test(tikz_has_each_shape_once),
        cmocka_unit_test(tikz_escapes_what_tex_would_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
