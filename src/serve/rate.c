#include "serve/rate.h"

#include <netinet/in.h>
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

/* The bucket of an address; a full one in the place of the oldest if it is new. */
static struct rate_address *bucket_of(struct rate *rate, uint64_t key, int64_t now) {
    struct rate_address *oldest = &rate->addresses[0];
    for (size_t i = 0; i < RATE_ADDRESSES; i++) {
        struct rate_address *address = &rate->addresses[i];
        if (address->known && address->key == key)
            return address;
        if (!address->known ? oldest->known : oldest->known && address->asked < oldest->asked)
            oldest = address;
    }
    *oldest = (struct rate_address){key, now, RATE_HOLDS, true};
    return oldest;
}

bool rate_take(struct rate *rate, uint64_t key, int64_t now, unsigned cost) {
    struct rate_address *address = bucket_of(rate, key, now);
    address->left += (double)(now - address->asked) * RATE_A_SECOND / 1000;
    if (address->left > RATE_HOLDS)
        address->left = RATE_HOLDS;
    address->asked = now;
    if (address->left < cost)
        return false;
    address->left -= cost;
    return true;
}
