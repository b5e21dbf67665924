/*
 * user_program.h - a CUDA program of somebody's own, built by clang for the CPU warp, run, and
 * recorded.
 *
 * A program is one or several source files, of which one has a main(). Each .cu file is compiled by
 * clang for either side, with our CUDA headers in the place of the toolkit's, and the device's side
 * becomes an object by cudacpu-instrument; .cpp, .cc and .c files are compiled as they are, by the
 * host's compiler, with those headers in reach. All are linked with the CPU warp.
 *
 * The caller must have asked before it compiles and runs strangers' code: nothing here asks.
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

/* A source file is refused beyond this many bytes. */
#define USER_PROGRAM_SOURCE_MOST (UINT64_C(64) << 20)

struct user_source {
    const char *path;        /* as given; headers that it includes are looked for beside it */
    const char *name;        /* what sites and compiler call it */
    const struct text *text; /* what is built, whatever the file holds by now */
};

struct user_build {
    const struct user_source *sources;
    size_t source_count;
    const struct user_source *before; /* read before the text of each .cu file, on the CPU warp
                                        only; NULL: nothing */
    bool is_submission;               /* the source is device code alone (submission.h): the host's
                                         side is that of `before`; no header beside it is found */
    bool no_memory;                   /* a submission that has no variables which lanes share */
    char *const *include;             /* folders of headers, ended by NULL; may be NULL */
    char *const *define;              /* "NAME" or "NAME=VALUE", ended by NULL; may be NULL */
    const char *standard;             /* "c++17"; NULL: that */
    bool gpu;                         /* for a GPU, by nvcc; else for the CPU warp */
    bool accesses;                    /* compiled to say what memory it accesses, where it can be */
    unsigned access_steps;            /* the same, for accesses to be recorded: RUN_ACCESSES_... */
    bool lines;                       /* compiled to tell of its lines and local variables */
    bool origins;                     /* with `lines`: and of what its values are made of */
    bool in_step;                     /* lanes keep step at shared memory in kernels that lean on
                                         it without a word (in_step.h) */
    bool confined;                    /* behind walls, too */
    struct confine_limits limits;     /* of the compiler */
};

/* How far a program is, as it says in a file. */
struct user_progress {
    uint64_t launches; /* begun */
    uint64_t steps;    /* recorded, or dropped beyond a limit */
};

/* Now and then while the program runs. */
typedef void user_tick(void *context, const struct user_progress *progress);

struct user_run {
    const char *called;           /* its argv[0]; NULL: the path of what was built */
    char *const *arguments;       /* ended by NULL, without argv[0]; may be NULL */
    const char *trace_path;       /* NULL: a file in its own folder */
    const char *title, *command;  /* notes of the recording; may be NULL */
    struct run_settings settings; /* its accesses are those that it was built to tell */
    char *const *readable;        /* if confined: what it may read besides; may be NULL */
    int input;                    /* descriptor of its standard input; -1: none */
    bool hands_on;                /* a terminal, which is taken back: child.h */
    child_output *output;
    void *output_context;
    user_tick *tick; /* NULL: not wanted */
    void *tick_context;
};

struct user_program {
    struct private_folder folder; /* of its own, for all that is built: gone with the program */
    char *path;                   /* the executable */
    char *recording;              /* where it records if the run names no file */
    char *accesses; /* where it writes what its memory accesses break (accesses.h); NULL if it was
                       not compiled to */
    char *lines;    /* the lines of its accesses (access_lines.h); NULL if they are not recorded */
    unsigned access_steps; /* which are */
    uint8_t unset;       /* the byte that fills variables nobody has set, clang's 0xaa; 0 if it was
                            not compiled to */
    char *source;        /* the first file as given */
    struct text remarks; /* on the build: lines for the person who runs it; "" if there is none */
    struct child_words names, headers; /* what sites call its files; folders of ours */
    bool confined;
    sigset_t signals; /* those that were held back before */
};

/* Whether a program can be compiled to say what memory it accesses: not beside another sanitizer,
 * nor without ELF's tools. */
bool user_program_sees_accesses(void);

/* Appends the text of a source file. Fails (ERROR_USAGE) if it is not a regular file, cannot be
 * read, or is larger than USER_PROGRAM_SOURCE_MOST; does not wait for a pipe. */
int user_program_read(const char *path, struct text *text, struct error *err);

/*
 * Compiles with clang, and with $CXX or c++ what is not CUDA C++. Fails with ERROR_USAGE (it does
 * not compile, with the compiler's first words), ERROR_RUN (beyond the limits, or interrupted) or
 * ERROR_MISSING (no compiler, no nvcc; the parts to link with are not where this shflviz was
 * installed). To be released all the same, of several the last first.
 *
 * From here to user_program_release() child_interruptions() wait: they end the
 * compiler or the program and all that it started, and take effect when what was built has been
 * removed.
 */
int user_program_build(struct user_program *program, const struct user_build *build,
                       struct error *err);

/* Prepares the next user_program_build() for the CPU warp: the header that all programs begin with
 * is compiled behind (header_cache.h), if there is a compiler and a place for it. */
void user_program_prepare(void);

/*
 * Runs it and records. *status is its exit status. Fails with ERROR_RUN if it ended by a signal,
 * was interrupted or went beyond a limit; what it recorded until then stays. An exit status other
 * than 0 is no failure. Whatever it started and left behind ends with it.
 */
int user_program_run(const struct user_program *program, const struct user_run *run, int *status,
                     struct error *err);

/* The same piece by piece, as child.h has it, for a caller that looks at the recording meanwhile.
 * Program and run stay the caller's until user_program_finish(). NULL if it cannot be started. */
struct user_process;
struct user_process *user_program_start(const struct user_program *program,
                                        const struct user_run *run, struct error *err);
bool user_program_listen(struct user_process *running, int milliseconds);
size_t user_program_descriptors(const struct user_process *running, int *descriptors);
void user_program_keep_input(struct user_process *running);
void user_program_interrupt(struct user_process *running);
int user_program_finish(struct user_process *running, int *status, struct error *err);

/*
 * Opens what was recorded into its own folder. Fails (ERROR_RUN) if that is not there or damaged.
 * What a stranger's program has put in its place, such as a link to a file of the user's, is not
 * opened. *descriptor is that of the file, for the caller to close, or -1; it may be NULL.
 */
int user_program_open(const struct user_program *program, struct trace **trace, int *descriptor,
                      struct error *err);

/*
 * Runs it three times more, silently and without standard input, and marks in the recording of
 * `run` what was computed from undefined values (trace/marks.h); *trace is then opened anew. Does
 * nothing for a recording that has no such values, is too long or not whole; what else the program
 * does, such as writing files, it does again.
 */
void user_program_follow(const struct user_program *program, const struct user_run *run,
                         struct trace **trace);

/*
 * Runs it three times more, silently, with other values where nothing defines one: whether all that
 * can be seen stays as it is (global memory after each launch, what is printed, the exit status,
 * how many operations there are), so that nothing depends on such values. That is then noted in
 * the recording of `run` (TRACE_NOTE_UNUSED), and *trace opened anew. False where it cannot be
 * known or noted: a run that failed, one of many steps, one that gives something else each time, a
 * program that was not compiled to say what it accesses, a recording that user_program_follow() has
 * marked.
 */
bool user_program_ignores(const struct user_program *program, const struct user_run *run,
                          struct trace **trace);

/* Removes what was built. Once for each user_program_build(). What a shflviz that was killed has
 * left in the folder of temporary files is removed by the next user_program_build(). */
void user_program_release(struct user_program *program);

#endif
