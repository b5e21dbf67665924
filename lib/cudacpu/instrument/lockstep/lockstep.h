/*
 * lockstep.h - which kernels lean on lanes in step (leans.h), and calls of observe/access.c before
 * the accesses at which their lanes then keep step (simt/in_step.c).
 *
 * A kernel that would lean on it if two pointers were into one array is there twice: with the calls
 * and without them. Which one runs a launch decides (runtime/launch.c).
 */
#ifndef CUDACPU_LOCKSTEP_H
#define CUDACPU_LOCKSTEP_H

#include "cudacpu/instrument/instrument.h"

/* Fills in the kernels' flags. Calls are inlined, and variables of functions are registers. */
void lockstep_find(struct unit *u);
/* Prints them: "NAME: shared global if_same". */
void lockstep_tell(const struct unit *u);

/* When the kernels have been inlined: one without such calls. */
void lockstep_strip(LLVMValueRef function);

#endif
