/*
 * code_answer.h - questions about code: the right answers, and the effect of a wrong one.
 *
 * Typed code is run over the lanes of the recorded operation (explain/snippet/snippet.h), so that
 * every answer that achieves the aim is right. A line of the source is wrong if its recorded call
 * gives some lane an undefined value.
 */
#ifndef SHFLVIZ_EXPLAIN_CODE_ANSWER_H
#define SHFLVIZ_EXPLAIN_CODE_ANSWER_H

#include "base/error.h"
#include "explain/question.h"
#include "explain/subject.h"

#include <stddef.h>

/* Fails (ERROR_USAGE) if the question cannot be asked: no code, no blank in it, an example
 * that is wrong, no choice that is right or none that is wrong, or a line that is not wrong. */
int code_check(struct subject subject, const struct question *question, struct error *err);

/* A right answer, in a form that may be typed. */
void code_answer(struct subject subject, const struct question *question, char *buffer,
                 size_t size);

/* Like answer_judge(), for a question that code_check() allows. */
enum answer_verdict code_judge(struct subject subject, const struct question *question,
                               const char *typed, char *normal, size_t size);

/* Reports why an answer cannot be read. Returns -1 with err filled. */
int code_problem(struct subject subject, const struct question *question, const char *typed,
                 struct error *err);

/* The error in a wrong answer, for one lane. */
void code_why_wrong(struct subject subject, const struct question *question, const char *typed,
                    char *buffer, size_t size);

/* The reason why the answer is right, in a sentence; a hint that does not give it away. */
void code_reason(struct subject subject, const struct question *question, char *buffer,
                 size_t size);
const char *code_hint(const struct question *question);

#endif
