#include "measure/clock.h"

#include <stdlib.h>

static int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double clock_median(double *times, unsigned count) {
    qsort(times, count, sizeof *times, compare_times);
    return times[count / 2];
}
