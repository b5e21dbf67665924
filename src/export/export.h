/*
 * export.h - a recording as text for people and as data for programs.
 *
 * Everything is written to `out` step by step: memory does not grow with the recording. Nothing
 * here runs anything. If `out` cannot be written to, the rest is left out and 0 is returned: the
 * caller checks the stream, once, at the end. Each function fails like trace_step() on a
 * damaged recording.
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

/* The style of text output. */
struct text_style {
    struct palette palette;
    bool ascii;
    int columns; /* the width, if there is a choice */
};

/* For `most` below: every step is written. */
#define EXPORT_ALL UINT64_MAX

/* Writes a table for each operation, warp by warp, then the findings. */
int export_text(FILE *out, const struct trace *trace, const struct text_style *style,
                struct error *err);

/* Instead of export_text() for a recording too long to read: the number of steps of each
 * operation, launch, kernel and line, the findings, the output, and the tables of the first and
 * the last step. */
int export_summary(FILE *out, const struct trace *trace, const struct text_style *style,
                   struct error *err);

/* Writes one object. It has the first `most` steps, and "left_out" is the number of the rest; the
 * findings are those of all steps. */
int export_json(FILE *out, const struct trace *trace, uint64_t most, struct error *err);

/* Writes a header line, then one line for each step, then one with the findings; `most`
 * is as above. */
int export_jsonl(FILE *out, const struct trace *trace, uint64_t most, struct error *err);

/* Writes a header row, then one row for each lane and step, for the first `most` steps. */
int export_csv(FILE *out, const struct trace *trace, uint64_t most, struct error *err);

#endif
