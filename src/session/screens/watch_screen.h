/*
 * watch_screen.h - a lesson that is being written, played from its file: read again whenever it is
 * saved, at the beat where one was; what is wrong with it is shown at the file's lines.
 */
#ifndef SHFLVIZ_SESSION_WATCH_SCREEN_H
#define SHFLVIZ_SESSION_WATCH_SCREEN_H

#include "base/error.h"
#include "launch/course.h"
#include "term/screen.h"

struct watch_wish {
    const char *path;                 /* of the lesson's file or folder */
    const char *beat;                 /* to begin at; NULL: the first */
    const char *language;             /* "en", "zh" */
    const struct course_terms *terms; /* of a program that it brings; agreed to once */
    struct screen_options screen;
};

/* Runs until the person leaves. Fails (ERROR_USAGE) if there is no such file or folder; a lesson
 * that cannot be read is no failure. */
int watch_screen_run(const struct watch_wish *wish, struct error *err);

#endif
