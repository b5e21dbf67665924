/*
 * program_file.h - a CUDA program of the user's own: built for the CPU warp, run, recorded.
 */
#ifndef SHFLVIZ_CLI_PROGRAM_FILE_H
#define SHFLVIZ_CLI_PROGRAM_FILE_H

#include "base/error.h"
#include "cli/course.h"
#include "trace/trace.h"

/*
 * Compiles the file, runs what comes out and gives its recording. Nothing is compiled or run
 * without consent: COURSE_ASK puts the question on the terminal and takes only a yes for one.
 *
 * Fails with ERROR_USAGE (no such file, it does not compile: with the compiler's words), with
 * ERROR_MISSING (no compiler, no consent), with ERROR_RUN (it crashed before anything was
 * recorded). `where` stands before complaints.
 */
int program_file_record(const char *path, const char *launch, enum course_consent consent,
                        const char *where, struct trace **trace, struct error *err);

#endif
