/*
 * clock.h - this machine's own clock, of which only differences are meaningful; and dates.
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

/* A calendar time in the form of ISO 8601, in UTC: "2026-05-01T12:00:00Z"; "" after year 9999. */
#define CLOCK_DATE 24
static inline void clock_date(time_t time, char date[CLOCK_DATE]) {
    struct tm utc;
    if (!gmtime_r(&time, &utc) || strftime(date, CLOCK_DATE, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        date[0] = '\0';
}

#endif
