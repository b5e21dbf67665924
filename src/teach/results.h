/* results.h - a learner's answers, question by question, to be collected. */
#ifndef SHFLVIZ_TEACH_RESULTS_H
#define SHFLVIZ_TEACH_RESULTS_H

#include "explain/question.h"
#include "explain/subject.h"

#include <stdbool.h>
#include <stddef.h>

/* One question, and its first round of answers. */
struct result {
    char *where;    /* id of the beat; "" in a quiz */
    char *question; /* in the form of question_format(): "source of lane 5" */
    const char *op; /* of its operation: "xor" */
    char **answer;  /* the answers, first to last, in the form of answer_judge() */
    size_t answers; /* how many */
    char *right;    /* the right answer; NULL while the question is open */
    bool is_right;  /* right in the end */
    bool first_try; /* and on the first try, without a hint */
    bool hinted;    /* there was a hint, asked for or not */
    bool shown;     /* the answer was shown on request */
    bool mended;    /* asked again later, and right then */
};

struct results {
    struct result *result;
    size_t count;
};

/* All accept NULL for `results`: then nothing is kept. `where` identifies the question of a lesson;
 * in a quiz it is "", which means the open question. */
void results_answer(struct results *results, const char *where, const char *typed);
/* Notes that the question has been answered, or its answer shown. `how` has hinted, shown and
 * is_right; the rest is added here. */
void results_settle(struct results *results, const char *where, struct subject subject,
                    const struct question *question, struct result how);
void results_release(struct results *results);

/* The number of settled questions. */
size_t results_settled(const struct results *results);

#endif
