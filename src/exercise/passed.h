/*
 * passed.h - which exercises a learner has passed, in the file that lessons keep their progress in.
 */
#ifndef SHFLVIZ_EXERCISE_PASSED_H
#define SHFLVIZ_EXERCISE_PASSED_H

#include "lesson/progress.h"

#include <stdbool.h>

/* "exercise/NAME", as the file has it. The caller frees. */
char *exercise_progress_name(const char *name);

bool exercise_is_passed(const struct progress *progress, const char *name);
/* It was opened, and may have passed since. */
bool exercise_is_begun(const struct progress *progress, const char *name);

/* Notes in the file that it is begun, or has passed. Fails as progress_store(); does nothing
 * without a path (""). */
int exercise_keep(const char *path, const char *name, bool passed, struct error *err);

#endif
