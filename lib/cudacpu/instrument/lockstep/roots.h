/*
 * roots.h - the arrays that a pointer may point into: the file's variables, a function's
 * arguments, and the targets of pointers that are loaded from those.
 */
#ifndef CUDACPU_LOCKSTEP_ROOTS_H
#define CUDACPU_LOCKSTEP_ROOTS_H

#include "cudacpu/instrument/instrument.h"

#include <stdint.h>

#define ROOTS_MOST 60

/* In addition to a bit for each root: */
#define ROOT_RUNTIME (UINT64_C(1) << 60) /* the CPU warp's own data */
#define ROOT_LOCAL   (UINT64_C(1) << 61) /* the lane's own */
#define ROOT_UNKNOWN (UINT64_C(1) << 62) /* unknown */
#define ROOT_ARRAYS  (ROOT_UNKNOWN | (ROOT_RUNTIME - 1))

struct root {
    LLVMValueRef value; /* a variable, or a parameter; NULL if it is loaded */
    uint64_t parents;   /* from these roots, */
    long long offset;   /* at this offset, if that is known */
    bool is_shared;     /* it is shared memory, */
    bool is_generic;    /* or may be */
    bool is_parameter;  /* the kernel's launch decides */
};

struct roots {
    struct unit *unit;
    bool is_kernel; /* the function that they belong to is a kernel */
    struct root root[ROOTS_MOST];
    unsigned count;
};

/* A bit for each root on which the pointer, or a number made from it, may be based. */
uint64_t roots_of(struct roots *roots, LLVMValueRef pointer);

/* The bit of a variable or of a parameter. */
uint64_t roots_of_value(struct roots *roots, LLVMValueRef value);

/* The roots of pointers loaded from these; an offset of ROOT_ANY is not known. */
uint64_t roots_loaded(struct roots *roots, uint64_t parents, long long offset);
#define ROOT_ANY INT64_MIN

/* Adds to `bits` the loaded roots that may be the same arrays. */
uint64_t roots_widen(const struct roots *roots, uint64_t bits);

/* The bits of those that may be shared memory, or global memory, or that a launch passes. */
uint64_t roots_shared(const struct roots *roots);
uint64_t roots_global(const struct roots *roots);
uint64_t roots_parameters(const struct roots *roots);

#endif
