/*
 * screen.h - the terminal: it uses ncurses, which no other file includes.
 *
 * screen_run() owns the terminal from its first line to its last and restores it in every case:
 * return, SIGINT, SIGTERM, SIGHUP, SIGQUIT, and every other signal that ends a program and can be
 * caught, a stack overflow among them. SIGTSTP restores it and stops the process, SIGCONT takes it
 * again and redraws.
 *
 * The caller must have set the locale (setlocale(LC_ALL, "")), which decides how characters
 * beyond ASCII are written.
 */
#ifndef SHFLVIZ_TERM_SCREEN_H
#define SHFLVIZ_TERM_SCREEN_H

#include "base/error.h"
#include "replay/replay.h"
#include "term/palette.h"
#include "view/grid.h"

#include <stdbool.h>
#include <stdio.h>

struct screen_options {
    enum color_depth depth;             /* the maximum; the terminal may have less */
    bool ascii;                         /* the locale is not UTF-8, or --ascii */
    enum palette_background background; /* BACKGROUND_UNKNOWN: to be determined */
    bool goes_back;                     /* as in struct screen_program, but for all programs */
};

/*
 * A program for a screen: a replay, a lesson, the list of lessons, a quiz. It knows nothing about
 * terminals; the screen calls it from one thread. Its state changes only through key, apply, tick
 * and ready; each returns true if anything visible changed.
 */
struct screen_program {
    void *state; /* passed to all but next */
    /* The current meaning of a key: called once per press, before key. Pasted text goes into an
     * open line, else to paste: it never acts as keys. */
    struct press (*press)(const void *state, const char *key);
    bool (*key)(void *state, struct press press); /* NULL if apply takes keys, too */
    bool (*apply)(void *state, enum action action, long argument); /* a click, the wheel */
    bool (*tick)(void *state,
                 long milliseconds); /* may be NULL, like wait, if no clock is needed */
    /* Milliseconds until the next tick does something, or -1 if none ever does. */
    long (*wait)(const void *state);
    void (*draw)(const void *state, struct grid *grid); /* into all of a cleared grid */
    bool (*done)(const void *state);
    /*
     * When done: returns the next program, or NULL to leave; may be NULL. The terminal stays open
     * from one program to the next, and keys typed ahead go to the next. It may return `self`,
     * started over. Signals are blocked while it works (a child process inherits that), so long
     * work belongs in tick.
     */
    struct screen_program *(*next)(struct screen_program *self);
    /* Further descriptors to wait for, at most `most`; returns how many. May be NULL. */
    size_t (*descriptors)(const void *state, int *descriptors, size_t most);
    /* One of them can be read, or has ended: then it must not be listed again. May be NULL. */
    bool (*ready)(void *state);
    /* Takes pasted text as a whole, if no line is open; NULL if it is dropped then. Returns true
     * if anything visible changed. */
    bool (*paste)(void *state, const char *text);
    /* A line for the terminal's clipboard (OSC 52), requested after each key; NULL for none. May
     * be NULL. */
    const char *(*copy)(void *state);
    /* Ctrl-C; true if it was for the program's own child, and the screen stays. May be NULL. */
    bool (*interrupt)(void *state);
    /* Called when the screen closes with this program on it, perhaps because of a signal: saves
     * everything that must not be lost, while signals are still blocked. May be NULL. */
    void (*leave)(void *state);
    /* It was opened from another screen: Escape leaves it, like ACTION_QUIT, if there is nothing
     * that ACTION_CANCEL changes. */
    bool goes_back;
};

/* The action of the wheel over a cell: the next or previous operation over cells that lead to
 * operations, the next or previous lesson over lessons, elsewhere the next or previous phase. */
enum action screen_wheel(struct hit hit, bool forward);

/* Passes a press to the program. */
bool screen_key(const struct screen_program *program, struct press press);

/*
 * Shows the program, and those after it, until the user leaves. Returns 0; or -1 with ERROR_USAGE
 * if the terminal cannot be used (standard output is not a terminal, TERM is not set or unknown, a
 * terminal without cursor movement, no terminal to read keys from), or with ERROR_SIGNAL and the
 * signal that ended it, which main() raises again. A terminal that has gone also counts as SIGHUP.
 *
 * Keys are read from standard input if it is a terminal, else from /dev/tty. A click performs
 * the action of the cell under it (struct hit); the wheel does what screen_wheel() says.
 */
int screen_run(struct screen_program *program, const struct screen_options *options,
               struct error *err);

/*
 * For a program whose tick() has to wait for a child, called every few milliseconds meanwhile:
 * reacts to changes of the terminal's size and to signals that stop or continue the process. It
 * takes only the keys Escape, q and Ctrl-C; others are dropped, with the bell. True if the wait
 * should end, because of one of these keys or a signal that ends the screen. Without a screen it
 * does nothing.
 */
bool screen_poll_cancel(void);

/*
 * The layer below, for one terminal at a time: opens a terminal of type `term` (NULL: $TERM) on
 * `output`, without taking signals; if memory runs out, the terminal is restored. `input` may be
 * any open file if no keys are needed.
 */
struct screen;
int screen_open(struct screen **screen, const char *term, FILE *output, FILE *input,
                const struct screen_options *options, struct error *err);
void screen_close(struct screen *screen); /* restores the terminal; NULL is fine */

/* Shows the grid from the upper left corner; cells beyond the terminal are left out. Sends only
 * the differences from the grid shown before. */
void screen_draw(struct screen *screen, const struct grid *grid);

/* Marks every cell as changed: the terminal may not show the last frame. */
void screen_forget(struct screen *screen);

/* Overrides the size of the terminal. */
void screen_resize(struct screen *screen, int columns, int rows);

#endif
