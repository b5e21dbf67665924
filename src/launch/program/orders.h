/*
 * orders.h - finds out whether a program's output, or its exit status, depends on the order of the
 * lanes.
 *
 * The output of a program that prints times or addresses varies from run to run. So two runs are
 * compared only in the words that stay the same when each run is repeated.
 */
#ifndef SHFLVIZ_LAUNCH_ORDERS_H
#define SHFLVIZ_LAUNCH_ORDERS_H

#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

enum orders_differ {
    ORDERS_ALIKE,
    ORDERS_ROUNDING, /* floating-point numbers, in digits that depend on the order of a sum */
    ORDERS_SEQUENCE, /* the same words in another order: elements may be appended in any order */
    ORDERS_VALUES
};

struct orders_difference {
    enum orders_differ kind;
    uint64_t first, other; /* schedules */
    char first_word[48];   /* the first word that differs, in each run; "" if the difference is the
                              exit status */
    char other_word[48];
};

/* A run's results. */
struct orders_result {
    char *printed; /* malloc()ed; NULL if it did not finish, or printed too much to be kept */
    int status;
};

/* Fills in a run's results from its recording, which may be NULL. */
struct orders_result orders_result_of(const struct trace *trace, int status);
void orders_result_release(struct orders_result *result);

/* True if two runs had the same exit status and output, byte by byte, or if one output is not
 * known. */
bool orders_same(const struct orders_result *a, const struct orders_result *b);

/* Compares two runs, each of which was made twice. Sets all of *difference but its schedules. */
void orders_compare(const struct orders_result first[2], const struct orders_result other[2],
                    struct orders_difference *difference);

#endif
