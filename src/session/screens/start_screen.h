/*
 * start_screen.h - the screen that the program opens with by default: a list of things to do, and
 * an animated shuffle.
 */
#ifndef SHFLVIZ_SESSION_START_SCREEN_H
#define SHFLVIZ_SESSION_START_SCREEN_H

#include "base/error.h"
#include "base/text.h"
#include "session/screens/start_lists.h"
#include "term/screen.h"

#include <stdbool.h>

/* The last position, to which the screen returns; zeroed at first. */
struct start_position {
    enum start_list list;
    size_t from_end[START_LISTS]; /* of each list: "Continue" may come before the selected entry */
    bool was_shown[START_LISTS];
};

/*
 * Shows it until the user has chosen, or leaves. Appends the choice to `command`, without "shflviz"
 * and with a file's name quoted: "lesson", "run 'my file.cu'"; or to `pasted`, if it is text that
 * was pasted or typed (a call, a program, a post) or an example. Appends nothing if the user left.
 * Fails like screen_run().
 */
int start_screen_run(const struct start_options *opts, struct start_position *position,
                     const struct screen_options *options, struct text *command,
                     struct text *pasted, struct error *err);

#endif
