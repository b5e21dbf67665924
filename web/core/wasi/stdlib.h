/*
 * stdlib.h - the declarations that WASI's C library lacks.
 */
#ifndef SHFLVIZ_WEB_STDLIB_H
#define SHFLVIZ_WEB_STDLIB_H

#include_next <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

int mkstemp(char *name); /* a file in memory (memory_file.c) */
/* Like GNU's (absent.c). */
void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *context);
/* NULL: names of a page's files are used unchanged (absent.c). */
char *realpath(const char *path, char *resolved);

#ifdef __cplusplus
}
#endif

#endif
