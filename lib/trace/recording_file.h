/*
 * recording_file.h - opens the file that a recording goes into, and explains refusals.
 *
 * A recording to FILE is made beside it, as FILE.partial, and takes the name FILE when it is whole.
 * So whatever ends the run early, what was at FILE stays as it was. FILE.partial is locked while it
 * is written: a second recorder of the same name is refused. One that a killed run left is
 * moved to FILE.partial-1, -2, ... by the next run, unless it has no steps.
 */
#ifndef SHFLVIZ_TRACE_RECORDING_FILE_H
#define SHFLVIZ_TRACE_RECORDING_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct recording_file {
    char *path;     /* as it was given */
    char *target;   /* the path with symbolic links resolved */
    char *partial;  /* where the recording is made; equals target if it is made in place */
    char *leftover; /* where the remains of an earlier run are now, or NULL */
    int descriptor; /* of `partial`: empty, locked */
    bool occupied;  /* there is something at target that a failed run must not replace */
};

/*
 * Opens a file for a new recording; -1 with err filled if something is in the way. Only an empty
 * file or a recording is ever replaced, and only by recording_file_commit(). `in_place`: for a name
 * that nobody else uses; the recording is made there from the start, and an old one is lost at
 * once.
 */
int recording_file_open(struct recording_file *file, const char *path, bool in_place,
                        struct error *err);

/*
 * Gives the recording its name; `durable`: returns only when file and name have reached the disk.
 * On failure (-1) it stays at file->partial, as err says.
 */
int recording_file_commit(const struct recording_file *file, bool durable, struct error *err);

/* Removes what was begun. */
void recording_file_discard(const struct recording_file *file);

/* Closes the descriptor and frees the strings; returns what close() returned. */
int recording_file_release(struct recording_file *file);

/* Words for an errno value of a write to `path` (NULL: to memory), and what to try; `kept`: where
 * the steps before it can be found, or NULL. Returns -1. */
int recording_error_write(struct error *err, int errno_value, const char *path, const char *kept);

/* The same for an errno value of opening `path` to write it, and for what is not a regular file
 * (a st_mode). */
int recording_error_open(struct error *err, int errno_value, const char *path);
int recording_error_open_kind(struct error *err, const char *path, mode_t mode);

/* Words for an errno value of opening `path` to read it, and for what is not a regular file
 * (a st_mode). Each returns -1. */
int recording_error_read(struct error *err, int errno_value, const char *path);
int recording_error_read_kind(struct error *err, mode_t mode, const char *path);

#endif
