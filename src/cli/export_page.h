/*
 * export_page.h - `shflviz export SOURCE... -o x.html`: the named sources as a page for a browser.
 */
#ifndef SHFLVIZ_CLI_EXPORT_PAGE_H
#define SHFLVIZ_CLI_EXPORT_PAGE_H

#include "base/error.h"
#include "launch/program/program_file.h"

#include <stdio.h>

/*
 * Each source is a recording (a file, "-", a built-in one), a lesson (its name, a folder or file)
 * or "course", which means all lessons. The programs of a lesson that is not built in are
 * built and run here, on the given terms, and the page contains their recordings.
 */
int export_page(FILE *out, char *const *sources, int count, const struct course_terms *terms,
                struct error *err);

/*
 * The page with which a class follows a presentation of a lesson; with `lesson` NULL, of any
 * lesson of the course. *bytes gets the page, which the caller frees. It is NULL, and the result 0,
 * if this shflviz has no page, or the course has a lesson of the same name, which the page would
 * open instead. Fails like export_page().
 */
int export_class_page(char **bytes, size_t *size, char *lesson, const struct course_terms *terms,
                      struct error *err);

#endif
