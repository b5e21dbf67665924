/*
 * header_cache.h - the header that every program of somebody's own begins with, compiled beforehand
 * by gcc and kept in the user's cache folder: to read it takes most of the time that a small
 * program takes to build.
 *
 * The folder is $XDG_CACHE_HOME/shflviz, or ~/.cache/shflviz. In it is a folder headers-KEY for
 * each compiler with its options, with the compiled header and a list of the files that it was made
 * of. It is used if all of them are as they were (size, time, inode); gcc itself refuses one of
 * another gcc or made with other macros. It is made in a folder of its own that is renamed when it
 * is whole, and not before the second program: one that is built once does not pay for it. Whatever
 * fails, programs are built without it. Anybody may remove the folder at any time.
 */
#ifndef SHFLVIZ_DEVICE_OWN_HEADER_CACHE_H
#define SHFLVIZ_DEVICE_OWN_HEADER_CACHE_H

#include "device/own/child.h"

#include <stdint.h>

/*
 * The folder to search before all others, so that "shflviz/record.cuh" is found compiled; NULL if
 * there is none. To be freed. `compile` is the compiler with all options that matter, `header` the
 * path of the header. `folders`, ended by NULL, are searched before those of the header: if one has
 * a file with the name of one that the header includes, there is none. `environment` is that of the
 * compiler.
 */
char *header_cache_find(const struct child_words *compile, const char *header, char *const *folders,
                        char *const *environment);

/* The cache folder, which need not exist, to be freed; NULL: neither variable names a place. */
char *header_cache_folder(void);
/* What lies in it. */
uint64_t header_cache_bytes(const char *folder);

#endif
