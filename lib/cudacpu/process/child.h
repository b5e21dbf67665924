/*
 * child.h - runs another program to its end: a compiler, or what it has built.
 *
 * The program is the child of a supervisor, a process of its own between it and us. The supervisor
 * ends all that the program started, also what made itself a daemon, when the program ends, when it
 * is told to, and when we end in whatever way. The program has no controlling terminal.
 */
#ifndef SHFLVIZ_DEVICE_OWN_CHILD_H
#define SHFLVIZ_DEVICE_OWN_CHILD_H

#include "base/text.h"
#include "cudacpu/process/confine.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Takes what the program printed; `stream` is 1 or 2. */
typedef void child_output(void *context, int stream, const char *bytes, size_t count);

struct child_command {
    const char *file;              /* to run; NULL: words[0], looked for in PATH */
    char *const *words;            /* its argv, ended by NULL */
    char *const *environment;      /* ended by NULL */
    const char *directory;         /* to run in; NULL: the current one */
    const struct confine *confine; /* limits and walls */
    bool behind;                   /* all other work of the system goes first */
    int input;                     /* its standard input; -1: nothing to read */
    bool hands_on; /* input is a terminal that is to be ours later: the program has a pipe, which is
                      given each line that is typed until child_keep_input() */
    child_output *output;
    void *output_context;
    void (*tick)(void *context); /* called now and then while it runs; NULL: not wanted */
    void *tick_context;
};

enum child_end {
    CHILD_EXITED,      /* code: its status */
    CHILD_KILLED,      /* code: the signal */
    CHILD_TIME,        /* beyond limits.seconds, and ended */
    CHILD_OUTPUT,      /* beyond limits.output, and ended */
    CHILD_PROCESSES,   /* beyond limits.processes, and ended */
    CHILD_INTERRUPTED, /* a signal of child_interruptions() is pending: ended */
    CHILD_NOT_FOUND,   /* could not be started; code: an errno */
    CHILD_UNCONFINED   /* the walls could not be built; code: an errno */
};

struct child_result {
    enum child_end end;
    int code;
};

/* Runs the command; returns when it and all that it started have ended. */
struct child_result child_run(const struct child_command *command);

/* The same piece by piece, for a caller that has other things to do meanwhile. */
struct child_talk;

/* Starts the command, which stays the caller's until child_finish(). */
struct child_talk *child_begin(const struct child_command *command);
/* Takes in what it prints, waiting for that at most so long, and calls tick(). False once it and
 * all that it started have ended. */
bool child_listen(struct child_talk *talk, int milliseconds);
/* Something to read, or the end, is a reason to call child_listen(): at most 3 descriptors. */
size_t child_descriptors(const struct child_talk *talk, int *descriptors);
/* Nothing more that is typed is the program's: it finds the end of its input. */
void child_keep_input(struct child_talk *talk);
/* Ends it, as a signal of child_interruptions() does. It takes a moment: listen on. */
void child_interrupt(struct child_talk *talk);
/* Waits for its end, and frees. */
struct child_result child_finish(struct child_talk *talk);

/*
 * Does the work in a process that nobody waits for: it is no child of ours, has no terminal, its
 * standard streams go nowhere, and all other work goes first. Of the other descriptors it has
 * `kept` alone. The signals of child_interruptions() are blocked there, so that child_run() ends
 * with CHILD_INTERRUPTED. Returns when it has begun; false: it has not.
 */
bool child_detach(void (*work)(void *context), void *context, int kept);

/* The signals that end a process from outside (SIGINT, SIGTERM, SIGPIPE, SIGUSR1, real-time ones):
 * they end a wait if blocked and pending. Not crashes, nor what stops or cannot be caught. */
void child_interruptions(sigset_t *signals);
/* Whether one of them is pending. */
bool child_is_interrupted(void);

/* ---- a list of words, ended by NULL: arguments, an environment ---- */

struct child_words {
    char **word;
    size_t count, capacity;
};
void child_words_add(struct child_words *words, const char *first, const char *second);
/* Each word of a line with blanks between, as CXX is written. */
void child_words_split(struct child_words *words, const char *line);
void child_words_release(struct child_words *words);

/* Adds our environment without TMPDIR and the variable that names the settings of a watched
 * program; with a `home`, only what is harmless in the hands of a stranger's program, and HOME. */
void child_environment(struct child_words *environment, const char *home);

#endif
