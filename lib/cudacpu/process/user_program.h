/*
 * user_program.h - a user's CUDA program, built by clang for the CPU warp, run, and recorded.
 *
 * A program consists of one or several source files, one of which has a main(). Each .cu file is
 * compiled by clang for both sides, with our CUDA headers instead of the toolkit's, and
 * cudacpu-instrument turns the device's side into an object; .cpp, .cc and .c files are compiled
 * unchanged, by the host's compiler, with those headers available. All are linked with the CPU
 * warp.
 *
 * The caller must have obtained consent before it compiles and runs untrusted code: nothing here
 * asks.
 */
#ifndef SHFLVIZ_DEVICE_USER_PROGRAM_H
#define SHFLVIZ_DEVICE_USER_PROGRAM_H

#include "base/error.h"
#include "base/text.h"
#include "cudacpu/compile/folder.h"
#include "cudacpu/process/child.h"
#include "shflviz/run_settings.h"
#include "trace/trace.h"

#include <signal.h>
#include <stdint.h>

/* The largest source file, in bytes. */
#define USER_PROGRAM_SOURCE_MOST (UINT64_C(64) << 20)

struct user_source {
    const char *path;        /* as given; headers that it includes are searched beside it */
    const char *name;        /* its name in sites and in the compiler's messages */
    const struct text *text; /* the content to build, even if the file has changed since */
};

/* An expression over the local variables of a line. */
struct user_shown {
    const char *expression;
    unsigned line; /* of any source */
};

struct user_build {
    const struct user_source *sources;
    size_t source_count;
    const struct user_source *before; /* included before each .cu file, on the CPU warp only; may
                                         be NULL */
    bool is_submission;   /* the source is only device code (submission.h): the host side is that of
                             `before`, and headers beside the source are not found */
    bool no_memory;       /* a submission that has no variables that lanes share */
    char *const *include; /* folders of headers, ended by NULL; may be NULL */
    char *const *define;  /* "NAME" or "NAME=VALUE", ended by NULL; may be NULL */
    const char *standard; /* "c++17"; NULL for that */
    bool gpu;             /* for a GPU, by nvcc; else for the CPU warp */
    const struct user_shown
        *shown; /* on a GPU: expressions that warp operations in these lines also record */
    size_t shown_count;
    bool accesses;                /* compiled to report its accesses to memory, where that is
                                   * possible */
    unsigned access_steps;        /* the same, for accesses to be recorded: RUN_ACCESSES_... */
    bool lines;                   /* compiled to report its lines and local variables */
    bool origins;                 /* with `lines`: also the origins of its values */
    bool in_step;                 /* lanes keep step at shared memory in kernels that silently
                                     rely on it (simt/in_step.c) */
    bool confined;                /* also sandboxed */
    struct confine_limits limits; /* of the compiler */
};

/* The progress that a program reports in a file. */
struct user_progress {
    uint64_t launches; /* begun */
    uint64_t steps;    /* recorded, or dropped beyond a limit */
};

/* Called now and then while the program runs. */
typedef void user_tick(void *context, const struct user_progress *progress);

struct user_run {
    const char *called;           /* its argv[0]; NULL for the path of the executable */
    char *const *arguments;       /* ended by NULL, without argv[0]; may be NULL */
    const char *trace_path;       /* NULL for a file in its own folder */
    const char *title, *command;  /* notes of the recording; may be NULL */
    struct run_settings settings; /* record the accesses that it was built to report */
    char *const *readable;        /* if confined: further paths that it may read; may be NULL */
    int input;                    /* descriptor of its standard input; -1 for none */
    bool hands_on;                /* a terminal, which is taken back: child.h */
    child_output *output;
    void *output_context;
    user_tick *tick; /* may be NULL */
    void *tick_context;
};

struct user_program {
    struct private_folder folder; /* its own folder, for everything that is built: removed with the
                                   * program */
    char *path;                   /* the executable */
    char *recording;              /* path of its recording if the run names no file */
    char *accesses; /* path for findings about its memory accesses (accesses.h); NULL if it was not
                       compiled to report them */
    char *lines;    /* the lines of its accesses (access_lines.h); NULL if they are not recorded */
    unsigned access_steps; /* the kinds of accesses that are recorded */
    uint8_t unset;         /* the byte that fills unset variables, clang's 0xaa; 0 if it was not
                              compiled to do so */
    char *source;          /* the first file as given */
    struct text remarks;   /* remarks on the build, for the user; "" if there are none */
    struct child_words names, headers; /* names of its files in sites; folders of ours */
    bool confined;
    sigset_t signals; /* signals that were blocked before */
};

/* True if a program can be compiled to report its accesses to memory: not with another sanitizer,
 * nor without the ELF tools. */
bool user_program_can_see_accesses(void);

/* Appends the text of a source file. Fails (ERROR_USAGE) if it is not a regular file, cannot be
 * read, or is larger than USER_PROGRAM_SOURCE_MOST; does not wait for a pipe. */
int user_program_read(const char *path, struct text *text, struct error *err);

/*
 * Compiles CUDA C++ with clang, and other files with $CXX or c++. Fails with ERROR_USAGE (it does
 * not compile, with the compiler's first messages), ERROR_RUN (beyond the limits, or interrupted)
 * or ERROR_MISSING (no compiler, no nvcc; the parts to link with are not where this shflviz was
 * installed). Release it in any case; if there are several, release the last one first.
 *
 * From here to user_program_release() the signals of child_interruptions() are blocked: they end
 * the compiler or the program and everything that it started, and take effect after the built files
 * have been removed.
 */
int user_program_build(struct user_program *program, const struct user_build *build,
                       struct error *err);

/* Prepares the next user_program_build() for the CPU warp: compiles in the background the header
 * that all programs begin with (header_cache.h), if there is a compiler and a place for it. */
void user_program_prepare(void);

/*
 * Runs it and records it. *status is its exit status. Fails with ERROR_RUN if it was ended by a
 * signal, was interrupted or exceeded a limit; its recording up to then is kept. A nonzero exit
 * status is not a failure. Every process that it started ends with it.
 */
int user_program_run(const struct user_program *program, const struct user_run *run, int *status,
                     struct error *err);

/* The same in steps, as in child.h, for a caller that reads the recording meanwhile. Program and
 * run stay the caller's until user_program_finish(). NULL if it cannot be started. */
struct user_process;
struct user_process *user_program_start(const struct user_program *program,
                                        const struct user_run *run, struct error *err);
bool user_program_listen(struct user_process *running, int milliseconds);
size_t user_program_descriptors(const struct user_process *running, int *descriptors);
void user_program_close_input(struct user_process *running);
void user_program_interrupt(struct user_process *running);
int user_program_finish(struct user_process *running, int *status, struct error *err);

/*
 * Opens the recording in its own folder. Fails (ERROR_RUN) if it is missing or damaged. A file that
 * an untrusted program put there instead, such as a link to one of the user's files, is not opened.
 * *descriptor is that of the file, for the caller to close, or -1; it may be NULL.
 */
int user_program_open(const struct user_program *program, struct trace **trace, int *descriptor,
                      struct error *err);

/*
 * Runs it three more times, silently and without standard input, and marks in the recording of
 * `run` the values that were computed from undefined ones (trace/marks.h); *trace is then
 * reopened. Does nothing for a recording that has no such values, or is too long or incomplete. The
 * program's side effects, such as writing files, happen again.
 */
void user_program_follow(const struct user_program *program, const struct user_run *run,
                         struct trace **trace);

/*
 * Runs it three more times, silently, with other values in place of undefined ones. True if
 * everything visible stays the same (global memory after each launch, the output, the exit status,
 * the number of operations), so that nothing depends on such values. That is then noted in the
 * recording of `run` (TRACE_NOTE_UNUSED), and *trace reopened. False if that cannot be known or
 * noted: for a run that failed or has many steps, for a program whose results vary or that was not
 * compiled to report its accesses, and for a recording that user_program_follow() has marked.
 */
bool user_program_ignores_poison(const struct user_program *program, const struct user_run *run,
                                 struct trace **trace);

/* Removes the built files. Call it once for each user_program_build(). The next
 * user_program_build() removes files that a killed shflviz has left in the folder of temporary
 * files. */
void user_program_release(struct user_program *program);

#endif
