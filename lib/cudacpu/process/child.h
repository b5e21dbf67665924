/*
 * child.h - runs another program to its end: a compiler, or a program it has built.
 *
 * The program is the child of a supervisor, a separate process between it and us. The supervisor
 * ends everything that the program started, daemons included, when the program ends, when it is
 * asked to, and when we end for any reason. The program has no controlling terminal.
 */
#ifndef SHFLVIZ_DEVICE_OWN_CHILD_H
#define SHFLVIZ_DEVICE_OWN_CHILD_H

#include "base/text.h"
#include "cudacpu/process/confine.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Receives the program's output; `stream` is 1 or 2. */
typedef void child_output(void *context, int stream, const char *bytes, size_t count);

struct child_command {
    const char *file;              /* the executable; NULL for words[0], searched in PATH */
    char *const *words;            /* its argv, ended by NULL */
    char *const *environment;      /* ended by NULL */
    const char *directory;         /* the working folder; NULL for the current one */
    const struct confine *confine; /* limits and sandbox */
    bool behind;                   /* run at the lowest priority */
    int input;                     /* its standard input; -1 for none */
    bool hands_on; /* input is a terminal that we need later: the program has a pipe instead, which
                      gets each line that is typed until child_close_input() */
    child_output *output;
    void *output_context;
    void (*tick)(void *context); /* called now and then while it runs; may be NULL */
    void *tick_context;
};

enum child_end {
    CHILD_EXITED,      /* code: its status */
    CHILD_KILLED,      /* code: the signal */
    CHILD_TIME,        /* ended for exceeding limits.seconds */
    CHILD_OUTPUT,      /* ended for exceeding limits.output */
    CHILD_PROCESSES,   /* ended for exceeding limits.processes */
    CHILD_INTERRUPTED, /* child_is_interrupted(): ended */
    CHILD_NOT_FOUND,   /* could not be started; code: an errno */
    CHILD_UNCONFINED   /* the sandbox could not be set up; code: an errno */
};

struct child_result {
    enum child_end end;
    int code;
};

/* Runs the command; returns when it and everything that it started have ended. */
struct child_result child_run(const struct child_command *command);

/* The same in steps, for a caller with other things to do meanwhile. */
struct child_talk;

/* Starts the command, which stays the caller's until child_finish(). */
struct child_talk *child_begin(const struct child_command *command);
/* Reads its output, waiting for at most that long, and calls tick(). False once it and everything
 * that it started have ended. */
bool child_listen(struct child_talk *talk, int milliseconds);
/* Descriptors to poll before child_listen(): at most 3. */
size_t child_descriptors(const struct child_talk *talk, int *descriptors);
/* Stops forwarding typed lines to the program, which sees the end of its input. */
void child_close_input(struct child_talk *talk);
/* Ends it, like a signal of child_interruptions(). It takes a moment: keep listening. */
void child_interrupt(struct child_talk *talk);
/* Waits for its end, and frees `talk`. */
struct child_result child_finish(struct child_talk *talk);

/*
 * Does the work in a detached process: it is not our child, has the lowest priority and no
 * terminal, and its standard streams go to /dev/null. It closes all descriptors other than those
 * and `kept`. The signals of child_interruptions() are blocked there, so that child_run() ends with
 * CHILD_INTERRUPTED. Returns once it has begun, or false if it could not.
 */
bool child_detach(void (*work)(void *context), void *context, int kept);

/* The signals that end a process from outside (SIGINT, SIGTERM, SIGPIPE, SIGUSR1, real-time ones):
 * they end a wait if blocked and pending. Crashes, and signals that stop a process or cannot be
 * caught, are not among them. */
void child_interruptions(sigset_t *signals);
/* True if one of them is pending and not ignored, or the function set by child_set_idle_hook() has
 * ended something. */
bool child_is_interrupted(void);

/* Sets a function that is called every few milliseconds while this process waits for a program, a
 * compiler included, in whatever function that is. If it returns true, that program and all later
 * ones end with CHILD_INTERRUPTED until the next call. NULL for none. Returns true if the previous
 * function has ended anything. */
bool child_set_idle_hook(bool (*ends)(void));

/* ---- a list of words, ended by NULL: arguments, an environment ---- */

struct child_words {
    char **word;
    size_t count, capacity;
};
void child_words_add(struct child_words *words, const char *first, const char *second);
/* Adds each blank-separated word of a line, as in CXX. */
void child_words_split(struct child_words *words, const char *line);
void child_words_release(struct child_words *words);

/* Adds our environment without TMPDIR and the variable that names the settings of a watched
 * program; with a `home`, only variables that are harmless in an untrusted program, and HOME. */
void child_environment(struct child_words *environment, const char *home);

#endif
