/*
 * history_table.h - a whole warp as one table, a row for each lane, a column for each operation:
 * the table that a teacher draws for a reduction.
 *
 * Each operation has a column of the lanes' values and one of their results; "=" marks a lane that
 * kept its own value because it was out of range, "?" an undefined value, "." a lane that made no
 * call.
 */
#ifndef SHFLVIZ_EXPORT_HISTORY_TABLE_H
#define SHFLVIZ_EXPORT_HISTORY_TABLE_H

#include "trace/trace.h"
#include "view/grid.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Draws the operations of a warp from *position on, as many as fit in `columns` but at least one,
 * and advances *position. Sizes the grid itself. Returns false if none was left.
 */
bool history_draw(struct grid *grid, const struct trace *trace, const struct trace_warp *warp,
                  int columns, uint64_t *position);

#endif
