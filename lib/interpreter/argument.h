/* argument.h - the arguments that launches pass to interpreted kernels; also for C++. */
#ifndef SHFLVIZ_INTERPRETER_ARGUMENT_H
#define SHFLVIZ_INTERPRETER_ARGUMENT_H

#include <stdint.h>

/* An argument of a kernel: a number or a pointer. */
struct kernel_argument {
    enum { ARGUMENT_INTEGER, ARGUMENT_REAL, ARGUMENT_POINTER } kind;
    int64_t integer;
    double real;
    const void *pointer;
};

#endif
