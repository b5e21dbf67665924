/*
 * division.h - an integer divided by zero in a kernel: the processor stops, a GPU goes on.
 */
#ifndef SHFLVIZ_DEVICE_OWN_DIVISION_H
#define SHFLVIZ_DEVICE_OWN_DIVISION_H

/*
 * The division at which SIGFPE came is done as a GPU does it, and the program goes on behind it.
 * No rule says what x / 0 and x % 0 are there. The quotient is what an H100 gave (CUDA 13.0,
 * 2026-11-22): all bits 1, of 64-bit numbers the lower 32 alone where x is less than 2^32. The
 * remainder was x in one program and all bits 1 in another; here it is x. The least number by -1 is
 * itself, the remainder 0: the numbers of a GPU wrap.
 */
enum division {
    DIVISION_NONE, /* the signal came from elsewhere, or this is no x86-64: others do not stop */
    DIVISION_BY_ZERO,
    DIVISION_WRAPPED
};
enum division division_go_on(void *context);

#endif
