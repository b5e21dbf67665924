/*
 * clock.h - this machine's own clock: only differences between two of its times mean something.
 */
#ifndef SHFLVIZ_BASE_CLOCK_H
#define SHFLVIZ_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline int64_t clock_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif
