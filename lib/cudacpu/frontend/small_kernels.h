/*
 * small_kernels.h - kernels so small that the loop over the lanes of a warp takes them in
 * (cudacpu/include/cudacpu/launch.h): to call them takes as long as they do. They call nothing and
 * have no loops, so nothing else comes along, and what they would do twice is short.
 */
#ifndef SHFLVIZ_DEVICE_OWN_SMALL_KERNELS_H
#define SHFLVIZ_DEVICE_OWN_SMALL_KERNELS_H

#include "base/text.h"

#include <stddef.h>

/* Appends the name of each of them in what the preprocessor made of a .cu file (words.h), with a
 * line end. */
void small_kernels_find(struct text *names, const char *source, size_t length,
                        char *const *skipped);

/* The beginning of a launch: the launcher, and the kernel's name as its first argument, which says
 * whether the kernel, as it is launched ("space::name<int>"), is in `names`. */
void small_kernels_begin_launch(const struct text *names, struct text *out,
                                const struct text *kernel);

#endif
