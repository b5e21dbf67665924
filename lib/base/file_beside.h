/*
 * file_beside.h - a file that takes the place of another once it is whole.
 */
#ifndef SHFLVIZ_BASE_FILE_BESIDE_H
#define SHFLVIZ_BASE_FILE_BESIDE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>

/* Where the system can make one without a name, it has none before it is whole, so that nothing is
 * left of a process that is killed. */
struct file_beside {
    struct text name; /* ends in six letters of mkstemp() */
    int descriptor;   /* -1: it could not be made */
    bool is_named;
};

/* Makes one in the folder of `path`. Returns the stream to write it by, which the caller closes;
 * NULL if there is none, and errno says why. To be released either way. */
FILE *file_beside_open(struct file_beside *beside, const char *path);
/* Puts it in the place of `path`. -1 if that fails, and errno says why. */
int file_beside_place(struct file_beside *beside, const char *path);
/* Closes it, and removes it if it was not placed. Keeps errno. */
void file_beside_release(struct file_beside *beside, bool is_placed);

#endif
