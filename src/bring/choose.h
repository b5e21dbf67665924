/*
 * choose.h - chooses the unspecified parts of a launch by the names in the file; not for other
 * folders.
 *
 * Grid 1. Block: that of the file's own launch of the kernel, else that of a template parameter or
 * __launch_bounds__, else 64 threads, two warps. Whole numbers called n, size, rows, ...: a single
 * one is the number of threads, several are 64, 32 or 16 each; other whole numbers and real numbers
 * are 1, but one called eps is 0.00001. Arrays have room for the product of the sizes, at least
 * 4096, and hold thread % 64, or 0 if they are written. Types of templates: float, int if the name
 * suggests an index, the sum if it suggests an operator.
 */
#ifndef SHFLVIZ_BRING_CHOOSE_H
#define SHFLVIZ_BRING_CHOOSE_H

#include "bring/values.h"

void choose_launch(struct bring_launch *launch, const char *text);

#endif
