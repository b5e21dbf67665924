/*
 * Styles that many shapes share are collected first and written once for a group, which makes files
 * much smaller. Animations do without scripts, so that every viewer can play them.
 */
#include "export/figures/svg.h"

#include "base/memory.h"
#include "export/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_WIDTH  6 /* user units, of which CSS has 96 to the inch */
#define CELL_HEIGHT 12
#define FONT_SIZE   10  /* of a font whose letters are 0.6 times as wide as tall */
#define BASELINE    3.5 /* below the middle of a row */
#define MARGIN      6
#define SECONDS     1.5 /* seconds that each frame is shown */

/* A length, with as many decimals as necessary and two at most, whatever the locale. */
static void number(FILE *out, double value) {
    const long hundredths = lround(value * 100);
    const long rest = labs(hundredths) % 100;
    fprintf(out, "%s%ld", hundredths < 0 ? "-" : "", labs(hundredths) / 100);
    if (rest % 10)
        fprintf(out, ".%02ld", rest);
    else if (rest)
        fprintf(out, ".%ld", rest / 10);
}

static double left(double column) {
    return MARGIN + column * CELL_WIDTH;
}

static double top(double row) {
    return MARGIN + row * CELL_HEIGHT;
}

static void point(FILE *out, struct point at) {
    number(out, left(at.x));
    putc(' ', out);
    number(out, top(at.y));
}

static void attribute(FILE *out, const char *name, double value) {
    fprintf(out, " %s=\"", name);
    number(out, value);
    putc('"', out);
}

/* ---- shapes ---- */

static void put_stroke(FILE *out, const struct shape *shape) {
    static const char *const dashes[] = {
        [DASH_LONG] = "5 3", [DASH_SHORT] = "2.5 2", [DASH_DOTS] = "0.1 2.2"};
    fprintf(out, " fill=\"none\" stroke=\"#%06x\"", (unsigned)shape->color);
    attribute(out, "stroke-width", shape->size * CELL_WIDTH * (shape->dash == DASH_DOTS ? 1.6 : 1));
    if (shape->dash != DASH_NONE)
        fprintf(out, " stroke-dasharray=\"%s\"", dashes[shape->dash]);
    if (shape->dash == DASH_DOTS)
        fputs(" stroke-linecap=\"round\"", out);
}

static void put_path(FILE *out, const struct shape *shape) {
    struct point control[2];
    fputs(" d=\"M", out);
    point(out, shape->point[0]);
    if (shape->kind == SHAPE_CURVE) {
        curve_controls(shape, control);
        putc('C', out);
        point(out, control[0]);
        putc(' ', out);
        point(out, control[1]);
        putc(' ', out);
        point(out, shape->point[1]);
    } else {
        for (int i = 1; i < shape->count; i++) {
            putc('L', out);
            point(out, shape->point[i]);
        }
    }
    fputs(shape->kind == SHAPE_AREA ? "z\"" : "\"", out);
}

static void put_disc(FILE *out, const struct shape *shape, const struct drawing_look *look) {
    const bool ring = shape->kind == SHAPE_RING;
    const double line = ring ? 0.8 : 0;
    fputs("<circle", out);
    attribute(out, "cx", left(shape->point[0].x));
    attribute(out, "cy", top(shape->point[0].y));
    attribute(out, "r", shape->size * CELL_WIDTH - line / 2);
    if (ring)
        fprintf(out, " fill=\"#%06x\" stroke=\"#%06x\" stroke-width=\"0.8\"/>\n",
                (unsigned)look_background(look), (unsigned)shape->color);
    else
        fprintf(out, " fill=\"#%06x\"/>\n", (unsigned)shape->color);
}

static void put_word(FILE *out, const struct shape *shape) {
    fputs("<tspan", out);
    attribute(out, "x", left(shape->point[0].x));
    if (shape->color != 0)
        fprintf(out, " fill=\"#%06x\"", (unsigned)shape->color);
    if (shape->bold)
        fputs(" font-weight=\"bold\"", out);
    putc('>', out);
    xml_escaped(out, shape->text);
    fputs("</tspan>", out);
}

/* The words of a row become one text element, so that the row is selected and read as a whole. */
static void put_text(FILE *out, const struct shape *shape, const struct shape *before,
                     const struct shape *after) {
    const double y = shape->point[0].y;
    const bool begins = !before || before->kind != SHAPE_TEXT || before->point[0].y != y;
    const bool ends = !after || after->kind != SHAPE_TEXT || after->point[0].y != y;
    if (begins) {
        fputs("<text", out);
        attribute(out, "y", top(y) + BASELINE);
        putc('>', out);
    } else if (shape->point[0].x > before->point[0].x + before->size) {
        putc(' ', out);
    }
    put_word(out, shape);
    if (ends)
        fputs("</text>\n", out);
}

static void put_shape(FILE *out, const struct shape *shape, const struct drawing_look *look) {
    switch (shape->kind) {
    case SHAPE_DISC:
    case SHAPE_RING:
        put_disc(out, shape, look);
        return;
    case SHAPE_AREA:
        fputs("<path", out);
        put_path(out, shape);
        fprintf(out, " fill=\"#%06x\"/>\n", (unsigned)shape->color);
        return;
    case SHAPE_TEXT:
        return;
    default:
        fputs("<path", out);
        put_path(out, shape);
        put_stroke(out, shape);
        fputs("/>\n", out);
    }
}

/* ---- which shapes ---- */

static bool same_shape(const struct shape *a, const struct shape *b) {
    if (a->kind != b->kind || a->dash != b->dash || a->count != b->count || a->size != b->size ||
        a->color != b->color || a->bold != b->bold || !a->text != !b->text ||
        (a->text && strcmp(a->text, b->text) != 0))
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->point[i].x != b->point[i].x || a->point[i].y != b->point[i].y)
            return false;
    return true;
}

static bool has(const struct drawing *drawing, const struct shape *wanted) {
    for (size_t i = 0; i < drawing->count; i++)
        if (same_shape(&drawing->shapes[i], wanted))
            return true;
    return false;
}

static bool all_have(const struct drawing *drawings, size_t count, const struct shape *wanted) {
    for (size_t i = 0; i < count; i++)
        if (!has(&drawings[i], wanted))
            return false;
    return true;
}

/* Finds the shapes of the first drawing that all the others share; the caller frees them. */
static bool *find_shared(const struct drawing *of, const struct drawing *drawings, size_t count) {
    bool *shared = memory_zeroed(of->count + 1, sizeof *shared);
    for (size_t i = 0; i < of->count; i++)
        shared[i] = all_have(drawings, count, &of->shapes[i]);
    return shared;
}

/* The next word to be written, from `i` on; NULL after the last. */
static const struct shape *next_word(const struct drawing *drawing, size_t i, const bool *shared,
                                     bool wanted) {
    for (; i < drawing->count; i++)
        if (drawing->shapes[i].kind == SHAPE_TEXT && (!shared || shared[i] == wanted))
            return &drawing->shapes[i];
    return NULL;
}

/* Writes the shapes whose `shared` is `wanted`; all if `shared` is NULL. Text is last, on top. */
static void put_shapes(FILE *out, const struct drawing *drawing, const bool *shared, bool wanted,
                       const struct drawing_look *look) {
    const struct shape *before = NULL;
    for (size_t i = 0; i < drawing->count; i++)
        if (!shared || shared[i] == wanted)
            put_shape(out, &drawing->shapes[i], look);
    for (size_t i = 0; i < drawing->count; i++) {
        const struct shape *shape = &drawing->shapes[i];
        if (shape->kind != SHAPE_TEXT || (shared && shared[i] != wanted))
            continue;
        put_text(out, shape, before, next_word(drawing, i + 1, shared, wanted));
        before = shape;
    }
}

/* ---- the document ---- */

static void begin(FILE *out, const struct drawing *drawing, const struct drawing_look *look,
                  const char *title) {
    const double width = drawing->columns * CELL_WIDTH + 2 * MARGIN;
    const double height = drawing->rows * CELL_HEIGHT + 2 * MARGIN;
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"", out);
    attribute(out, "width", width);
    attribute(out, "height", height);
    fputs(" viewBox=\"0 0 ", out);
    number(out, width);
    putc(' ', out);
    number(out, height);
    fputs("\">\n<title>", out);
    xml_escaped(out, title);
    fputs("</title>\n", out);
    if (!look->light)
        fprintf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n",
                (unsigned)look_background(look));
}

static void begin_shapes(FILE *out) {
    fprintf(out,
            "<g font-family=\"'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace\" "
            "font-size=\"%d\">\n",
            FONT_SIZE);
}

void svg_write(FILE *out, const struct drawing *drawing, const struct drawing_look *look,
               const char *title) {
    begin(out, drawing, look, title);
    begin_shapes(out);
    put_shapes(out, drawing, NULL, true, look);
    fputs("</g>\n</svg>\n", out);
}

/* ---- frames ---- */

/* Each frame is visible for one part of the whole; the last one is visible if nothing moves. */
static void put_style(FILE *out, size_t count) {
    const double whole = (double)count * SECONDS;
    fputs("<style>\n.frame{opacity:0}\n.still{opacity:1}\n@media (prefers-reduced-motion:"
          "no-preference){\n",
          out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, ".f%zu{animation:f%zu ", i, i);
        number(out, whole);
        fprintf(out, "s step-end infinite}\n@keyframes f%zu{0%%{opacity:%d}", i, i == 0);
        if (i > 0) {
            number(out, 100.0 * (double)i / (double)count);
            fputs("%{opacity:1}", out);
        }
        if (i + 1 < count) {
            number(out, 100.0 * (double)(i + 1) / (double)count);
            fputs("%{opacity:0}", out);
        }
        fputs("}\n", out);
    }
    fputs("}\n@media (prefers-reduced-motion:reduce){.moving{display:none}}\n</style>\n", out);
}

/* Dots along the wires of a frame, while it is visible. They start outside the picture, and stay
 * there if nothing moves. */
static void put_moving(FILE *out, const struct drawing *drawing, size_t frame, size_t count) {
    const double whole = (double)count * SECONDS;
    const double from = (double)frame / (double)count, to = (double)(frame + 1) / (double)count;
    fprintf(out, "<g class=\"frame moving f%zu\">\n", frame);
    for (size_t i = 0; i < drawing->count; i++) {
        const struct shape *shape = &drawing->shapes[i];
        if (shape->kind != SHAPE_CURVE)
            continue;
        struct point control[2];
        curve_controls(shape, control);
        fprintf(out, "<circle r=\"2.2\" fill=\"#%06x\"><animateMotion dur=\"",
                (unsigned)shape->color);
        number(out, whole);
        fputs("s\" repeatCount=\"indefinite\" calcMode=\"linear\" keyPoints=\"0;0;1;1\" "
              "keyTimes=\"0;",
              out);
        fprintf(out, "%ld.%04ld;%ld.%04ld;1\" path=\"M", lround(from * 10000) / 10000,
                lround(from * 10000) % 10000, lround(to * 10000) / 10000,
                lround(to * 10000) % 10000);
        point(out, shape->point[0]);
        putc('C', out);
        point(out, control[0]);
        putc(' ', out);
        point(out, control[1]);
        putc(' ', out);
        point(out, shape->point[1]);
        fputs("\"/></circle>\n", out);
    }
    fputs("</g>\n", out);
}

void svg_write_animated(FILE *out, const struct drawing *drawings, size_t count, const bool *moves,
                        const struct drawing_look *look, const char *title) {
    const struct drawing *last = &drawings[count - 1];
    begin(out, last, look, title);
    put_style(out, count);
    begin_shapes(out);
    bool *shared = find_shared(last, drawings, count);
    put_shapes(out, last, shared, true, look);
    free(shared);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "<g class=\"frame f%zu%s\">\n", i, i + 1 == count ? " still" : "");
        shared = find_shared(&drawings[i], drawings, count);
        put_shapes(out, &drawings[i], shared, false, look);
        free(shared);
        fputs("</g>\n", out);
        if (moves[i])
            put_moving(out, &drawings[i], i, count);
    }
    fputs("</g>\n</svg>\n", out);
}
