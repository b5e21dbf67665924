/*
 * memory.h - allocation that does not fail.
 *
 * Each function returns what the C library's would, except that it never returns NULL: when memory
 * runs out, the program reports that on stderr and ends with MEMORY_STATUS, here and nowhere else.
 * Unfinished files are left as if the run had been killed. Free with free().
 */
#ifndef SHFLVIZ_BASE_MEMORY_H
#define SHFLVIZ_BASE_MEMORY_H

#include <stddef.h>

/* The status of "this machine lacks what was asked for" (error.h). */
#define MEMORY_STATUS 3

/* Sets a function that is called before the program ends, to restore the terminal; it may do only
 * what a signal handler may. NULL for none. */
void memory_set_cleanup(void (*give_back)(void));

void *memory_alloc(size_t size);                           /* uninitialised */
void *memory_zeroed(size_t count, size_t size);            /* all bits 0 */
void *memory_grow(void *block, size_t count, size_t size); /* realloc to count * size bytes */
char *memory_string(const char *string);                   /* strdup */

/* Makes room for one more element in a table of `count`, moving it if necessary; *room is its
 * capacity, at first 0. */
void *memory_room(void *block, size_t count, size_t *room, size_t size);

/* For a library that reports that it could not allocate: prints the same message and ends the
 * program. */
void memory_exhausted(void) __attribute__((noreturn));

#endif
