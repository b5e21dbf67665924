/*
 * details.h - records the details of a run by repeating it, when the replay of its recording
 * needs them (replay/details.h). The screen says so first, since building takes a moment.
 */
#ifndef SHFLVIZ_SESSION_DETAILS_H
#define SHFLVIZ_SESSION_DETAILS_H

#include "base/error.h"
#include "replay/replay.h"
#include "trace/trace.h"

#include <stdbool.h>

/* Records the same run with its details. */
struct details_source {
    int (*record)(void *context, struct trace **trace, struct error *err); /* NULL if it cannot */
    void *context;
};

struct details {
    bool is_said;
};

/*
 * Call it at each tick. True if anything changed. *made gets a recording that the replay shows from
 * then on, or NULL; the caller closes it once the replay has ended.
 */
bool details_tick(struct details *details, struct replay *replay,
                  const struct details_source *source, struct trace **made);
/* Milliseconds until the next tick has something to do; -1 if it never will. */
long details_wait(const struct replay *replay);

#endif
