/*
 * choose.h - chooses the unspecified parts of a launch from names; not for other folders.
 *
 * Grid 1. Block: that of the file's own launch of the kernel, else that of a template parameter or
 * __launch_bounds__, else 64 threads, two warps. Whole numbers called n, size, rows, ...: one of
 * them is the number of threads, several 64, 32 or 16 each; other whole numbers 1, real numbers 1,
 * called eps 0.00001. Arrays have room for the product of the sizes, at least 4096, and the values
 * thread % 64; arrays that are written, 0. Types of templates: float, int if the name suggests an
 * index, the sum if it suggests an operator.
 */
#ifndef SHFLVIZ_BRING_CHOOSE_H
#define SHFLVIZ_BRING_CHOOSE_H

#include "bring/values.h"

void choose_launch(struct bring_launch *launch, const char *text);

#endif
