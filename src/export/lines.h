/*
 * lines.h - the lines that warps have run and the values of their local variables, as text and as
 * data.
 *
 * `shown` selects the expressions; with NULL or an empty list, each variable is written when it
 * changes.
 */
#ifndef SHFLVIZ_EXPORT_LINES_H
#define SHFLVIZ_EXPORT_LINES_H

#include "base/error.h"
#include "explain/variable_expression.h"
#include "trace/trace.h"

#include <stdio.h>

/* Warp by warp; nothing for a recording without lines. */
int export_lines_text(FILE *out, const struct trace *trace, const struct expression_list *shown,
                      struct error *err);
/* A header row, then a row for each lane and value. */
int export_lines_csv(FILE *out, const struct trace *trace, const struct expression_list *shown,
                     struct error *err);
/* An object for each line, with `separator` between them. */
int export_lines_json(FILE *out, const struct trace *trace, const struct expression_list *shown,
                      const char *separator, struct error *err);
/* The number of lines that were run but are not in the recording. */
uint64_t export_lines_cut(const struct trace *trace);

#endif
