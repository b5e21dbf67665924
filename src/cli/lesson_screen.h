/*
 * lesson_screen.h - the lessons on a terminal: the list, a lesson, a presentation, its notes.
 */
#ifndef SHFLVIZ_CLI_LESSON_SCREEN_H
#define SHFLVIZ_CLI_LESSON_SCREEN_H

#include "base/error.h"
#include "launch/course.h"
#include "lesson/lesson.h"
#include "term/screen.h"

#include <stdbool.h>

struct lesson_wish {
    const struct lesson *lesson; /* to begin with; NULL: the list of built-in lessons */
    const char *beat;          /* to begin at, its number from 1 or its id; NULL: where one left */
    const char *language;      /* "en", "zh" */
    const char *progress_path; /* "" or NULL: nothing is kept */
    enum course_consent consent; /* COURSE_ASK must have been asked before: a screen cannot */
    bool present;
    struct screen_options screen;
};

/* Until the person leaves. Returns as screen_run() does. What could not be kept of the progress is
 * told on standard error, after the screen. */
int lesson_screen_run(const struct lesson_wish *wish, struct error *err);

/* The speaker's notes of the presentation that this user gives on another terminal. What a lesson
 * brings along is built for them with COURSE_AGREED only: nothing can be asked on a screen. */
int lesson_screen_notes(const char *language, enum course_consent consent,
                        const struct screen_options *screen, struct error *err);

#endif
