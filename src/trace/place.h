/*
 * place.h - the file that a recording goes into: may it, and if not, why not.
 */
#ifndef SHFLVIZ_TRACE_PLACE_H
#define SHFLVIZ_TRACE_PLACE_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Opens `path` for a new recording and returns a descriptor of an empty file, locked against other
 * recorders; -1 with err filled if something stands in the way. A file that is there is replaced
 * if it is empty or a recording, and left as it is otherwise. An old recording is replaced by a new
 * file under its name where that is possible, so that whoever is reading it keeps it.
 */
int place_open(const char *path, struct error *err);

/* The folder that `path` lies in, to be freed. */
char *place_folder(const char *path);

/* Words for an errno value of a write to `path` (NULL: to memory), and what to try; `begun`: steps
 * may have been written before. Returns -1. */
int place_error_write(struct error *err, int errno_value, const char *path, bool begun);

/* Words for an errno value of opening `path` to read it, and for what is no plain file (a st_mode).
 * Each returns -1. */
int place_error_read(struct error *err, int errno_value, const char *path);
int place_error_read_kind(struct error *err, mode_t mode, const char *path);

#endif
