/*
 * lesson_screen.h - the lessons on a terminal: the list, a lesson, a presentation.
 */
#ifndef SHFLVIZ_SITTING_LESSON_SCREEN_H
#define SHFLVIZ_SITTING_LESSON_SCREEN_H

#include "base/error.h"
#include "launch/course.h"
#include "lesson/lesson.h"
#include "sitting/results_file.h"
#include "term/screen.h"

#include <stdbool.h>

struct lesson_wish {
    const struct lesson *lesson; /* to begin with; NULL: the list of built-in lessons */
    const char *beat; /* to begin at, its number from 1 or its id; NULL: where the learner left */
    const char *language;             /* "en", "zh" */
    const char *progress_path;        /* "" or NULL: no progress is saved */
    const struct course_terms *terms; /* of programs that it brings */
    bool present;
    struct results_wish results; /* of the lesson to begin with, which is then begun anew */
    struct screen_options screen;
};

/* Runs until the person leaves. Returns as screen_run() does. Progress that could not be saved is
 * reported on standard error, after the screen. */
int lesson_screen_run(const struct lesson_wish *wish, struct error *err);

#endif
