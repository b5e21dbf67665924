/*
 * fragment_parts.h - one matrix of an instruction as a table, for screens, paper and lessons. For
 * src/view only.
 */
#ifndef SHFLVIZ_VIEW_FRAGMENT_PARTS_H
#define SHFLVIZ_VIEW_FRAGMENT_PARTS_H

#include "replay/pages/fragment_page.h"
#include "view/grid.h"

#define FRAGMENT_HEAD_ROWS   2 /* above a matrix: its name, the column numbers */
#define FRAGMENT_NARROW      3 /* columns of a cell: the lane */
#define FRAGMENT_VALUE_LEAST 4 /* columns of a cell with a value, including a blank */

/* The lit cells: those of a lane (-1: none), and on a screen the cursor's. */
struct fragment_lit {
    int lane;
    const struct fragment_page *page;
    bool has_cursor;
    bool in_lesson; /* a click chooses the lane */
    bool alone;     /* the other lanes' cells are hidden */
};

/* Columns of a cell that shows its element, too: "31 c3 ". */
int fragment_wide_cell(const struct fragment *fragment);
/* The widest cells with which a tile fits, else the narrow ones. */
int fragment_cell_for(const struct fragment *fragment, int columns, int rows);
/* The columns of a cell in which no value of a fragment is cut, as far as there is room. */
int fragment_value_cell(const struct fragment_page *page, size_t which);
int fragment_matrix_columns(const struct fragment *fragment, int cell);
/* The rows of all matrices; those that do not fit side by side go below, after a blank row. */
int fragment_tile_rows(const struct fragment *fragment, int cell, int columns);

/* Draws all matrices of a fragment; if they do not fit, from the cursor's row on. */
void fragment_draw_tile(struct area area, const struct fragments *fragments, size_t which,
                        int columns, const struct fragment_lit *lit);

/* Draws rows in shared memory, their banks and, where there is room, elements of as many matrices
 * as fit, starting with the cursor's. Returns the rows taken. */
#define FRAGMENT_BANKS 50 /* the columns before the elements */
int fragment_draw_banks(struct area area, const struct fragments *fragments, int columns, int gap,
                        const struct fragment_lit *lit);

#endif
