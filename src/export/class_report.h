/*
 * class_report.h - a class at a glance: students by exercises, and the most frequent mistakes.
 *
 * Made from the output of other commands: `grade --format json`, `exercise check --format json`,
 * `--results` and `--collect`.
 */
#ifndef SHFLVIZ_EXPORT_CLASS_REPORT_H
#define SHFLVIZ_EXPORT_CLASS_REPORT_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

struct class_report;

struct class_report *class_report_new(void);
void class_report_free(struct class_report *report);

/* Adds the content of a file: one or more JSON values. Fails (ERROR_USAGE) if it is not one of
 * those outputs. */
int class_report_add(struct class_report *report, const char *path, const char *text, size_t length,
                     struct error *err);

/* The table and the mistakes, the most frequent first. */
void class_report_text(FILE *out, const struct class_report *report);
/* A row for each student: a field for each task, and the student's mistakes in the last. */
void class_report_csv(FILE *out, const struct class_report *report);

#endif
