/*
 * clock.h - this machine's own clock, and the median of several times.
 */
#ifndef SHFLVIZ_MEASURE_CLOCK_H
#define SHFLVIZ_MEASURE_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds since some moment; only differences mean something. */
double clock_seconds(void);

/* Sorts `times` and returns the middle one; count is at least 1. */
double clock_median(double *times, unsigned count);

#ifdef __cplusplus
}
#endif

#endif
