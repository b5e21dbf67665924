/*
 * program_file.h - a CUDA program of the user's own: built for the CPU warp, run, recorded.
 */
#ifndef SHFLVIZ_LAUNCH_PROGRAM_FILE_H
#define SHFLVIZ_LAUNCH_PROGRAM_FILE_H

#include "base/error.h"
#include "shflviz/run_settings.h"
#include "trace/trace.h"

#include <stddef.h>

/* A lesson from elsewhere may bring a program of its own. It is built and run only with consent. */
enum course_consent {
    COURSE_ASK,    /* ask on the terminal; refuse if there is none */
    COURSE_AGREED, /* given beforehand: --trust */
    COURSE_REFUSED
};

/* On which terms it is built and run: with limits always, those of confine_limits() where the
 * settings have 0. */
struct course_terms {
    enum course_consent consent;
    struct run_settings settings; /* confined, unless the user says otherwise */
    char *const *readable;        /* what it may read besides, ended by NULL; may be NULL */
};

/* The largest text of a lesson's program, in bytes. */
#define PROGRAM_FILE_MOST (UINT64_C(1) << 20)

/* The programs of a lesson while its runs are recorded: each is asked about and built once, however
 * often it runs. Begins as {terms, NULL, 0}. */
struct program_files {
    const struct course_terms *terms; /* NULL: nothing is built or run */
    struct user_program *built;
    size_t count;
};

/*
 * Compiles the file if it has not been yet, runs what comes out and gives its recording. Nothing is
 * compiled or run without consent: COURSE_ASK asks on the terminal; only "yes" is a
 * yes. Nothing of the file is read before, and what is built are the bytes
 * that are read then; a file that changed while it was asked about is refused.
 *
 * Fails with ERROR_USAGE (no such file, too large, it does not compile: with the compiler's words),
 * with ERROR_MISSING (no compiler, no consent, changed), with ERROR_RUN (it crashed before anything
 * was recorded). `where` is put before complaints.
 */
int program_file_record(struct program_files *files, const char *path, const char *launch,
                        const char *where, struct trace **trace, struct error *err);

/* Removes what was built. */
void program_files_release(struct program_files *files);

#endif
