/*
 * crash.h - a program of somebody's own that crashes, or is about to be ended for its time, says
 * where: kernel, block, thread, file and line. An access of a kernel to where it may not is no
 * crash but CUDA's error 700. Linked into the program.
 */
#ifndef SHFLVIZ_DEVICE_OWN_CRASH_H
#define SHFLVIZ_DEVICE_OWN_CRASH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * From now on. `sources` is the list of the program's files (settings_file.h), NULL if there is
 * none. `seconds` is what the program is given, 0 for no limit: shortly before that it says where
 * it is. Lines are found with addr2line, and left out where that cannot be run.
 */
void crash_watch(const char *sources, unsigned seconds);

/* "FILE:LINE" of the program's own for the place that a call at `pc` returns to; "" if it is not
 * known. */
void crash_place(const void *pc, char *text, size_t size);

/* Whether this is why a kernel ended, and it has been said. */
bool crash_is_told(const char *failure);

#endif
