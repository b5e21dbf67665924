/*
 * file.h - reading a whole file, its name and its folder.
 */
#ifndef SHFLVIZ_BASE_FILE_H
#define SHFLVIZ_BASE_FILE_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>

/* The members of struct stat that hold modification and change times. */
#ifdef __APPLE__
#define FILE_MODIFIED st_mtimespec
#define FILE_CHANGED  st_ctimespec
#else
#define FILE_MODIFIED st_mtim
#define FILE_CHANGED  st_ctim
#endif

enum file_status {
    FILE_READ = 0,
    FILE_UNREADABLE, /* errno says why */
    FILE_IRREGULAR,  /* a folder, a pipe, a device */
    FILE_TOO_LARGE,
};

/* Appends the bytes of a regular file; never waits for a pipe. Reads at most `limit` bytes: a file
 * that has more, or grows beyond them, is too large. On failure fills err (ERROR_USAGE; NULL is
 * fine), and `text` may contain some of the bytes. A caller with a better message replaces the
 * error. */
enum file_status file_read(const char *path, size_t limit, struct text *text, struct error *err);

/* The part of a path after its last slash, or the path itself. */
const char *file_base_name(const char *path);
/* The folder of a path, "." for a name without one; the caller frees it. */
char *file_folder(const char *path);

#endif
