/*
 * worksheet.h - a lesson's questions on paper, in Markdown: with room for the answers, or with
 * them.
 */
#ifndef SHFLVIZ_SESSION_WORKSHEET_H
#define SHFLVIZ_SESSION_WORKSHEET_H

#include "base/error.h"
#include "lesson/lesson.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Writes the text before each question, the picture without its answer, the question, and a line
 * for the answer; with `answers`, the answer and the reason instead. `traces` has one recording for
 * each run of the lesson. Fails (ERROR_USAGE) for a lesson without questions.
 */
int worksheet_write(FILE *out, const struct lesson *lesson, struct trace *const *traces,
                    const char *language, bool answers, bool ascii, struct error *err);

#endif
