/*
 * own_program.h - a CUDA program of somebody's own (one .cu file with a main()), built with the
 * host's C++ compiler for the CPU warp, run, and recorded.
 *
 * Compiling and running strangers' code is for the caller to have asked about: nothing here asks.
 */
#ifndef SHFLVIZ_OWN_PROGRAM_H
#define SHFLVIZ_OWN_PROGRAM_H

#include "base/error.h"
#include "base/text.h"

#include <signal.h>

/* What the program that is built reads from its environment (watched.c). */
#define OWN_PROGRAM_TRACE  "SHFLVIZ_WATCH_TRACE"  /* where its recording goes */
#define OWN_PROGRAM_SOURCE "SHFLVIZ_WATCH_SOURCE" /* its source file */
#define OWN_PROGRAM_NAME   "SHFLVIZ_WATCH_NAME"   /* what the sites call that file */

struct own_program {
    char *folder;     /* of its own, for all that is built: gone with the program */
    char *path;       /* the executable */
    char *copy;       /* the text that was built: what a screen shows is what ran */
    char *source;     /* the file as given */
    char *name;       /* without its folders */
    sigset_t signals; /* those that were held back before */
};

/* Appends the text of a source file. Fails (ERROR_USAGE) if it is none, or cannot be read; a pipe
 * is not waited for. */
int own_program_read(const char *path, struct text *text, struct error *err);

/*
 * Compiles `text`, which is that of the file `source`, with $CXX or c++. Fails with ERROR_USAGE (it
 * does not compile, with the compiler's first words) or ERROR_MISSING (no compiler; the parts to
 * link with are not where this shflviz was installed). To be released all the same, of several the
 * last first.
 *
 * From here to own_program_release() SIGINT, SIGTERM, SIGHUP and SIGQUIT wait: they end the
 * compiler or the program and all that it started, and take effect when what was built has been
 * removed.
 */
int own_program_build(struct own_program *program, const char *source, const struct text *text,
                      struct error *err);

/*
 * Runs it with these arguments (NULL-terminated, without the program's own name; may be NULL) and
 * records into `trace_path`. What it prints goes into `output`, standard output and error together,
 * its beginning as far as 64 KiB. Fails with ERROR_RUN if it ended by a signal, was interrupted or
 * did not end within `seconds` (0: no limit); what it recorded until then stays. A status of its
 * own that is not 0 is no failure. What it started and left behind is ended with it.
 */
int own_program_run(const struct own_program *program, char *const *arguments,
                    const char *trace_path, unsigned seconds, struct text *output,
                    struct error *err);

/* Removes what was built. Once for each own_program_build(). */
void own_program_release(struct own_program *program);

#endif
