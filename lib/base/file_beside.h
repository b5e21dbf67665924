/* file_beside.h - a file that replaces another once it is complete. */
#ifndef SHFLVIZ_BASE_FILE_BESIDE_H
#define SHFLVIZ_BASE_FILE_BESIDE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>

/* Without a name until it is complete, where the system supports that, so that a killed process
 * leaves nothing behind. */
struct file_beside {
    struct text name; /* ends in six letters of mkstemp() */
    int descriptor;   /* -1 if it could not be made */
    bool is_named;
};

/* Makes a file in the folder of `path`. Returns the stream to write to, which the caller closes;
 * NULL with errno if it could not be made. The caller releases it in either case. */
FILE *file_beside_open(struct file_beside *beside, const char *path);
/* Renames it to `path`. Returns -1 with errno on failure. */
int file_beside_commit(struct file_beside *beside, const char *path);
/* Closes it, and removes it if it was not committed. Keeps errno. */
void file_beside_release(struct file_beside *beside, bool is_placed);

#endif
