/*
 * built_in.h - the files of the exercises that come with the program: written by
 * exercises/CMakeLists.txt.
 */
#ifndef SHFLVIZ_EXERCISE_BUILT_IN_H
#define SHFLVIZ_EXERCISE_BUILT_IN_H

#include "exercise/exercise.h"

struct exercise_folder {
    const char *name;
    const struct exercise_file *files; /* ends with a name of NULL */
};
/* In the order of the list; ends with a name of NULL. */
extern const struct exercise_folder shflviz_exercises[];

#endif
