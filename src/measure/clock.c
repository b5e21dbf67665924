#include "measure/clock.h"

#include <stdlib.h>
#include <time.h>

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double clock_median(double *times, unsigned count) {
    qsort(times, count, sizeof *times, compare_times);
    return times[count / 2];
}
