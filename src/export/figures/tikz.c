/*
 * One command for each shape, in units of the picture, without packages beyond tikz, so that the
 * figure compiles in any document and a person can edit it.
 */
#include "export/figures/tikz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LaTeX's typewriter font is 0.525 times as wide as it is high, at 10 points. */
#define CELL_WIDTH  5.25 /* points */
#define CELL_HEIGHT 10.5
#define BASELINE    3.2 /* below the middle of a row */

/* A length in points, with two decimals, whatever the locale. */
static void number(FILE *out, double value) {
    const long hundredths = lround(value * 100);
    fprintf(out, "%s%ld.%02ld", hundredths < 0 ? "-" : "", labs(hundredths) / 100,
            labs(hundredths) % 100);
}

static void point(FILE *out, struct point at) {
    putc('(', out);
    number(out, at.x * CELL_WIDTH);
    putc(',', out);
    number(out, -at.y * CELL_HEIGHT);
    putc(')', out);
}

/* Escapes characters that TeX interprets, or that its fonts replace. */
static void escaped(FILE *out, const char *text) {
    static const struct {
        char c;
        const char *tex;
    } signs[] = {
        {'\\', "\\textbackslash{}"},
        {'~', "\\textasciitilde{}"},
        {'^', "\\textasciicircum{}"},
        {'{', "\\{"},
        {'}', "\\}"},
        {'%', "\\%"},
        {'#', "\\#"},
        {'&', "\\&"},
        {'_', "\\_"},
        {'$', "\\$"},
        {'"', "\\textquotedbl{}"},
        {'\'', "\\textquotesingle{}"},
        {'`', "\\textasciigrave{}"},
        {'<', "\\textless{}"},
        {'>', "\\textgreater{}"},
        {'-', "-{}"},
        {',', ",{}"},
        {'|', "\\textbar{}"},
    };
    for (; *text; text++) {
        const char *tex = NULL;
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (signs[i].c == *text)
                tex = signs[i].tex;
        if (tex)
            fputs(tex, out);
        else if (strncmp(text, "…", strlen("…")) == 0) {
            fputs("\\ldots{}", out);
            text += strlen("…") - 1;
        } else if (strncmp(text, "×", strlen("×")) == 0) {
            fputs("$\\times$", out);
            text += strlen("×") - 1;
        } else
            putc(*text, out);
    }
}

/* A comment ends with its line, and TeX would run the rest. */
static void comment(FILE *out, const char *text) {
    fputs("% ", out);
    for (; *text; text++)
        putc((unsigned char)*text < ' ' || *text == '\177' ? ' ' : *text, out);
    putc('\n', out);
}

static void color(FILE *out, int32_t rgb) {
    if (rgb == 0)
        fputs("black", out);
    else if (rgb == 0xffffff)
        fputs("white", out);
    else
        fprintf(out, "{rgb,255:red,%d;green,%d;blue,%d}", (int)(rgb >> 16), (int)(rgb >> 8 & 255),
                (int)(rgb & 255));
}

/* ---- shapes ---- */

static void put_line(FILE *out, const struct shape *shape) {
    static const char *const dashes[] = {[DASH_NONE] = "",
                                         [DASH_LONG] = ",dash pattern=on 4pt off 2.4pt",
                                         [DASH_SHORT] = ",dash pattern=on 2pt off 1.6pt",
                                         [DASH_DOTS] =
                                             ",line cap=round,dash pattern=on 0.1pt off 1.8pt"};
    struct point control[2];
    fputs("\\draw[draw=", out);
    color(out, shape->color);
    fputs(",line width=", out);
    number(out, shape->size * CELL_WIDTH * (shape->dash == DASH_DOTS ? 1.6 : 1));
    fprintf(out, "pt%s] ", dashes[shape->dash]);
    point(out, shape->point[0]);
    if (shape->kind == SHAPE_CURVE) {
        curve_controls(shape, control);
        fputs(" .. controls ", out);
        point(out, control[0]);
        fputs(" and ", out);
        point(out, control[1]);
        fputs(" .. ", out);
        point(out, shape->point[1]);
    }
    for (int i = 1; shape->kind != SHAPE_CURVE && i < shape->count; i++) {
        fputs(" -- ", out);
        point(out, shape->point[i]);
    }
    fputs(";\n", out);
}

static void put_disc(FILE *out, const struct shape *shape, const struct drawing_look *look) {
    const double line = shape->kind == SHAPE_RING ? 0.7 : 0;
    fputs(line > 0 ? "\\draw[line width=0.7pt,draw=" : "\\fill[fill=", out);
    color(out, shape->color);
    if (line > 0) {
        fputs(",fill=", out);
        color(out, look_background(look));
    }
    fputs("] ", out);
    point(out, shape->point[0]);
    fputs(" circle[radius=", out);
    number(out, shape->size * CELL_WIDTH - line / 2);
    fputs("pt];\n", out);
}

static void put_area(FILE *out, const struct shape *shape) {
    fputs("\\fill[fill=", out);
    color(out, shape->color);
    fputs("] ", out);
    for (int i = 0; i < shape->count; i++) {
        point(out, shape->point[i]);
        fputs(" -- ", out);
    }
    fputs("cycle;\n", out);
}

static void put_word(FILE *out, const struct shape *shape) {
    const struct point base = {shape->point[0].x, shape->point[0].y + BASELINE / CELL_HEIGHT};
    fputs("\\node[anchor=base west,inner sep=0pt,text=", out);
    color(out, shape->color);
    fputs("] at ", out);
    point(out, base);
    fprintf(out, " {%s", shape->bold ? "\\bfseries " : "");
    escaped(out, shape->text);
    fputs("};\n", out);
}

static void put_shape(FILE *out, const struct shape *shape, const struct drawing_look *look) {
    switch (shape->kind) {
    case SHAPE_TEXT:
        put_word(out, shape);
        break;
    case SHAPE_AREA:
        put_area(out, shape);
        break;
    case SHAPE_DISC:
    case SHAPE_RING:
        put_disc(out, shape, look);
        break;
    default:
        put_line(out, shape);
    }
}

void tikz_write(FILE *out, const struct drawing *drawing, const struct drawing_look *look,
                const char *title) {
    const double width = drawing->columns, height = drawing->rows;
    comment(out, title);
    fputs(
        "% In the preamble: \\usepackage[T1]{fontenc} \\usepackage{lmodern} "
        "\\usepackage{textcomp}\n"
        "% \\usepackage{tikz}\n"
        "% To size it: \\resizebox{\\linewidth}{!}{\\input{FILE}}\n"
        "\\begin{tikzpicture}[x=1pt,y=1pt,every node/.style={font=\\fontsize{10}{10}\\ttfamily}]\n",
        out);
    if (look->light)
        fputs("\\useasboundingbox", out);
    else {
        fputs("\\fill[fill=", out);
        color(out, look_background(look));
        putc(']', out);
    }
    fputs(" ", out);
    point(out, (struct point){-1, -0.5});
    fputs(" rectangle ", out);
    point(out, (struct point){width + 1, height + 0.5});
    fputs(";\n", out);
    for (int text = 0; text < 2; text++)
        for (size_t i = 0; i < drawing->count; i++)
            if ((drawing->shapes[i].kind == SHAPE_TEXT) == (text == 1))
                put_shape(out, &drawing->shapes[i], look);
    fputs("\\end{tikzpicture}%\n", out);
}
