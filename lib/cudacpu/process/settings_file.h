/*
 * settings_file.h - the settings of a run and the names of its files, handed to a program in a
 * process of its own.
 *
 * One file, in binary: it is written before the program starts, and read in it before its main().
 * Writer and reader are built together, so the struct is the format.
 */
#ifndef SHFLVIZ_CUDACPU_PROCESS_SETTINGS_FILE_H
#define SHFLVIZ_CUDACPU_PROCESS_SETTINGS_FILE_H

#include "base/error.h"
#include "shflviz/run_settings.h"

#include <stdbool.h>

/* The variable of the environment that names the file. */
#define SETTINGS_FILE_VARIABLE "SHFLVIZ_WATCH"

enum settings_text {
    SETTINGS_TRACE,    /* where the recording goes */
    SETTINGS_TITLE,    /* notes of the recording */
    SETTINGS_COMMAND,  /* likewise */
    SETTINGS_SOURCES,  /* a file of pairs of lines: name, copy */
    SETTINGS_ACCESSES, /* where access_file.h's file goes */
    SETTINGS_LINES,    /* access_lines.h's file */
    SETTINGS_PROGRESS, /* a file that holds struct user_progress */
    SETTINGS_TEXTS
};

struct settings_file {
    struct run_settings settings;
    const char *text[SETTINGS_TEXTS]; /* NULL: none; "" is written as none */
};

/* Makes the file anew, in the place of one that is there. Fails with ERROR_USAGE. */
int settings_file_write(const struct settings_file *file, const char *path, struct error *err);

/*
 * Reads the file that the environment names. Its texts live as long as the process. False where
 * none is named, or it is not whole and of this version: then there are no texts, so that nothing
 * is recorded, and fresh memory is zero.
 */
bool settings_file_read(struct settings_file *file);

#endif
