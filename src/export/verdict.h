/* verdict.h - the verdict on a learner's file, as JSON. */
#ifndef SHFLVIZ_EXPORT_VERDICT_H
#define SHFLVIZ_EXPORT_VERDICT_H

#include "exercise/judge.h"

#include <stdio.h>

/* One object on one line, as docs/JSON.md describes it. */
void export_verdict_json(FILE *out, const char *exercise, const char *file,
                         const struct verdict *verdict);

/* A row: file, exercise, verdict, seconds, cases, the case that failed, a message of one line. */
void export_verdict_csv(FILE *out, const char *exercise, const char *file,
                        const struct verdict *verdict, double seconds);

/* A <testcase> with a <failure> or an <error> unless it passed. */
void export_verdict_junit(FILE *out, const char *exercise, const char *file,
                          const struct verdict *verdict, double seconds);

#endif
