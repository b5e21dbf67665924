/*
 * header_cache.h - the header with which every user program begins, precompiled by clang for both
 * sides and kept in the user's cache folder: parsing it is most of a small program's build time.
 *
 * The folder is $XDG_CACHE_HOME/shflviz, or ~/.cache/shflviz. It contains a folder headers-KEY
 * (header_folder.h) for each compiler with its options, which is used if all files from which it
 * was made are unchanged (size, time, inode).
 *
 * It is made in the background, by a process of the lowest priority, while the first programs are
 * built without it. That process holds a lock in the cache folder, so there is one of them at a
 * time; it makes the header in a temporary folder that is renamed when complete, and the next one
 * removes unfinished folders. With SHFLVIZ_HEADERS=now in the environment it is made immediately,
 * by the process that needs it: for tests, and for container images, which have no background
 * processes.
 *
 * If anything fails, programs are built without it. The folder may be removed at any time.
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
 * The folder with the compiled header; NULL if there is none. To be freed. `folders`, ended by
 * NULL, are searched before those of the header: if one of them has a file with the same name as
 * one that the header includes, the result is NULL.
 */
char *header_cache_find(const struct header_wanted *wanted, char *const *folders);

/* Starts making it if it is missing, and returns immediately. */
void header_cache_make(const struct header_wanted *wanted);

/* Removes a header that the compiler refused, and prevents a new one for a day. */
void header_cache_reject(const char *folder);

/* The cache folder, which need not exist, to be freed; NULL if neither variable is set. */
char *header_cache_folder(void);
/* Its size in bytes. */
uint64_t header_cache_bytes(const char *folder);

#endif
