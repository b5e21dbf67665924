/*
 * crash.h - a user program that crashes, or is about to exceed its time limit, reports where:
 * kernel, block, thread, file and line. An invalid access of a kernel is not a crash but CUDA's
 * error 700. Linked into the program.
 */
#ifndef SHFLVIZ_DEVICE_OWN_CRASH_H
#define SHFLVIZ_DEVICE_OWN_CRASH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Begins watching. `sources` is the list of the program's files (settings_file.h), NULL if there
 * is none. `seconds` is the program's time limit, 0 for none: shortly before it the program
 * reports where it is. Lines are found with addr2line, and left out where that cannot be run.
 */
void crash_watch(const char *sources, unsigned seconds);

/* "FILE:LINE" of the user's program for a call that returns to `pc`; "" if it is not known. */
void crash_location(const void *pc, char *text, size_t size);

/* True if this is the reason why a kernel ended, and it has been reported. */
bool crash_was_reported(const char *failure);

#endif
