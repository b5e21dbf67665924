/*
 * search.h - binary search among sorted items.
 */
#ifndef SHFLVIZ_BASE_SEARCH_H
#define SHFLVIZ_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t search_key __attribute__((may_alias)); /* or an address */

/* The number of items, of `count`, with a key of at most the given one. Each item begins with its
 * key, 64 bits, and they are sorted by it. `size`: bytes of an item. */
static inline size_t search_until(const void *items, size_t count, size_t size, uint64_t number) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (*(const search_key *)(const void *)((const char *)items + middle * size) <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
