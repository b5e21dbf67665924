/*
 * failure.h - why a run did not finish, in words made from its recording.
 */
#ifndef SHFLVIZ_EXPLAIN_FAILURE_H
#define SHFLVIZ_EXPLAIN_FAILURE_H

#include "base/error.h"
#include "base/text.h"
#include "trace/failure.h"

/* What kind of failure the recording shows. One made by a version that did not note kinds shows a
 * deadlock if its last operations never ended, and TRACE_FAILURE_OTHER if not. */
enum trace_failure failure_kind(const struct trace *trace);

/* Appends several lines in the language in use: which lanes wait where and for which, where lanes
 * wait; else that the run did not finish, with the words of the device. Nothing for
 * TRACE_FAILURE_NONE. */
void failure_append(struct text *text, const struct trace *trace);

/* Where the recording shows lanes that wait or spin, replaces the text of `err` by these words. */
void failure_explain(struct error *err, const struct trace *trace);

#endif
