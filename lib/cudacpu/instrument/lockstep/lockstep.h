/*
 * lockstep.h - finds the kernels that rely on lanes in step (reliance.h), and adds calls to
 * observe/access.c before the accesses at which their lanes then keep step (simt/in_step.c).
 *
 * A kernel that would rely on this if two pointers pointed into one array exists twice: with the
 * calls and without them. Each launch chooses one (runtime/launch.c).
 */
#ifndef CUDACPU_LOCKSTEP_H
#define CUDACPU_LOCKSTEP_H

#include "cudacpu/instrument/instrument.h"

/* Fills in the kernels' flags. Calls must have been inlined, and variables of functions must be
 * registers. */
void lockstep_find(struct unit *u);
/* Prints them: "NAME: shared global if_same". */
void lockstep_print(const struct unit *u);

/* Makes the version without such calls, once the kernels have been inlined. */
void lockstep_strip(LLVMValueRef function);

#endif
