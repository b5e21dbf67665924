/*
 * view.h - drawing a moment of a replay into a grid of cells.
 *
 * Pure: the same replay and size give the same cells. 80x24 shows all 32 lanes without scrolling;
 * 120x40 and above put several views side by side; below 60x20 one clear line says what is needed.
 */
#ifndef SHFLVIZ_VIEW_VIEW_H
#define SHFLVIZ_VIEW_VIEW_H

#include "replay/replay.h"
#include "view/grid.h"

#define VIEW_MIN_COLUMNS 60
#define VIEW_MIN_ROWS    20

/* The whole screen of the program, into all of the grid. */
void view_draw(struct grid *grid, const struct replay *replay);

/*
 * One operation as a table for `--format text`: a heading, the call, 32 lanes with in, reads, from,
 * status and out, and what is to be said below. Sizes the grid itself, at least `columns` wide
 * where it helps.
 */
void view_draw_table(struct grid *grid, const struct replay *replay, int columns);

#endif
