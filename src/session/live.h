/*
 * live.h - what is asked for, changed while it is looked at: the kernel runs again for each change,
 * and the replay goes on in the new recording.
 */
#ifndef SHFLVIZ_SESSION_LIVE_H
#define SHFLVIZ_SESSION_LIVE_H

#include "base/error.h"
#include "base/text.h"
#include "launch/request.h"
#include "replay/pages/which_page.h"
#include "replay/replay.h"
#include "session/history.h"
#include "view/grid.h"

#include <stdbool.h>

struct live {
    bool begun;
    struct request request; /* what is shown */
    struct history history; /* of its lines */
    struct trace *made;     /* its recording; NULL while it is still the one begun with */
    struct text pending;    /* a line that is asked about: the guide leaves its width undefined */
    struct request left;    /* beside it, while `beside` is its recording */
    struct trace *beside;
    struct text copied;      /* the command last asked for */
    struct device_kept kept; /* between its runs */
    bool copies;             /* it has not been handed to the terminal */
    struct which_page page;  /* the calls that give what was asked for, while `choosing` */
    bool choosing;
};

/* Begins with what a launch has asked for; its recording is the replay's, and the caller's. */
void live_begin(struct live *live, const struct launch *launch);
/* The recordings that it made: no replay may look at them any more. NULL-filled is fine. */
void live_release(struct live *live);

/* Does what the replay asks for, if anything. True if it did. `*remade` if the replay looks at
 * another recording now. */
bool live_follow(struct live *live, struct replay *replay, bool *remade);

/* While calls are chosen from keys and clicks are the page's; true if something changed. */
bool live_page_apply(struct live *live, struct replay *replay, enum action action, long argument,
                     bool *remade);

/* Draws the page, or the two settings, if there are two; false if neither. */
bool live_draw(const struct live *live, const struct replay *replay, struct grid *grid);

/* What is to be copied, once; else NULL. */
const char *live_take_copy(struct live *live);

#endif
