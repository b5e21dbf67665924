/*
 * lesson_check.h - finds all errors in a lesson, in its files and in their statements about its
 * recordings: `lesson check` prints them and `lesson watch` shows them.
 */
#ifndef SHFLVIZ_SESSION_LESSON_CHECK_H
#define SHFLVIZ_SESSION_LESSON_CHECK_H

#include "launch/course.h"
#include "lesson/lesson.h"

#include <stdbool.h>
#include <stddef.h>

struct lesson_checked {
    const struct lesson *lesson; /* NULL if nothing could be read */
    struct lesson *opened;       /* the same, if it came from files */
    struct course_recordings recordings;
    bool playable; /* it was read and recorded completely */
    size_t faults; /* the number of faults reported */
};

/*
 * Checks `lesson` or, if that is NULL, the one in the file or folder `path`. complain() gets each
 * fault. Errors in the text do not stop the check: the readable part is recorded and checked
 * against its recordings. `terms` as for course_record().
 */
void lesson_check(struct lesson_checked *checked, const struct lesson *lesson, const char *path,
                  const struct course_terms *terms, lesson_complain_fn *complain, void *context);
void lesson_checked_release(struct lesson_checked *checked);

#endif
