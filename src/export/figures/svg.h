/* svg.h - a drawing as SVG 1.1, limited to what browsers and librsvg show alike. */
#ifndef SHFLVIZ_EXPORT_SVG_H
#define SHFLVIZ_EXPORT_SVG_H

#include "export/figures/drawing.h"

#include <stdio.h>

/* `title` describes the picture, for those who cannot see it. */
void svg_write(FILE *out, const struct drawing *drawing, const struct drawing_look *look,
               const char *title);

/*
 * The drawings one after the other, each for a while, in a loop: if nothing moves (librsvg, paper,
 * a reader who asked for reduced motion), the last is visible. While a drawing with `moves` is
 * shown, dots run along its wires. All have one size, and share most of their shapes, which are
 * written once.
 */
void svg_write_animated(FILE *out, const struct drawing *drawings, size_t count, const bool *moves,
                        const struct drawing_look *look, const char *title);

#endif
