/*
 * varied.h - finds the results that depend on undefined values, for the main() that shflviz writes
 * around a kernel (bring/call.cuh).
 *
 * Linked into every program that is watched.
 */
#ifndef SHFLVIZ_CUDACPU_GUEST_VARIED_H
#define SHFLVIZ_CUDACPU_GUEST_VARIED_H

#include <stdbool.h>

/* Returns true once a lane has read an undefined value. */
bool shflviz_gave_undefined(void);

/*
 * Calls `body` in a child process in which undefined values have other bits. The caller sees what
 * `body` writes into memory that both share (mmap), and nothing else. Returns false if there was
 * no such run, or it did not end: it crashed, or took over 10 seconds.
 */
bool shflviz_run_varied(void (*body)(void *context), void *context);

#endif
