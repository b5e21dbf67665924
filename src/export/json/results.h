/* results.h - the answers of one learner to a lesson or a quiz, as JSON, for collection. */
#ifndef SHFLVIZ_EXPORT_RESULTS_H
#define SHFLVIZ_EXPORT_RESULTS_H

#include "teach/results.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct results_heading {
    const char *of;   /* "lesson" or "quiz" */
    const char *name; /* name of the lesson, or the quiz's source; NULL for all kinds of shuffles */
    const char *who;  /* as given by the learner; may be NULL */
    bool has_seed;
    uint64_t seed;
    int level;         /* a quiz's current level; 0 for none */
    size_t questions;  /* number of questions; 0 for endless */
    const char *begun; /* ISO 8601, UTC */
    const char *ended;
};

/* One object on one line, as docs/JSON.md describes it. */
void export_results(FILE *out, const struct results_heading *heading,
                    const struct results *results);

#endif
