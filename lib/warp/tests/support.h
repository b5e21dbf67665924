/* support.h - helpers shared by the tests of lib/warp. */
#ifndef SHFLVIZ_TESTS_WARP_SUPPORT_H
#define SHFLVIZ_TESTS_WARP_SUPPORT_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* splitmix64: the same sequence everywhere, so that a failure can be repeated. */
static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
