/* live.h - a replay's state for changes to the scene; changes.h makes the changes. */
#ifndef SHFLVIZ_REPLAY_LIVE_H
#define SHFLVIZ_REPLAY_LIVE_H

#include <stdbool.h>
#include <stdint.h>

enum live_change {
    LIVE_NOTHING,
    LIVE_ARGUMENT, /* changes the argument by `amount`; likewise the width (in doublings),
                      operation, type, schedule */
    LIVE_WIDTH,
    LIVE_OPERATION,
    LIVE_TYPE,
    LIVE_SCHEDULE,
    LIVE_THREADS,
    LIVE_MEMBER, /* `amount` is the lane that joins or leaves */
    LIVE_UNDO,   /* undoes `amount` changes; redoes them if negative */
    LIVE_TYPED,  /* takes the text at the prompt */
    LIVE_COMPLETE,
    LIVE_CONFIRM, /* undefined results are wanted all the same */
    LIVE_COPY,
    LIVE_BESIDE, /* keeps this setting to compare with later ones; a second request drops it */
    LIVE_WHICH,  /* finds the calls that give the values at the prompt */
};

struct live_ask {
    enum live_change change;
    long amount;
};

#define LIVE_COMPLAINT      640
#define LIVE_ALTERED_MILLIS 1500

/* The effects of a change on the picture, lane by lane. */
struct live_altered {
    uint32_t group, in, formula, reads, out;
};

struct replay_live {
    bool on;                        /* the scene can be changed */
    bool changed;                   /* it has been changed since it was set */
    struct live_ask ask;            /* for the owner of the replay */
    struct live_altered altered;    /* by the last change, marked for a moment */
    long altered_left;              /* milliseconds */
    char complaint[LIVE_COMPLAINT]; /* the reason why a change was refused: what is wrong, what is
                                     * allowed, what to try */
    char choices[LIVE_COMPLAINT];   /* words that may be typed next */
};

#endif
