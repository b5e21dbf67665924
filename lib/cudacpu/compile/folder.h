/*
 * folder.h - a folder of temporary files that is removed even if this shflviz is killed.
 *
 * A file in it is locked as long as the folder is in use; the next private_folder_make() removes
 * those of this user whose lock is free.
 */
#ifndef SHFLVIZ_DEVICE_OWN_FOLDER_H
#define SHFLVIZ_DEVICE_OWN_FOLDER_H

#include "base/error.h"
#include "base/text.h"

struct private_folder {
    char *path; /* absolute; NULL if there is none */
    int lock;   /* descriptor of the locked file; -1 if it could not be locked */
};

/* Creates one in $TMPDIR or /tmp. Fails with ERROR_USAGE. */
int private_folder_make(struct private_folder *folder, struct error *err);
/* Removes it with its contents; links are not followed. Does nothing if there is none. */
void private_folder_remove(struct private_folder *folder);
/* The path of a file in it, to be freed. */
char *private_folder_path(const struct private_folder *folder, const char *name);

/* Writes a file that holds `head` and then the text. Fails with ERROR_USAGE. */
int private_file_write(const char *path, const char *head, const struct text *text,
                       struct error *err);

#endif
