/*
 * parts.h - the parts that a user's own program is built with: headers, and the CPU warp as a
 * library, or the recording of a GPU. They lie beside the installed shflviz, else in the folders
 * that it was built in.
 */
#ifndef SHFLVIZ_DEVICE_OWN_PARTS_H
#define SHFLVIZ_DEVICE_OWN_PARTS_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

enum { PARTS_CUDA, PARTS_RECORDER, PARTS_GROUPS, PARTS_FOLDERS };

struct parts {
    struct text include[PARTS_FOLDERS]; /* folders of headers, in the order they are searched */
    struct text library, library_gpu;
    bool is_installed;
};

/* Fails with ERROR_MISSING, naming the file that is not there. To be released either way. */
int parts_find(struct parts *parts, struct error *err);
void parts_release(struct parts *parts);

/* Appends the folder of the running program, with a slash; nothing where the system does not tell.
 */
void parts_program_folder(struct text *folder);

#endif
