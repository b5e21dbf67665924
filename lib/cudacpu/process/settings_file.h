/*
 * settings_file.h - the settings of a run and the names of its files, passed to a program in a
 * process of its own.
 *
 * One binary file: it is written before the program starts, and the program reads it before main().
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
    SETTINGS_TRACE,    /* path of the recording */
    SETTINGS_TITLE,    /* notes of the recording */
    SETTINGS_COMMAND,  /* likewise */
    SETTINGS_SOURCES,  /* path of a file with pairs of lines: name, copy */
    SETTINGS_ACCESSES, /* path for the file of access_file.h */
    SETTINGS_LINES,    /* access_lines.h's file */
    SETTINGS_PROGRESS, /* a file that holds struct user_progress */
    SETTINGS_TEXTS
};

struct settings_file {
    struct run_settings settings;
    const char *text[SETTINGS_TEXTS]; /* NULL for none; "" is written as none */
};

/* Creates the file, replacing an old one. Fails with ERROR_USAGE. */
int settings_file_write(const struct settings_file *file, const char *path, struct error *err);

/*
 * Reads the file that the environment names. Its texts live as long as the process. False if none
 * is named, or it is incomplete or of another version: then there are no texts, nothing is
 * recorded, and fresh memory is zero.
 */
bool settings_file_read(struct settings_file *file);

#endif
