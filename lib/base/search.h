/*
 * search.h - binary search among sorted items.
 */
#ifndef SHFLVIZ_BASE_SEARCH_H
#define SHFLVIZ_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t search_number __attribute__((may_alias));
typedef uintptr_t search_address __attribute__((may_alias));

/* A loop over items whose keys have the type `key`: 32 bits for an address in WebAssembly. */
#define SEARCH_BODY(key)                                                                           \
    size_t low = 0, high = count;                                                                  \
    while (low < high) {                                                                           \
        const size_t middle = (low + high) / 2;                                                    \
        if (*(const key *)(const void *)((const char *)items + middle * size) <= wanted)           \
            low = middle + 1;                                                                      \
        else                                                                                       \
            high = middle;                                                                         \
    }                                                                                              \
    return low

/* Returns how many of the `count` items have a key of at most `wanted`. Each item has `size` bytes
 * and begins with its 64-bit key; the items are sorted by key. */
static inline size_t search_up_to(const void *items, size_t count, size_t size, uint64_t wanted) {
    SEARCH_BODY(search_number);
}

/* The same for items that begin with an address. */
static inline size_t search_address_up_to(const void *items, size_t count, size_t size,
                                          const void *address) {
    const uintptr_t wanted = (uintptr_t)address;
    SEARCH_BODY(search_address);
}
#undef SEARCH_BODY

#endif
