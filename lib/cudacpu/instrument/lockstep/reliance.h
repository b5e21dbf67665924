/*
 * reliance.h - finds functions that silently rely on the lanes of a warp running in step.
 *
 * Old programs let lanes of one warp exchange values through plain memory, with no
 * barrier between the write and the read. On a GPU whose lanes run in step that works, and on the
 * CPU warp it works if lanes keep step at accesses to that memory (simt/in_step.c). That costs
 * time, so it is done only for kernels in which a lane may write an element of an array and
 * then read another one, or the other way round, with no barrier or warp operation in between.
 *
 * Two addresses are one element if they are the same sum (address.h). Only a launch shows
 * whether two pointers passed to a kernel point into one array, so it is not known here.
 */
#ifndef CUDACPU_LOCKSTEP_RELIANCE_H
#define CUDACPU_LOCKSTEP_RELIANCE_H

#include "cudacpu/instrument/lockstep/touches.h"

/* The arrays (roots.h) for which the function relies on it; with `all_same`, as if all pointers
 * passed to it pointed into one array. */
uint64_t reliance_find(const struct touches *touches, bool all_same);

#endif
