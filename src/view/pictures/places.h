/*
 * places.h - which lanes of the warp are at which lines of the source, for what is drawn beside it.
 * For src/view alone.
 */
#ifndef SHFLVIZ_VIEW_PLACES_H
#define SHFLVIZ_VIEW_PLACES_H

#include "view/moment.h"

#define PLACES_MAX 8

enum place_kind {
    PLACE_HERE,  /* make the call that is looked at */
    PLACE_WAITS, /* wait there, and the run never went on */
    PLACE_LATER, /* make their next call there */
};

struct place {
    uint32_t line, lanes;
    enum place_kind kind;
};

struct places {
    struct place place[PLACES_MAX];
    int count; /* 0 where all lanes that there are make the call, or it is not to be seen */
};

/* Lines are those of the file that the current call is in. */
void places_find(const struct moment *moment, struct places *places);

#endif
