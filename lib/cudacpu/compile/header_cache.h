/*
 * header_cache.h - the header that every program of somebody's own begins with, compiled beforehand
 * by clang for either side and kept in the user's cache folder: to read it takes most of the time
 * that a small program takes to build.
 *
 * The folder is $XDG_CACHE_HOME/shflviz, or ~/.cache/shflviz. In it is a folder headers-KEY
 * (header_folder.h) for each compiler with its options. It is used if all files that it was made of
 * are as they were (size, time, inode).
 *
 * Nobody waits for it: a process of its own makes it, of the lowest priority, while the first
 * programs are built without it. That process holds a lock in the cache folder, so there is one of
 * them at a time; it makes the header in a temporary folder that is renamed when it is whole, and
 * whatever was cut off before is removed by the next one. With SHFLVIZ_HEADERS=now in the
 * environment it is made at once, by those who want to use it: for tests, and for images of a
 * system that have no background.
 *
 * Whatever fails, programs are built without it. Anybody may remove the folder at any time.
 */
#ifndef SHFLVIZ_DEVICE_OWN_HEADER_CACHE_H
#define SHFLVIZ_DEVICE_OWN_HEADER_CACHE_H

#include "cudacpu/process/child.h"

#include <stdint.h>

struct header_wanted {
    const struct child_words *device, *host; /* the compiler, with all options that matter */
    const char *header;                      /* its path */
    char *const *environment;                /* the compiler's, ended by NULL */
};

/*
 * The folder that has it compiled; NULL if there is none. To be freed. `folders`, ended by NULL,
 * are searched before those of the header: if one has a file with the name of one that the header
 * includes, there is none.
 */
char *header_cache_find(const struct header_wanted *wanted, char *const *folders);

/* Has it made if it is missing, and returns at once. */
void header_cache_make(const struct header_wanted *wanted);

/* Removes one that the compiler did not take; for a day none is made in its place. */
void header_cache_refuse(const char *folder);

/* The cache folder, which need not exist, to be freed; NULL: neither variable names a place. */
char *header_cache_folder(void);
/* What lies in it. */
uint64_t header_cache_bytes(const char *folder);

#endif
