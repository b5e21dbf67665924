/*
 * lesson_text.h - lessons on paper: the list, and a whole lesson with its questions and answers.
 */
#ifndef SHFLVIZ_SESSION_LESSON_TEXT_H
#define SHFLVIZ_SESSION_LESSON_TEXT_H

#include "base/error.h"
#include "export/export.h"
#include "lesson/lesson.h"
#include "lesson/progress.h"
#include "trace/trace.h"

#include <stdio.h>

/* Writes one line per lesson, by chapter, with the learner's progress where there is any. */
void lesson_text_list(FILE *out, const struct lesson *const *lessons, size_t count,
                      const struct progress *progress, const char *language);

/* Writes every beat: the narration, its operation as a table if that has changed, the question, the
 * answer and the reason. */
int lesson_text_write(FILE *out, const struct lesson *lesson, struct trace *const *traces,
                      const char *language, const struct text_style *style, struct error *err);

#endif
