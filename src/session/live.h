/*
 * live.h - changes of the request while it is shown: the kernel runs again for each change, and
 * the replay continues in the new recording.
 */
#ifndef SHFLVIZ_SESSION_LIVE_H
#define SHFLVIZ_SESSION_LIVE_H

#include "base/error.h"
#include "base/text.h"
#include "launch/request.h"
#include "replay/pages/which_page.h"
#include "replay/replay.h"
#include "session/details.h"
#include "session/undo.h"
#include "view/grid.h"

#include <stdbool.h>

struct live {
    bool begun;
    struct request request; /* the current launch */
    struct history history; /* of its lines */
    struct trace *made;     /* its recording; NULL while the first one is still shown */
    struct text pending;    /* a line to be confirmed, because CUDA leaves its width undefined */
    struct request left;    /* shown on the left, while `beside` is its recording */
    struct trace *beside;
    struct text copied; /* the last requested command */
    struct details details;
    struct device_cache kept; /* between its runs */
    bool copies;              /* `copied` has not been passed to the terminal */
    struct which_page page;   /* the calls that give the requested values, while `choosing` */
    bool choosing;
};

/* Begins with a launch's request; the replay shows its recording, which stays the caller's. */
void live_begin(struct live *live, const struct launch *launch);
/* Allows recording the details of the kernel, if the CPU warp has run it. */
void live_allow_details(struct replay *replay);
/* Frees the recordings it made; no replay may use them any more. A zeroed struct is fine. */
void live_release(struct live *live);

/* Handles the replay's request. True if there was one. *remade is set if the replay has
 * another recording now. */
bool live_follow(struct live *live, struct replay *replay, bool *remade);

/* Ticks for the details of the launch (session/details.h), recorded from the kernel's own text.
 * True if anything changed; `*remade` as above. */
bool live_tick_details(struct live *live, struct replay *replay, bool *remade);

/* While the page of calls is open, keys and clicks go to it; true if something changed. */
bool live_page_apply(struct live *live, struct replay *replay, enum action action, long argument,
                     bool *remade);

/* Draws the page, or the two settings, if there are two; false if neither. */
bool live_draw(const struct live *live, const struct replay *replay, struct grid *grid);

/* The text to copy, once; else NULL. */
const char *live_take_copy(struct live *live);

#endif
