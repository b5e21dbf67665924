/*
 * refused.h - what CUDA refuses and a host's C++ compiler takes: a host function called by a
 * kernel, a kernel that returns a value, a launch of what is no kernel.
 *
 * To the compiler of the CPU warp all functions are alike, so such a program would run here and not
 * compile with nvcc. This looks at words, not at types: only what is sure is refused. A name counts
 * where it is declared once and means nothing else anywhere in the text; templates are left out,
 * and so is whatever is not evaluated.
 */
#ifndef SHFLVIZ_DEVICE_OWN_REFUSED_H
#define SHFLVIZ_DEVICE_OWN_REFUSED_H

#include "base/error.h"

#include <stddef.h>

/*
 * Looks at what the preprocessor made of a .cu file, in which `__global__` and the like have stayed
 * as they are. What comes from the system, or from the folders `skipped` (ended by NULL; may be
 * NULL), is not looked at. Fails (ERROR_USAGE) with "FILE:LINE: ..." at the first thing that nvcc
 * refuses.
 */
int refuse_cuda(const char *source, size_t length, char *const *skipped, struct error *err);

#endif
