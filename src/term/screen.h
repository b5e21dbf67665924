/*
 * screen.h - the terminal: ncurses, and nothing above it knows that.
 *
 * screen_run() owns the terminal from its first line to its last and gives it back as it was found
 * on every way out: return, SIGINT, SIGTERM, SIGHUP, SIGQUIT, and every other signal that ends a
 * program and can be caught, a stack overflow among them. SIGTSTP gives it back and stops, SIGCONT
 * takes it again and redraws.
 *
 * The caller sets the locale (setlocale(LC_ALL, "")) before; it decides how characters beyond
 * ASCII are written.
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
    enum color_depth depth;             /* the most that is wanted; the terminal may have less */
    bool ascii;                         /* the locale is not UTF-8, or --ascii */
    enum palette_background background; /* BACKGROUND_UNKNOWN: find it out */
};

/*
 * What a terminal shows and gives its keys to: a replay, a lesson, the list of them, a quiz. It
 * knows no terminal; the screen calls it from one thread and asks for nothing between its calls.
 * Whatever changes, changes through key, apply, tick and ready; each returns true if something that
 * can be seen did.
 */
struct screen_program {
    void *state; /* handed to all but next */
    /* What a key means now: asked for once per press, before key. What is pasted goes
     * into a line that is open, else to paste: it never acts as keys. */
    struct press (*press)(const void *state, const char *key);
    bool (*key)(void *state, struct press press);                  /* NULL: apply takes keys, too */
    bool (*apply)(void *state, enum action action, long argument); /* a click, the wheel */
    bool (*tick)(void *state, long milliseconds); /* may be NULL, as wait: no clock is wanted */
    /* Milliseconds until the next tick does something, or -1 if none ever does. */
    long (*wait)(const void *state);
    void (*draw)(const void *state, struct grid *grid); /* into all of a cleared grid */
    bool (*done)(const void *state);
    /*
     * When done: what is shown after it, or NULL to leave; may be NULL. The terminal stays open
     * from one program to the next, and keys typed ahead go to the next. It may return `self`,
     * begun anew. Signals are held back while it works (a child process inherits that): what takes
     * long belongs into tick.
     */
    struct screen_program *(*next)(struct screen_program *self);
    /* Others to wait for input on, at most `most`; returns how many. May be NULL. */
    size_t (*descriptors)(const void *state, int *descriptors, size_t most);
    /* One of them can be read, or has ended: then it must not be named again. May be NULL. */
    bool (*ready)(void *state);
    /* Takes what is pasted as a whole text, where no line is open; NULL: it goes nowhere then.
     * Returns true if something that can be seen changed. */
    bool (*paste)(void *state, const char *text);
    /* A line for the terminal's clipboard (OSC 52), asked for after each key; NULL: none. May be
     * NULL. */
    const char *(*copy)(void *state);
    /* Ctrl-C; true: that was meant for what the program attends to, and the screen stays. May be
     * NULL. */
    bool (*interrupt)(void *state);
    /* The screen closes with this program on it, by a signal perhaps: saves what must not be lost,
     * while signals are still held back. May be NULL. */
    void (*leave)(void *state);
};

/* What the wheel asks for over a cell. It moves in time: over what leads to operations by
 * operations, else by phases; over lessons by lessons. */
enum action screen_wheel(struct hit hit, bool forward);

/* Hands a press to the program. */
bool screen_key(const struct screen_program *program, struct press press);

/*
 * Shows the program, and those after it, until the person leaves. Returns 0; or -1 with ERROR_USAGE
 * if the terminal cannot be used (standard output is not a terminal, TERM is not set or unknown, a
 * terminal without cursor movement, no terminal to read keys from), or with ERROR_SIGNAL and the
 * signal that ended it, which main() raises again. SIGHUP is also what a terminal that has gone
 * gives.
 *
 * Keys are read from standard input if it is a terminal, else from /dev/tty. A click does what the
 * cell under it says (struct hit); the wheel steps through the phases, over cells that lead to an
 * operation through the operations.
 */
int screen_run(struct screen_program *program, const struct screen_options *options,
               struct error *err);

/*
 * The layer below, for one terminal at a time: opens a terminal of type `term` (NULL: $TERM) on
 * `output`, without taking signals; where memory runs out, the terminal is given back. `input` may
 * be any open file where no keys are wanted.
 */
struct screen;
int screen_open(struct screen **screen, const char *term, FILE *output, FILE *input,
                const struct screen_options *options, struct error *err);
void screen_close(struct screen *screen); /* gives the terminal back; NULL is fine */

/* Shows the grid from the upper left corner; cells beyond the terminal are left out. Only what
 * differs from the grid shown before is sent. */
void screen_draw(struct screen *screen, const struct grid *grid);

/* Lets every cell count as changed: the terminal is not known to show what was drawn before. */
void screen_forget(struct screen *screen);

/* Lets the terminal be taken for one of this size. */
void screen_resize(struct screen *screen, int columns, int rows);

#endif
