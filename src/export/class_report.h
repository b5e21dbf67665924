/*
 * class_report.h - a class at a glance: student by exercise, and which mistakes were made often.
 *
 * Made of what other commands wrote: `grade --format json`, `exercise check --format json`,
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

/* Adds what a file holds: one or more JSON values. Fails (ERROR_USAGE) if it is not of those. */
int class_report_add(struct class_report *report, const char *path, const char *text, size_t length,
                     struct error *err);

/* The table and the mistakes, the most frequent first. */
void class_report_text(FILE *out, const struct class_report *report);
/* A row a student: a field a task, and the student's mistakes in the last. */
void class_report_csv(FILE *out, const struct class_report *report);

#endif
