#include "serve/rate.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

uint64_t rate_key(const struct sockaddr *address) {
    uint64_t key = 0;
    if (address && address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)address;
        key = (uint64_t)1 << 32 | four->sin_addr.s_addr;
    } else if (address && address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)address;
        if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
            uint32_t four;
            memcpy(&four, &six->sin6_addr.s6_addr[12], sizeof four);
            key = (uint64_t)1 << 32 | four;
        } else {
            memcpy(&key, six->sin6_addr.s6_addr, sizeof key);
        }
    }
    return key;
}

uint64_t rate_key_named(const char *text) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } address = {.six = {.sin6_family = AF_INET6}};
    if (inet_pton(AF_INET6, text, &address.six.sin6_addr) == 1)
        return rate_key(&address.any);
    address.four = (struct sockaddr_in){.sin_family = AF_INET};
    return inet_pton(AF_INET, text, &address.four.sin_addr) == 1 ? rate_key(&address.any) : 0;
}

const struct rate_limit rate_limits[RATE_KINDS] = {
    [RATE_ADDRESS] = {3000, 12000}, [RATE_STUDENT] = {100, 300}, [RATE_NEWCOMERS] = {500, 60},
    [RATE_GUESSES] = {30, 120},     [RATE_CODES] = {300, 120},
};

/* The bucket of a key, refilled up to now; a new key gets a full one that replaces the oldest. */
static struct rate_bucket *bucket_of(struct rate *rate, enum rate_kind kind, uint64_t key,
                                     int64_t now) {
    const struct rate_limit limit = rate_limits[kind];
    struct rate_bucket *oldest = &rate->buckets[0];
    for (size_t i = 0; i < RATE_BUCKETS; i++) {
        struct rate_bucket *bucket = &rate->buckets[i];
        if (bucket->known && bucket->kind == kind && bucket->key == key) {
            bucket->left += (double)(now - bucket->asked) * limit.a_minute / 60000;
            if (bucket->left > limit.holds)
                bucket->left = limit.holds;
            bucket->asked = now;
            return bucket;
        }
        if (!bucket->known ? oldest->known : oldest->known && bucket->asked < oldest->asked)
            oldest = bucket;
    }
    *oldest = (struct rate_bucket){key, now, limit.holds, kind, true};
    return oldest;
}

bool rate_has(struct rate *rate, enum rate_kind kind, uint64_t key, int64_t now, unsigned cost) {
    return bucket_of(rate, kind, key, now)->left >= cost;
}

bool rate_take(struct rate *rate, enum rate_kind kind, uint64_t key, int64_t now, unsigned cost) {
    struct rate_bucket *bucket = bucket_of(rate, kind, key, now);
    if (bucket->left < cost)
        return false;
    bucket->left -= cost;
    return true;
}
