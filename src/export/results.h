/*
 * results.h - the answers of one learner to a lesson or a quiz, as JSON, for who collects them.
 */
#ifndef SHFLVIZ_EXPORT_RESULTS_H
#define SHFLVIZ_EXPORT_RESULTS_H

#include "teach/results.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct results_heading {
    const char *of;   /* "lesson" or "quiz" */
    const char *name; /* of the lesson, or what the quiz draws from; NULL: all kinds of shuffles */
    const char *who;  /* as the learner says; NULL */
    bool has_seed;
    uint64_t seed;
    int level;         /* a quiz's, now; 0: none */
    size_t questions;  /* that there are in all; 0: there is no end */
    const char *begun; /* ISO 8601, UTC */
    const char *ended;
};

/* One object on one line, as docs/JSON.md describes it. */
void export_results(FILE *out, const struct results_heading *heading,
                    const struct results *results);

#endif
