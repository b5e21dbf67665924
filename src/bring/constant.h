/* constant.h - evaluates constants that a CUDA file defines. */
#ifndef SHFLVIZ_BRING_CONSTANT_H
#define SHFLVIZ_BRING_CONSTANT_H

#include <stddef.h>

/*
 * The value of an integer constant expression, which may use names that the file defines by
 * #define, or as variables with a value. A parameter of an enclosing template gets its number from
 * `guess`. -1 if the value cannot be computed, or is negative.
 */
long constant_value(const char *text, const char *expression, size_t length,
                    long (*guess)(const char *name));

#endif
