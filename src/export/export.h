/*
 * export.h - a recording as text for people and as data for programs.
 *
 * Everything is written to `out` step by step: memory does not grow with the recording. Nothing
 * here runs anything. If `out` takes no more, the rest is left out and 0 is returned: asking the
 * stream is for the caller, once, at the end. Each fails as trace_step() does on a damaged
 * recording.
 *
 * The JSON and CSV documents are described field by field in docs/JSON.md.
 */
#ifndef SHFLVIZ_EXPORT_EXPORT_H
#define SHFLVIZ_EXPORT_EXPORT_H

#include "base/error.h"
#include "term/painter.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdio.h>

#define EXPORT_SCHEMA "shflviz/2"

/* How text is drawn. */
struct text_style {
    struct palette palette;
    bool ascii;
    int columns; /* to use at most, where there is a choice */
};

/* A table an operation, warp by warp, then what was found. */
int export_text(FILE *out, const struct trace *trace, const struct text_style *style,
                struct error *err);

/* One object. Without `with_steps` the steps are left out: what `check --format json` prints. */
int export_json(FILE *out, const struct trace *trace, bool with_steps, struct error *err);

/* A header line, then one step a line, then one line with what was found. */
int export_jsonl(FILE *out, const struct trace *trace, struct error *err);

/* A header row, then one row a lane a step. */
int export_csv(FILE *out, const struct trace *trace, struct error *err);

#endif
