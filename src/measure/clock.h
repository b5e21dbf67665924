/*
 * clock.h - measures the time that the host takes, and takes the median of several runs.
 */
#ifndef SHFLVIZ_MEASURE_CLOCK_H
#define SHFLVIZ_MEASURE_CLOCK_H

#include "base/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts `times` and returns the middle one; count is at least 1. */
double clock_median(double *times, unsigned count);

#ifdef __cplusplus
}
#endif

#endif
