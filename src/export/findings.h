/* findings.h - the findings of `check` as data: JSON, and SARIF 2.1.0 for code review tools. */
#ifndef SHFLVIZ_EXPORT_FINDINGS_H
#define SHFLVIZ_EXPORT_FINDINGS_H

#include "check/report.h"

#include <stdio.h>

/* One object, as docs/JSON.md describes it. `trace` is the recording of the first run, which the
 * first fields describe; NULL if there is none. */
void export_report_json(FILE *out, const struct check_report *report, const struct trace *trace);

/* A log with one run: the rules, one result for each finding, each with a partial fingerprint that
 * does not change when lines move. The texts of the rules are English. */
void export_report_sarif(FILE *out, const struct check_report *report, const struct trace *trace);

#endif
