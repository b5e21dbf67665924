/*
 * results.h - what a learner answered, question by question, to be collected.
 */
#ifndef SHFLVIZ_TEACH_RESULTS_H
#define SHFLVIZ_TEACH_RESULTS_H

#include "explain/question.h"
#include "explain/subject.h"

#include <stdbool.h>
#include <stddef.h>

/* One question, as it went the first time that it was asked. */
struct result {
    char *where;    /* id of the beat; "" in a quiz */
    char *question; /* as question_format() has it: "source of lane 5" */
    const char *op; /* of the operation it is about: "xor" */
    char **answer;  /* what was answered, first to last, in the form of answer_judge() */
    size_t answers; /* how many */
    char *right;    /* what is right; NULL while the question is open */
    bool is_right;  /* in the end */
    bool first_try; /* and at once, without a hint */
    bool hinted;    /* there was a hint, asked for or not */
    bool shown;     /* the answer was shown on request */
    bool mended;    /* asked again later, and right then */
};

struct results {
    struct result *result;
    size_t count;
};

/* All take NULL for `results`: then nothing is kept. Questions of a lesson are known by
 * `where`; in a quiz, where that is "", the one that is open is meant. */
void results_answer(struct results *results, const char *where, const char *typed);
/* The question is answered or shown. `how` has hinted, shown and is_right; the rest is found. */
void results_settle(struct results *results, const char *where, struct subject subject,
                    const struct question *question, struct result how);
void results_release(struct results *results);

/* Questions that are settled. */
size_t results_settled(const struct results *results);

#endif
