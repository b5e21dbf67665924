/*
 * leans.h - whether a function leans on the lanes of a warp running in step, without saying so.
 *
 * Old programs let lanes of one warp hand values to each other through plain memory, with no
 * barrier between the write and the read. On a GPU whose lanes run in step that works, and on the
 * CPU warp it works if lanes keep step at accesses to that memory (simt/in_step.c). That costs
 * time, so it is done for those kernels alone in which a lane may write an element of an array and
 * then read another one, or the other way round, with no barrier or operation of the warp between.
 *
 * Two addresses are one element if they are the same sum (address.h). Of two pointers that a kernel
 * is given nobody knows here whether they point into one array: only a launch shows that.
 */
#ifndef CUDACPU_LOCKSTEP_LEANS_H
#define CUDACPU_LOCKSTEP_LEANS_H

#include "cudacpu/instrument/lockstep/touches.h"

/* The arrays (roots.h) at which it does; `all_same`: if all pointers that it is given were into one
 * array. */
uint64_t leans_at(const struct touches *touches, bool all_same);

#endif
