/*
 * screen.h - the terminal: ncurses, and nothing above it knows that.
 *
 * screen_run() owns the terminal from its first line to its last and gives it back as it was found
 * on every way out: return, SIGINT, SIGTERM, SIGHUP, an abort. SIGTSTP stops and SIGCONT redraws.
 */
#ifndef SHFLVIZ_TERM_SCREEN_H
#define SHFLVIZ_TERM_SCREEN_H

#include "base/error.h"
#include "replay/replay.h"
#include "term/painter.h"

#include <stdbool.h>

struct screen_options {
    enum color_depth depth;
    bool ascii; /* the locale is not UTF-8, or --ascii */
};

/*
 * Shows the replay until the person leaves. Returns 0, -1 with ERROR_USAGE if the terminal cannot
 * be used (no TERM, standard output is none), or the number of the signal that ended it.
 */
int screen_run(struct replay *replay, const struct screen_options *options, struct error *err);

#endif
