/*
 * recording_file.h - opens the file for a recording, and explains refusals.
 *
 * A recording to FILE is made beside it, as FILE.partial, and renamed to FILE when it is complete.
 * So if the run ends early, for whatever reason, the old FILE is unchanged. FILE.partial is locked
 * while it is written: a second recorder for the same name is refused. One left by a killed run is
 * moved to FILE.partial-1, -2, ... by the next run, unless it has no steps.
 */
#ifndef SHFLVIZ_TRACE_RECORDING_FILE_H
#define SHFLVIZ_TRACE_RECORDING_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct recording_file {
    char *path;     /* as given */
    char *target;   /* the path with symbolic links resolved */
    char *partial;  /* path of the recording being made; equals target if it is made in place */
    char *leftover; /* new path of an earlier run's remains, or NULL */
    int descriptor; /* opened on `partial`, empty and locked */
    bool occupied;  /* target exists and must not be replaced by a failed run */
};

/*
 * Opens a file for a new recording; -1 with err filled if something is in the way. Only an empty
 * file or a recording is ever replaced, and only by recording_file_commit(). `in_place` is for a
 * name that no other process uses: the recording is made there from the start, and an old one is
 * lost immediately.
 */
int recording_file_open(struct recording_file *file, const char *path, bool in_place,
                        struct error *err);

/*
 * Gives the recording its name; with `durable`, returns only when both have reached the disk.
 * On failure (-1) it stays at file->partial, which err names.
 */
int recording_file_commit(const struct recording_file *file, bool durable, struct error *err);

/* Removes the unfinished recording. */
void recording_file_discard(const struct recording_file *file);

/* Closes the descriptor and frees the strings; returns what close() returned. */
int recording_file_release(struct recording_file *file);

/* Fills err with the message for an errno value of a write to `path` (NULL: to memory), and advice;
 * `kept`: where earlier steps can be found, or NULL. Returns -1. */
int recording_error_write(struct error *err, int errno_value, const char *path, const char *kept);

/* The same for opening `path` to write it, and for a file that is not regular (an st_mode). */
int recording_error_open(struct error *err, int errno_value, const char *path);
int recording_error_open_kind(struct error *err, const char *path, mode_t mode);

/* The same for opening `path` to read it, and for a file that is not regular (an st_mode). Each
 * returns -1. */
int recording_error_read(struct error *err, int errno_value, const char *path);
int recording_error_read_kind(struct error *err, mode_t mode, const char *path);

#endif
