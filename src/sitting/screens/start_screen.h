/*
 * start_screen.h - the screen that the program opens with where nothing is asked for: what there is
 * to do, and a shuffle that moves.
 */
#ifndef SHFLVIZ_SITTING_START_SCREEN_H
#define SHFLVIZ_SITTING_START_SCREEN_H

#include "base/error.h"
#include "base/text.h"
#include "term/screen.h"

#include <stdbool.h>

/* One thing that was looked at on this machine. */
typedef void start_machine_line(void *context, const char *name, bool present, const char *text);

struct start_wish {
    /* Looks at this machine, and says each thing; called when the person asks for it. */
    void (*machine)(start_machine_line *line, void *context);
};

/*
 * Shows it until the person has chosen, or leaves. Appends what was chosen as a command without
 * "shflviz", a file's name quoted: "lesson", "run 'my file.cu'"; nothing if the person left. Fails
 * as screen_run().
 */
int start_screen_run(const struct start_wish *wish, const struct screen_options *options,
                     struct text *command, struct error *err);

#endif
