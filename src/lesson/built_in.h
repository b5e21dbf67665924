/*
 * built_in.h - the files of the lessons that come with the program: written by
 * lessons/CMakeLists.txt.
 */
#ifndef SHFLVIZ_LESSON_BUILT_IN_H
#define SHFLVIZ_LESSON_BUILT_IN_H

#include "lesson/lesson.h"

/* Lesson by lesson in the order of the course, a lesson's own language first; ends with NULL. */
struct lesson_file {
    const char *lesson, *code, *path, *text;
};
extern const struct lesson_file shflviz_lesson_files[];
extern const struct lesson_stop shflviz_fast_track[]; /* ends with a NULL name */

#endif
