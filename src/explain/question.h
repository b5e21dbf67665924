/*
 * question.h - what a learner can be asked about one warp operation.
 *
 * A question names lanes, never an answer: answers are computed from the recording
 * (explain/answer.h). It is written, in lessons, as "source of lane 5", "value of lane 5", "readers
 * of lane 5", "lanes own", "lanes undefined", "lanes changed" or "lanes absent".
 *
 * Where texts that a learner may go by differ, a lesson names further answers that are right
 * ("accept undefined"); they are written as answer_judge() writes them.
 */
#ifndef SHFLVIZ_EXPLAIN_QUESTION_H
#define SHFLVIZ_EXPLAIN_QUESTION_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum question_kind {
    QUESTION_NONE,
    QUESTION_SOURCE,    /* which lane does `lane` read? A lane, "own" or "undefined" */
    QUESTION_VALUE,     /* what does `lane` hold after it? A value, "own" or "undefined" */
    QUESTION_READERS,   /* which lanes read `lane`? A set of lanes */
    QUESTION_OWN,       /* which lanes are out of range and keep their own value? A set */
    QUESTION_UNDEFINED, /* for which lanes is the result undefined? A set */
    QUESTION_CHANGED,   /* which lanes hold another value after it? A set */
    QUESTION_ABSENT,    /* which lanes make no call? A set */
    QUESTION_KIND_COUNT
};

#define QUESTION_ACCEPTS 2
#define QUESTION_ACCEPT  24

struct question {
    enum question_kind kind;
    int lane; /* 0..31; of SOURCE, VALUE and READERS, else 0 */
    /* Answers that are right besides the one computed, where sources differ; "" for none. */
    char accept[QUESTION_ACCEPTS][QUESTION_ACCEPT];
};

/* Reads what a lesson writes. Fails (ERROR_USAGE) with what was written and what may be. */
int question_parse(struct question *question, const char *text, struct error *err);

/* Adds an answer that is right as well. Fails (ERROR_USAGE) if it is too long, or one too many. */
int question_accept(struct question *question, const char *answer, struct error *err);

/* Writes it as a lesson does; returns buffer. */
#define QUESTION_TEXT 32
char *question_format(const struct question *question, char buffer[QUESTION_TEXT]);

/* Whether its answer is a set of lanes. */
bool question_is_set(const struct question *question);

#endif
