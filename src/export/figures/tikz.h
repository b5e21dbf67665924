/*
 * tikz.h - a drawing as a tikzpicture, to be \input into a LaTeX document that uses tikz.
 */
#ifndef SHFLVIZ_EXPORT_TIKZ_H
#define SHFLVIZ_EXPORT_TIKZ_H

#include "export/figures/drawing.h"

#include <stdio.h>

/* Characters beyond ASCII are left as they are; XeLaTeX and LuaLaTeX accept them. */
void tikz_write(FILE *out, const struct drawing *drawing, const struct drawing_look *look,
                const char *title);

#endif
