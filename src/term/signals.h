/*
 * signals.h - signals while the terminal is ours: they are noted, and acted upon in one function.
 *
 * A handler can do very little, so each only notes that its signal arrived. All of them are blocked
 * except inside signals_wait(), which makes the note and the wait for input one atomic step: no
 * signal is lost between a look at the notes and the wait.
 *
 * The state is global because a signal handler has no argument through which to reach other state,
 * so only one terminal can be in use at a time.
 */
#ifndef SHFLVIZ_TERM_SIGNALS_H
#define SHFLVIZ_TERM_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/*
 * Takes SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT and SIGWINCH, and treats as
 * crashes all other signals that can be caught and would end the process. An ignored signal stays
 * ignored (nohup). Call it before ncurses starts, because ncurses leaves alone signals that are not
 * at their default.
 */
void signals_take(void);

/* Restores the handlers from before signals_take(). */
void signals_restore(void);

/* Unblocks the signals that ask the program to end, or blocks them again: around a write to the
 * terminal, which Ctrl-S can stop. A signal that arrives then makes the output flow again. */
void signals_allow(bool through);

#define SIGNALS_DESCRIPTORS 8

/* Waits until one of the descriptors (at most SIGNALS_DESCRIPTORS) can be read, a signal
 * arrives or the time is up (-1: never). Returns a bit for each that can be read. */
unsigned signals_wait(const int *descriptors, size_t count, long milliseconds);

int signals_ended(void);         /* the signal that asks the program to end, or 0 */
void signals_forget_ended(void); /* marks that signal as meant for something else */
bool signals_stop_asked(void);   /* SIGTSTP has arrived since the last call */
bool signals_continued(void);    /* SIGCONT has arrived since the last call */
bool signals_size_changed(void); /* SIGWINCH has arrived since the last call */

/* Stops the process as Ctrl-Z does by default; returns when it is continued, or immediately if
 * there is no shell to continue it. */
void signals_stop(void);

/* The state in which a crash leaves the terminal: these bytes are written to `descriptor` and these
 * modes set before the signal takes effect or memory_exhausted() ends the program. `bytes` is
 * copied, up to 1024. */
void signals_arm(int descriptor, const char *bytes, size_t count, const struct termios *modes);
void signals_disarm(void);

#endif
