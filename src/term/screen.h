/*
 * screen.h - the terminal: ncurses, and nothing above it knows that.
 *
 * screen_run() owns the terminal from its first line to its last and gives it back as it was found
 * on every way out: return, SIGINT, SIGTERM, SIGHUP, SIGQUIT, an abort or another crash. SIGTSTP
 * gives it back and stops, SIGCONT takes it again and redraws.
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
 * Shows the replay until the person leaves. Returns 0; or -1 with ERROR_USAGE if the terminal
 * cannot be used (standard output is none, TERM is not set or unknown, a terminal without cursor
 * movement, no terminal to read keys from); or the number of the signal that ended it, which the
 * caller raises again. SIGHUP stands also for a terminal that is gone.
 *
 * Keys are read from standard input if it is a terminal, else from /dev/tty. A click does what the
 * cell under it says (struct hit); the wheel steps through the phases, over cells that lead to an
 * operation through the operations.
 */
int screen_run(struct replay *replay, const struct screen_options *options, struct error *err);

/*
 * The layer below, for one terminal at a time: opens a terminal of type `term` (NULL: $TERM) on
 * `output`, without taking signals. `input` may be any open file where no keys are wanted.
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

/* The depth in use: what was wanted, as far as the terminal has it. */
enum color_depth screen_depth(const struct screen *screen);

/* Lets the terminal be taken for one of this size. */
void screen_resize(struct screen *screen, int columns, int rows);

#endif
