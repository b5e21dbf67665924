/*
 * header_folder.h - one precompiled header on the disk, for header_cache.c: a folder with clang's
 * output for each side, and a list of the files that it was made from.
 */
#ifndef SHFLVIZ_DEVICE_OWN_HEADER_FOLDER_H
#define SHFLVIZ_DEVICE_OWN_HEADER_FOLDER_H

#include "cudacpu/process/child.h"

#include <stdint.h>

/* Files in such a folder. */
#define HEADER_SIDES       2 /* device and host */
#define HEADER_DEVICE      "/device.pch"
#define HEADER_HOST        "/host.pch"
#define HEADER_DEVICE_RULE "/device.d" /* the compiler's dependency rules: the files */
#define HEADER_HOST_RULE   "/host.d"
#define HEADER_FILES       "/files"

enum header_state {
    HEADER_ABSENT,
    HEADER_STALE,  /* it is incomplete, or a file that it was made from has changed */
    HEADER_HIDDEN, /* not to be used: another user owns it, or a different file would be read */
    HEADER_GOOD
};

/* A path: both arguments joined. To be freed. */
char *header_path(const char *folder, const char *name);

/* The state of the header in the folder, for a program whose own folders, ended by NULL, are
 * searched before those of the header: none of them may have a file that would be read instead of
 * one in the list. */
enum header_state header_state(const char *folder, char *const *folders);

/* A key for the compiler's options, and for the paths and states (size, time, inode) of the
 * compiler and the header. */
uint64_t header_key(const struct child_words *compile, const char *header,
                    char *const *environment);

/* Writes the list of a header that has been compiled, from the rules of both sides. */
bool header_list_write(const char *folder);

/* True if both sides are there, and were made by clang. */
bool header_is_compiled(const char *folder);

/* Removes a folder with the files that it can hold, and nothing else. */
void header_remove(const char *folder);

#endif
