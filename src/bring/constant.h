/* constant.h - evaluates constants that a CUDA file defines. */
#ifndef SHFLVIZ_BRING_CONSTANT_H
#define SHFLVIZ_BRING_CONSTANT_H

#include <stddef.h>

/*
 * The value of a constant expression of integers, with names that the file defines: by #define, or
 * as a variable with a value. A name that is a parameter of an enclosing template gets the number
 * that `guess` has for it. -1 if it cannot be computed, or is negative.
 */
long constant_value(const char *text, const char *expression, size_t length,
                    long (*guess)(const char *name));

#endif
