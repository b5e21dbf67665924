/*
 * choose.h - chooses the unspecified parts of a launch from the names in the file; private to
 * this folder.
 *
 * - Grid: 1.
 * - Block: as in the file's own launch of the kernel, else from a template parameter,
 *   __launch_bounds__ or a constant, else 64 threads, which are two warps.
 * - Whole numbers called n, size, rows, ...: the number of threads if there is only one of them;
 *   several are 64, 32 or 16 each.
 * - Other numbers: 1, but a real number called eps is 0.00001, and a mask 0xffffffff.
 * - Arrays: as many elements as the product of the sizes, at least 4096; they are filled with
 *   thread % 64, or with 0 if the kernel writes them.
 * - Template types: float, but int if the name suggests an index, and the sum if it suggests an
 *   operator.
 */
#ifndef SHFLVIZ_BRING_CHOOSE_H
#define SHFLVIZ_BRING_CHOOSE_H

#include "bring/values.h"

void choose_launch(struct bring_launch *launch, const char *text);

#endif
