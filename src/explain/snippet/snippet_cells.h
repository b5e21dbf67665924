/*
 * snippet_cells.h - the shared memory `s` of a snippet, and the lanes that may rely on a cell's
 * value.
 *
 * Between a write and another lane's access to the same cell there must be a __syncwarp() that both
 * reach; a shuffle does not count (CUDA Programming Guide 13.3, May 2026, 5.4.6.5 and 5.4.4.2). A
 * read without one is undefined, and so is the whole code if a lane overwrites a value that another
 * lane may still be reading.
 */
#ifndef SHFLVIZ_EXPLAIN_SNIPPET_CELLS_H
#define SHFLVIZ_EXPLAIN_SNIPPET_CELLS_H

#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

#define SNIPPET_CELLS 64

struct snippet_cell {
    int64_t value;
    bool known;       /* one lane wrote a defined value to it */
    uint32_t sees;    /* lanes that may rely on the value */
    uint32_t readers; /* lanes that have read it since it was written */
    uint32_t after;   /* lanes that may overwrite it, as far as its readers are concerned */
};

struct snippet_cells {
    struct snippet_cell cell[SNIPPET_CELLS];
    bool raced; /* a lane overwrote a value that another may be reading */
};

/* True if the value read is defined. An index other than 0 to 63 has no cell. */
bool snippet_cells_read(struct snippet_cells *cells, int lane, int64_t index, int64_t *value);

void snippet_cells_write(struct snippet_cells *cells, int lane, int64_t index, int64_t value,
                         bool defined);

/* The lanes meet: from then on each sees everything that any of them has seen. */
void snippet_cells_meet(struct snippet_cells *cells, uint32_t lanes);

#endif
