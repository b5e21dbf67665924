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
 * One operation as a table for `--format text`, whatever the phase: a heading, the call, a blank
 * line, column headings, 32 lanes (lane, group, in, formula, the lane read, status, out), and below
 * them findings and what is to be known about the recording. Sizes the grid itself: at least
 * `columns` wide, wider where the table or the call needs it. Undefined values are "?".
 */
void view_draw_table(struct grid *grid, const struct replay *replay, int columns);

#endif
