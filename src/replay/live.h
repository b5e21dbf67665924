/*
 * live.h - what a replay keeps of changes to what is shown; changes.h makes them.
 */
#ifndef SHFLVIZ_REPLAY_LIVE_H
#define SHFLVIZ_REPLAY_LIVE_H

#include <stdbool.h>
#include <stdint.h>

enum live_change {
    LIVE_NOTHING,
    LIVE_ARGUMENT, /* by `amount`, likewise the width (doublings), operation, type, schedule */
    LIVE_WIDTH,
    LIVE_OPERATION,
    LIVE_TYPE,
    LIVE_SCHEDULE,
    LIVE_THREADS,
    LIVE_MEMBER, /* `amount` is the lane that joins or leaves */
    LIVE_UNDO,   /* `amount` of them, redone where it is negative */
    LIVE_TYPED,  /* what is at the prompt */
    LIVE_COMPLETE,
    LIVE_CONFIRM, /* what the guide leaves undefined is wanted all the same */
    LIVE_COPY,
    LIVE_BESIDE, /* this setting beside those that follow; once more: no longer */
    LIVE_WHICH,  /* which calls give what is at the prompt */
};

struct live_ask {
    enum live_change change;
    long amount;
};

#define LIVE_COMPLAINT      640
#define LIVE_ALTERED_MILLIS 1500

/* What a change altered in the picture, lane by lane. */
struct live_altered {
    uint32_t group, in, formula, reads, out;
};

struct replay_live {
    bool on;                        /* what is shown can be changed */
    bool changed;                   /* it has been, since the scene was set */
    struct live_ask ask;            /* for whoever holds the replay */
    struct live_altered altered;    /* by the last change, marked for a moment */
    long altered_left;              /* milliseconds */
    char complaint[LIVE_COMPLAINT]; /* why a change was refused: what is wrong, allowed, to try */
    char choices[LIVE_COMPLAINT];   /* what may be typed next */
};

#endif
