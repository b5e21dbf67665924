/*
 * question.h - questions to a learner about one warp operation.
 *
 * A question names lanes, never an answer: answers are computed from the recording
 * (explain/answer.h). It is written, in lessons, as "source of lane 5", "value of lane 5", "readers
 * of lane 5", "lanes own", "lanes undefined", "lanes changed" or "lanes absent"; about code as
 * "call", "blank AIM", "which AIM" (snippet_aim_parse()) or "wrong line".
 *
 * Where the documents that a learner may rely on differ, a lesson names further right answers
 * ("accept undefined"), in the form of answer_judge().
 */
#ifndef SHFLVIZ_EXPLAIN_QUESTION_H
#define SHFLVIZ_EXPLAIN_QUESTION_H

#include "base/error.h"
#include "explain/snippet/snippet.h"

#include <stdbool.h>

enum question_kind {
    QUESTION_NONE,
    QUESTION_SOURCE,    /* which lane does `lane` read? A lane, "own" or "undefined" */
    QUESTION_VALUE,     /* what does `lane` hold after it? A value, "own" or "undefined" */
    QUESTION_READERS,   /* which lanes read `lane`? A set of lanes */
    QUESTION_OWN,       /* which lanes are out of range and keep their own value? A set */
    QUESTION_UNDEFINED, /* for which lanes is the result undefined? A set */
    QUESTION_CHANGED,   /* which lanes hold a changed value after it? A set */
    QUESTION_ABSENT,    /* which lanes make no call? A set */
    /* About code (explain/snippet/code_answer.h): any answer that achieves the aim is right. */
    QUESTION_CALL,  /* which call made this picture? A call */
    QUESTION_BLANK, /* what belongs in the blank of this code? Code */
    QUESTION_WHICH, /* which of these lines achieve the aim? Letters: a, b ... */
    QUESTION_LINE,  /* which line of the source is wrong? Its number */
    QUESTION_KIND_COUNT
};

#define QUESTION_ACCEPTS    2
#define QUESTION_ACCEPT     24
#define QUESTION_CODES      4
#define QUESTION_BLANK_SIGN "___"

struct question {
    enum question_kind kind;
    int lane; /* 0..31; for SOURCE, VALUE and READERS, else 0 */
    /* Answers that are right besides the computed one, where sources differ; "" for none. */
    char accept[QUESTION_ACCEPTS][QUESTION_ACCEPT];
    /* For questions about code; the texts are borrowed from the lesson. */
    struct snippet_aim aim;           /* for CALL, BLANK and WHICH */
    const char *code[QUESTION_CODES]; /* BLANK: the code, its blank as "___"; WHICH: the choices */
    const char *example; /* BLANK, and CALL if lanes pass different arguments: a right answer; else
                            NULL */
};

/* Reads a lesson's question. Fails (ERROR_USAGE) with the given and the allowed text. */
int question_parse(struct question *question, const char *text, struct error *err);

/* Adds another right answer. Fails (ERROR_USAGE) if it is too long, or one too many. */
int question_accept(struct question *question, const char *answer, struct error *err);

/* Writes the question in a lesson's form; returns buffer. */
#define QUESTION_TEXT 64
char *question_format(const struct question *question, char buffer[QUESTION_TEXT]);

/* True if the question is about code. */
bool question_is_code(const struct question *question);

/* True if its answer is a set of lanes. */
bool question_is_set(const struct question *question);

#endif
