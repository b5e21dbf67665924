/*
 * drawing.h - a picture as shapes, for the vector formats SVG and TikZ.
 *
 * Shapes are made from a grid of cells (view/grid.h) in the order in which they are drawn. Lengths
 * are in cells: x in columns from the left, y in rows from the top; each format chooses the size of
 * a cell. Colours are exact; for black and white there is `mono`, in which lines are distinguished
 * by their dashes and text is black or grey.
 */
#ifndef SHFLVIZ_EXPORT_DRAWING_H
#define SHFLVIZ_EXPORT_DRAWING_H

#include "view/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shape_kind {
    SHAPE_TEXT,  /* a word, from point 0 on; y is the middle of its row */
    SHAPE_PATH,  /* a line through the points */
    SHAPE_AREA,  /* the polygon, filled */
    SHAPE_CURVE, /* a wire from point 0 to point 1, vertical at both ends */
    SHAPE_DISC,  /* around point 0, filled */
    SHAPE_RING,  /* the same, empty */
};

enum dash { DASH_NONE, DASH_LONG, DASH_SHORT, DASH_DOTS };

#define SHAPE_POINTS 4
struct point {
    double x, y;
};
struct shape {
    enum shape_kind kind;
    enum dash dash;
    int count; /* of points */
    struct point point[SHAPE_POINTS];
    double size;   /* for a line its width, for a disc its radius, for a word its length: in
                    * columns */
    int32_t color; /* 0xRRGGBB */
    bool bold;
    char *text; /* SHAPE_TEXT: UTF-8, printable; owned */
};

struct drawing {
    struct shape *shapes;
    size_t count, room;
    double columns, rows; /* that the content takes */
};

struct drawing_look {
    bool light;      /* for a white background */
    bool mono;       /* without colours */
    bool marks_lane; /* as in struct figure_options: parts out of focus recede */
};

/* The cells that are not empty. */
struct crop {
    int left, top, right, bottom; /* right and bottom are exclusive */
};
struct crop drawing_crop(const struct grid *grid);
/* The smallest rectangle that holds both. */
struct crop crop_join(struct crop a, struct crop b);

/* Initialise it with {0}. */
void drawing_release(struct drawing *drawing);
/* Adds the content of these cells of the grid, below the existing shapes. */
void drawing_add(struct drawing *drawing, const struct grid *grid, struct crop crop,
                 const struct drawing_look *look);

/* A curve's points 0 and 1 are its ends; these are the other two control points of the cubic Bezier
 * curve. */
void curve_controls(const struct shape *curve, struct point control[2]);

/* The colour of the background, and that of ordinary ink. */
int32_t look_background(const struct drawing_look *look);
int32_t look_ink(const struct drawing_look *look);

#endif
