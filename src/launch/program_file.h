/*
 * program_file.h - a CUDA program of the user's own: built for the CPU warp, run, recorded.
 */
#ifndef SHFLVIZ_LAUNCH_PROGRAM_FILE_H
#define SHFLVIZ_LAUNCH_PROGRAM_FILE_H

#include "base/error.h"
#include "device/own/own_program.h"
#include "trace/trace.h"

#include <stddef.h>

/* A lesson from elsewhere may bring a program of its own. It is built and run only by consent. */
enum course_consent {
    COURSE_ASK,    /* on the terminal, if there is one; else refused */
    COURSE_AGREED, /* said beforehand: --trust */
    COURSE_REFUSED
};

/* The programs of a lesson while its runs are recorded: each is asked about and built once, however
 * often it runs. Begins as {consent, NULL, 0}. */
struct program_files {
    enum course_consent consent;
    struct own_program *built;
    size_t count;
};

/*
 * Compiles the file if it has not been yet, runs what comes out and gives its recording. Nothing is
 * compiled or run without consent: COURSE_ASK puts the question on the terminal and takes only a
 * yes for one.
 *
 * Fails with ERROR_USAGE (no such file, it does not compile: with the compiler's words), with
 * ERROR_MISSING (no compiler, no consent), with ERROR_RUN (it crashed before anything was
 * recorded). `where` is put before complaints.
 */
int program_file_record(struct program_files *files, const char *path, const char *launch,
                        const char *where, struct trace **trace, struct error *err);

/* Removes what was built. */
void program_files_release(struct program_files *files);

#endif
