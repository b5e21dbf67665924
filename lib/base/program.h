/*
 * program.h - finds the running program, and from it the files that belong to it. The program
 * itself contains no path.
 */
#ifndef SHFLVIZ_BASE_PROGRAM_H
#define SHFLVIZ_BASE_PROGRAM_H

#include "base/text.h"

#include <stdbool.h>

/* Appends the folder of the running program, with a slash; nothing if the system does not provide
 * it. */
void program_folder(struct text *folder);

/* Appends the checkout from which the running program was built and the folder in which it was
 * built, if the program is still there: its folder, or one up to three levels above it, has a file
 * `built-from` that belongs to this user or root and names the checkout. Returns false for an
 * installed program. */
bool program_build_paths(struct text *source, struct text *build);

#endif
