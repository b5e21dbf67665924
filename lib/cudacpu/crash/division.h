/* division.h - integer division by zero in a kernel, at which a CPU stops and a GPU continues. */
#ifndef SHFLVIZ_DEVICE_OWN_DIVISION_H
#define SHFLVIZ_DEVICE_OWN_DIVISION_H

/*
 * Performs the division that raised SIGFPE as a GPU does, so that the program continues after it.
 * No rule defines x / 0 or x % 0 there. The quotient is what an H100 gave (CUDA 13.0,
 * 2026-11-22): all bits 1, for 64-bit numbers only the lower 32 if x is less than 2^32. The
 * remainder was x in one program and all bits 1 in another; here it is x. The smallest number
 * divided by -1 is itself, with remainder 0: a GPU's numbers wrap.
 */
enum division {
    DIVISION_NONE, /* the signal came from elsewhere, or this is not x86-64: other processors do
                    * not stop */
    DIVISION_BY_ZERO,
    DIVISION_WRAPPED
};
enum division division_resume(void *context);

#endif
