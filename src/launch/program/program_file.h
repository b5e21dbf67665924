/* program_file.h - a user program: built for the CPU warp, run, recorded. */
#ifndef SHFLVIZ_LAUNCH_PROGRAM_FILE_H
#define SHFLVIZ_LAUNCH_PROGRAM_FILE_H

#include "base/error.h"
#include "shflviz/run_settings.h"
#include "trace/trace.h"

#include <stddef.h>

/* A lesson from elsewhere may come with a user program. It is built and run only with consent. */
enum course_consent {
    COURSE_ASK,    /* ask on the terminal; refuse if there is none */
    COURSE_AGREED, /* given beforehand: --trust */
    COURSE_REFUSED
};

/* The terms on which it is built and run: always with limits, those of confine_limits() if the
 * settings have 0. */
struct course_terms {
    enum course_consent consent;
    struct run_settings settings; /* confined, unless the user disables it */
    char *const *readable;        /* further paths that it may read, ended by NULL; may be NULL */
};

/* The largest text of a lesson's program, in bytes. */
#define PROGRAM_FILE_MOST (UINT64_C(1) << 20)

/* The programs of a lesson while its runs are recorded: each is asked about and built once, however
 * often it runs. Initialise it with {terms, NULL, 0}. */
struct program_files {
    const struct course_terms *terms; /* NULL if nothing may be built or run */
    struct user_program *built;
    size_t count;
};

/*
 * Compiles the file if necessary, runs the program and returns its recording. Nothing is compiled
 * or run without consent: COURSE_ASK asks on the terminal, and only a yes counts. The file is read
 * after that, once, and exactly the bytes read are built; a file that changes while the question is
 * open is refused.
 *
 * Fails with ERROR_USAGE (there is no such file, it is too large, or it does not compile: err then
 * has the compiler's messages), with ERROR_MISSING (no compiler, no consent, or the file was
 * changed), or with ERROR_RUN (it crashed before anything was recorded). `where` is put before
 * error messages.
 */
int program_file_record(struct program_files *files, const char *path, const char *launch,
                        const char *where, struct trace **trace, struct error *err);

/* Removes the built files. */
void program_files_release(struct program_files *files);

#endif
