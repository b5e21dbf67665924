/*
 * export_page.h - `shflviz export SOURCE... -o x.html`: what is named, as a page for a browser.
 */
#ifndef SHFLVIZ_CLI_EXPORT_PAGE_H
#define SHFLVIZ_CLI_EXPORT_PAGE_H

#include "base/error.h"
#include "launch/program_file.h"

#include <stdio.h>

/*
 * Each source is a recording (a file, "-", one that comes along), a lesson (its name, a folder or
 * file) or "course", all lessons. The programs of a lesson from elsewhere are built and run here,
 * on these terms: the page has their recordings.
 */
int export_page(FILE *out, char *const *sources, int count, const struct course_terms *terms,
                struct error *err);

#endif
