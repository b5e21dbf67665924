/*
 * header_folder.h - one compiled header as it lies on the disk, for header_cache.c: a folder with
 * what clang has made of it for each side, and a list of the files that it was made of.
 */
#ifndef SHFLVIZ_DEVICE_OWN_HEADER_FOLDER_H
#define SHFLVIZ_DEVICE_OWN_HEADER_FOLDER_H

#include "cudacpu/process/child.h"

#include <stdint.h>

/* What is in such a folder. */
#define HEADER_SIDES       2 /* device and host */
#define HEADER_DEVICE      "/device.pch"
#define HEADER_HOST        "/host.pch"
#define HEADER_DEVICE_RULE "/device.d" /* what the compiler says to make: the files */
#define HEADER_HOST_RULE   "/host.d"
#define HEADER_FILES       "/files"

enum header_state {
    HEADER_ABSENT,
    HEADER_STALE,  /* it is not whole, or a file that it was made of has changed */
    HEADER_HIDDEN, /* not to be used: it is somebody else's, or another file would be read */
    HEADER_GOOD
};

/* A path: both, one behind the other. To be freed. */
char *header_path(const char *folder, const char *name);

/* How the header in the folder is, for a program whose own folders, ended by NULL, are searched
 * before those of the header: there must be no file in them that would be read in the place of one
 * of the list. */
enum header_state header_state(const char *folder, char *const *folders);

/* A number for how the compiler is called, which compiler it is, and how the header is: by its path
 * (size, time, inode). */
uint64_t header_key(const struct child_words *compile, const char *header,
                    char *const *environment);

/* Writes the list of a header that has been compiled, from the rules of both sides. */
bool header_list_write(const char *folder);

/* Whether both sides are there, and of clang. */
bool header_is_compiled(const char *folder);

/* Removes a folder, with all that it can hold; nothing else. */
void header_remove(const char *folder);

#endif
