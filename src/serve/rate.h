/*
 * rate.h - limits the requests of each client.
 *
 * Each client has a token bucket: requests take from it, and time refills it. Students who have
 * joined have their own buckets, because a class behind a proxy or a school's router shares one
 * address: a student who floods the class only uses up one bucket. Only those who have not joined
 * are counted by address. For IPv6 only the first 64 bits of an address count, the prefix of the
 * smallest networks. If there are more clients than buckets, the least recently active one is
 * forgotten.
 *
 * Wrong room codes are counted for the room as well, so that using more addresses does not make
 * guessing faster.
 */
#ifndef SHFLVIZ_SERVE_RATE_H
#define SHFLVIZ_SERVE_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define RATE_BUCKETS 1024
#define RATE_PAGE    4 /* the cost of the page that has the whole program */

enum rate_kind {
    RATE_ADDRESS,   /* requests of clients that have not joined; key: rate_key() */
    RATE_STUDENT,   /* requests of one that has joined; key: the student's number */
    RATE_NEWCOMERS, /* new students from an address */
    RATE_GUESSES,   /* wrong room codes from an address */
    RATE_CODES,     /* wrong room codes from all clients; key: 0 */
    RATE_KINDS
};

struct rate_limit {
    unsigned holds, a_minute;
};
extern const struct rate_limit rate_limits[RATE_KINDS];

struct rate_bucket {
    uint64_t key;
    int64_t asked; /* time of the last request, as `now` of rate_take() */
    double left;
    enum rate_kind kind;
    bool known;
};

struct rate {
    struct rate_bucket buckets[RATE_BUCKETS];
};

struct sockaddr;
/* The key of an address. */
uint64_t rate_key(const struct sockaddr *address);
/* The same for a numeric address, as a proxy reports it; 0 if it is invalid. */
uint64_t rate_key_named(const char *text);

/* Takes `cost` from a bucket at `now`, a monotonic time in milliseconds; false, with nothing taken,
 * if less is left. */
bool rate_take(struct rate *rate, enum rate_kind kind, uint64_t key, int64_t now, unsigned cost);
/* Returns what rate_take() would return, but takes nothing. */
bool rate_has(struct rate *rate, enum rate_kind kind, uint64_t key, int64_t now, unsigned cost);

#endif
