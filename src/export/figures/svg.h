/* svg.h - a drawing as SVG 1.1, limited to what browsers and librsvg show alike. */
#ifndef SHFLVIZ_EXPORT_SVG_H
#define SHFLVIZ_EXPORT_SVG_H

#include "export/figures/drawing.h"

#include <stdio.h>

/* `title` describes the picture, for those who cannot see it. */
void svg_write(FILE *out, const struct drawing *drawing, const struct drawing_look *look,
               const char *title);

/*
 * Writes the drawings so that they are shown one after the other, each for a while, in a loop. If
 * nothing moves (librsvg, paper, a reader who asked for reduced motion), the last is visible. While
 * a drawing with `moves` is shown, dots run along its wires. All drawings have the same size and
 * share most of their shapes, which are written once.
 */
void svg_write_animated(FILE *out, const struct drawing *drawings, size_t count, const bool *moves,
                        const struct drawing_look *look, const char *title);

#endif
