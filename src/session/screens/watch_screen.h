/*
 * watch_screen.h - a lesson that is being written, played from its file: reread whenever it is
 * saved, at the same beat; its faults are shown with the file's lines.
 */
#ifndef SHFLVIZ_SESSION_WATCH_SCREEN_H
#define SHFLVIZ_SESSION_WATCH_SCREEN_H

#include "base/error.h"
#include "launch/course.h"
#include "term/screen.h"

struct watch_options {
    const char *path;                 /* of the lesson's file or folder */
    const char *beat;                 /* to begin at; NULL for the first */
    const char *language;             /* "en", "zh" */
    const struct course_terms *terms; /* consent for its user program, given once */
    struct screen_options screen;
};

/* Runs until the user leaves. Fails (ERROR_USAGE) if there is no such file or folder; an
 * unreadable lesson is not a failure. */
int watch_screen_run(const struct watch_options *opts, struct error *err);

#endif
