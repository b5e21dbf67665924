/*
 * rate.h - how much each address may ask for.
 *
 * A bucket for each address: what is asked for takes from it, time fills it again. A school's
 * students often share one address, and behind a proxy all do, so a bucket holds what a full class
 * asks for when it comes in at once; it keeps one address from asking without end. Of IPv6 the
 * first 64 bits count, which is what one network has at least. Where more addresses come than are
 * remembered the one that asked longest ago is forgotten.
 */
#ifndef SHFLVIZ_SERVE_RATE_H
#define SHFLVIZ_SERVE_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define RATE_ADDRESSES 256
#define RATE_HOLDS     3000 /* 500 students: a page with its script and style, events, an answer */
#define RATE_PAGE      4    /* what a page that is the program costs: it needs nothing beside it */
#define RATE_A_SECOND  200
#define RATE_GUESS     100 /* what a wrong room code costs */

struct rate_address {
    uint64_t key;
    int64_t asked; /* when it last did: milliseconds, as `now` of rate_take() */
    double left;
    bool known;
};

struct rate {
    struct rate_address addresses[RATE_ADDRESSES];
};

struct sockaddr;
/* What counts as one address. */
uint64_t rate_key(const struct sockaddr *address);

/* Takes `cost` at a time that never goes back; false, with nothing taken, if there is less. */
bool rate_take(struct rate *rate, uint64_t key, int64_t now, unsigned cost);

#endif
