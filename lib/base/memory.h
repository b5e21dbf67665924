/*
 * memory.h - allocation that does not fail.
 *
 * Each function returns what the C library's would, except that it never returns NULL: out of
 * memory, the program says so on stderr and ends with MEMORY_STATUS, here and nowhere else. Files
 * in the making stay as a killed run leaves them. Free with free().
 */
#ifndef SHFLVIZ_BASE_MEMORY_H
#define SHFLVIZ_BASE_MEMORY_H

#include <stddef.h>

/* The status of "this machine lacks what was asked for" (error.h). */
#define MEMORY_STATUS 3

/* Called before the end, to give the terminal back; may do what a signal handler may. NULL: nothing
 * to do any more. */
void memory_before_end(void (*give_back)(void));

void *memory_alloc(size_t size);                           /* uninitialised */
void *memory_zeroed(size_t count, size_t size);            /* all bits 0 */
void *memory_grow(void *block, size_t count, size_t size); /* realloc to count * size bytes */
char *memory_string(const char *string);                   /* strdup */

/* A table of `count` elements, moved if there is no room for one more; *room is how many it can
 * hold, at first 0. */
void *memory_room(void *block, size_t count, size_t *room, size_t size);

/* For a library that reports that it could not allocate: says so and ends the program. */
void memory_exhausted(void) __attribute__((noreturn));

#endif
