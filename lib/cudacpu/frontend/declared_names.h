/*
 * declared_names.h - the variables that a declaration of C++ names: "T a[N], *b = f(x);" has a, b.
 */
#ifndef SHFLVIZ_DEVICE_OWN_DECLARED_NAMES_H
#define SHFLVIZ_DEVICE_OWN_DECLARED_NAMES_H

#include <stddef.h>

/* Takes one name, which is not NUL-terminated. */
typedef void declared_name(void *context, const char *name, size_t length);

/* Calls `take` for each name of the declaration that begins at `from`, up to its semicolon or
 * `end`. It may hold line markers of the preprocessor. For other text the names mean nothing. */
void declared_names(const char *from, const char *end, declared_name *take, void *context);

#endif
