/*
 * error.h - a failure as the user at the terminal will read it.
 *
 * A function that can fail takes a `struct error *` as its last argument and returns a status: 0
 * for success, -1 for failure unless its header says otherwise. On failure the error is filled
 * once, in the function that knows what was given and what is allowed; callers pass it on and only
 * add context. Only main() prints it and exits. Running out of memory is not such a failure: it
 * ends the program in base/memory.c.
 */
#ifndef SHFLVIZ_BASE_ERROR_H
#define SHFLVIZ_BASE_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds are the exit codes that scripts rely on, except the last two. */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_FOUND = 1,    /* something was found: misuse, a difference, a failed check */
    ERROR_USAGE = 2,    /* wrong usage or unreadable input */
    ERROR_MISSING = 3,  /* this machine lacks what was asked for: a GPU, a compiler */
    ERROR_RUN = 4,      /* the watched program crashed, hung or ran out of time */
    ERROR_SIGNAL = 128, /* a signal ended it: main() ends by `signal`, so that the shell sees it */
    ERROR_STATUS = 256, /* the watched program's own exit status, `status`, is ours */
};

#define ERROR_TEXT_SIZE 2048

struct error {
    enum error_kind kind;
    /* One or more lines without the leading "shflviz: " and without a final newline. The first says
     * what was given and why it is wrong, the next what is allowed, the last what to try. Empty if
     * there is nothing to add to the output so far (error_set_silent). */
    char text[ERROR_TEXT_SIZE];
    int signal; /* with ERROR_SIGNAL: its number */
    int status; /* with ERROR_STATUS: that status */
};

#define ERROR_INIT                                                                                 \
    { ERROR_NONE, "", 0, 0 }

/*
 * Fills *err (which may be NULL: the caller does not care) and returns -1, so that a function can
 * end with `return error_set(err, ERROR_USAGE, ...)`. A text longer than the buffer ends in "...".
 */
int error_set(struct error *err, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends to the text of an error that is set; err may be NULL. */
void error_append(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like error_set(), with ": " and the C library's words for errno_value appended. */
int error_set_errno(struct error *err, enum error_kind kind, int errno_value, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* Sets the exit code of `kind` without a message: everything has been printed. Returns -1. */
int error_set_silent(struct error *err, enum error_kind kind);

/* For a screen that a signal ended, or a pipe whose reader has gone (SIGPIPE): sets no message.
 * Returns -1. */
int error_set_signal(struct error *err, int number);

/* Sets the exit status that a watched program ended with, without a message. Returns -1. */
int error_set_status(struct error *err, int status);

/* Puts "PREFIX: " before the error's text, if it has one. Returns -1. */
int error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
