/*
 * choose.h - what a launch leaves open, chosen from words; not for other folders.
 *
 * Grid 1. Block: what the file launches the kernel with, else what a template parameter or
 * __launch_bounds__ says, else 64 threads, two warps. Whole numbers called n, size, rows, ...: one
 * of them is the number of threads, several 64, 32 or 16 each; other whole numbers 1, real numbers
 * 1, called eps 0.00001. Arrays have room for the product of the sizes, at least 4096, and the
 * values thread % 64; those that are written, 0. Types of templates: float, int where the name says
 * an index, the sum where it says an operator.
 */
#ifndef SHFLVIZ_BRING_CHOOSE_H
#define SHFLVIZ_BRING_CHOOSE_H

#include "bring/values.h"

void choose_launch(struct bring_launch *launch, const char *text);

#endif
