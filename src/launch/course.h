/* course.h - the recordings of a lesson: runs its kernels, opens its files. */
#ifndef SHFLVIZ_LAUNCH_COURSE_H
#define SHFLVIZ_LAUNCH_COURSE_H

#include "base/error.h"
#include "launch/program/program_file.h"
#include "lesson/lesson.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds a built-in lesson by its name, or reads one from a file or folder; *opened then owns it
 * (NULL for a built-in one; lesson_free() takes either). A name with a slash or a dot is a file.
 */
int course_find(const char *name, const struct lesson **lesson, struct lesson **opened,
                struct error *err);

struct course_recordings {
    struct trace **traces; /* one for each run of the lesson; NULL if it was not recorded */
    size_t count;
};

/*
 * Runs the lesson's kernels on the CPU warp and opens its recordings. A kernel that does not finish
 * is not a failure: the lesson shows what it did until then. Fails with "FILE:LINE: ..."
 * and leaves nothing open. `terms` as in struct program_files.
 */
int course_record(const struct lesson *lesson, const struct course_terms *terms,
                  struct course_recordings *recordings, struct error *err);

/* The same for one run. *trace is NULL after a failure. The caller releases `files`. */
int course_record_run(const struct lesson *lesson, size_t run, struct program_files *files,
                      struct trace **trace, struct error *err);

void course_release(struct course_recordings *recordings);

/* The name under which its progress is saved: that of a built-in lesson, the path of any other, so
 * that a user's own "xor" is not taken for the course's. The caller frees it. */
char *course_progress_name(const struct lesson *lesson);

/* True if a kernel's name is the name of a file beside the lesson ("mine.cu"). */
bool course_is_file(const char *kernel);

/* Records a kernel of kernels/ with options as on the command line. `where` is put before
 * complaints: "en.md:5". */
int course_record_kernel(const char *kernel, const char *line, const char *where,
                         struct trace **trace, struct error *err);

#endif
