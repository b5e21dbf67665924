/*
 * snippet_cells.h - the shared memory `s` of a snippet: who may count on what is in a cell.
 *
 * Between a write and another lane's access to the same cell there has to be a __syncwarp() that
 * both come to; a shuffle is none (CUDA Programming Guide 13.3, May 2026, 5.4.6.5 and 5.4.4.2).
 * What is read without one is undefined, and so is all of the code where a lane writes over what
 * another one may still be reading.
 */
#ifndef SHFLVIZ_EXPLAIN_SNIPPET_CELLS_H
#define SHFLVIZ_EXPLAIN_SNIPPET_CELLS_H

#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

#define SNIPPET_CELLS 64

struct snippet_cell {
    int64_t value;
    bool known;       /* it was written, by one lane, a defined value */
    uint32_t sees;    /* lanes that may count on the value */
    uint32_t readers; /* lanes that have read it since it was written */
    uint32_t after;   /* lanes that may write over it, as far as its readers go */
};

struct snippet_cells {
    struct snippet_cell cell[SNIPPET_CELLS];
    bool raced; /* a lane wrote over what another one may be reading */
};

/* Returns whether what was read is defined. Another index than 0 to 63 has nothing. */
bool snippet_cells_read(struct snippet_cells *cells, int lane, int64_t index, int64_t *value);

void snippet_cells_write(struct snippet_cells *cells, int lane, int64_t index, int64_t value,
                         bool defined);

/* The lanes meet: each sees from then on what one of them saw. */
void snippet_cells_meet(struct snippet_cells *cells, uint32_t lanes);

#endif
