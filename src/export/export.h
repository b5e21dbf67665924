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
#include <stdint.h>
#include <stdio.h>

#define EXPORT_SCHEMA "shflviz/2"

/* How text is drawn. */
struct text_style {
    struct palette palette;
    bool ascii;
    int columns; /* to use at most, where there is a choice */
};

/* For `most` below: every step is written. */
#define EXPORT_ALL UINT64_MAX

/* A table an operation, warp by warp, then what was found. */
int export_text(FILE *out, const struct trace *trace, const struct text_style *style,
                struct error *err);

/* In place of export_text() for a recording too long to read: how many steps each operation,
 * launch, kernel and line has, the findings, what was printed, and the tables of the first and the
 * last step. */
int export_summary(FILE *out, const struct trace *trace, const struct text_style *style,
                   struct error *err);

/* One object. It has the first `most` steps, and "left_out" says how many follow; what was found is
 * that of all steps. */
int export_json(FILE *out, const struct trace *trace, uint64_t most, struct error *err);

/* A header line, then one step a line, then one line with what was found; `most` likewise. */
int export_jsonl(FILE *out, const struct trace *trace, uint64_t most, struct error *err);

/* A header row, then one row a lane a step, for the first `most` steps. */
int export_csv(FILE *out, const struct trace *trace, uint64_t most, struct error *err);

#endif
