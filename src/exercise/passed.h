/* passed.h - the exercises that a learner has passed, in the progress file of the lessons. */
#ifndef SHFLVIZ_EXERCISE_PASSED_H
#define SHFLVIZ_EXERCISE_PASSED_H

#include "lesson/progress.h"

#include <stdbool.h>

/* "exercise/NAME", its key in the file. The caller frees it. */
char *exercise_progress_name(const char *name);

bool exercise_is_passed(const struct progress *progress, const char *name);
/* True if it was opened; it may have been passed since. */
bool exercise_is_started(const struct progress *progress, const char *name);

/* Notes in the file that the exercise has been begun or passed. Fails like progress_store(); does
 * nothing without a path (""). */
int exercise_save(const char *path, const char *name, bool passed, struct error *err);

#endif
