/*
 * varied.h - for the main() that shflviz writes around a kernel (bring/call.cuh): which of the
 * results depend on values that nothing defines.
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
 * `body` writes into memory that both share (mmap), and nothing else of it. Returns false if there
 * was no such run, or not to its end: it crashed, or took over 10 seconds.
 */
bool shflviz_run_varied(void (*body)(void *context), void *context);

#endif
