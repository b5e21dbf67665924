/*
 * orders.h - whether what a program prints, and its exit status, depend on the order of the lanes.
 *
 * A program that prints times or addresses gives something else each time. So two runs are held
 * against each other word by word only where each gives the same when it is repeated.
 */
#ifndef SHFLVIZ_LAUNCH_ORDERS_H
#define SHFLVIZ_LAUNCH_ORDERS_H

#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

enum orders_differ {
    ORDERS_ALIKE,
    ORDERS_ROUNDING, /* floating-point numbers, in digits that the order of a sum decides */
    ORDERS_SEQUENCE, /* the same words in another order, as of elements that are appended */
    ORDERS_VALUES
};

struct orders_difference {
    enum orders_differ kind;
    uint64_t first, other; /* schedules */
    char first_word[48];   /* the first that differs, in each; "" if it is the exit status */
    char other_word[48];
};

/* A run's results. */
struct orders_result {
    char *printed; /* by malloc(); NULL: it did not finish, or printed too much to be kept */
    int status;
};

/* Takes a run's results from its recording, which may be NULL. */
struct orders_result orders_result_of(const struct trace *trace, int status);
void orders_result_release(struct orders_result *result);

/* Whether two runs gave the same, byte by byte; of one that is not known nothing is said: true. */
bool orders_same(const struct orders_result *a, const struct orders_result *b);

/* What sets the runs apart; each was made twice. Sets all but the schedules. */
void orders_compare(const struct orders_result first[2], const struct orders_result other[2],
                    struct orders_difference *difference);

#endif
