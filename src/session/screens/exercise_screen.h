/*
 * exercise_screen.h - work on an exercise on a terminal: the file is watched, and judged each time
 * it is saved.
 */
#ifndef SHFLVIZ_SESSION_EXERCISE_SCREEN_H
#define SHFLVIZ_SESSION_EXERCISE_SCREEN_H

#include "exercise/judge.h"
#include "session/journey.h"
#include "teach/worklist.h"
#include "term/screen.h"

#include <stdbool.h>

struct exercise_options {
    const struct exercise *exercise;
    const char *language;
    struct judging judging;                          /* the path that is watched and read */
    void (*passed)(const struct exercise *exercise); /* called when it has passed */
    struct screen_options screen;
};

/*
 * Shows it until the user leaves, or goes on. Once the file has passed, *next is the exercise or
 * lesson that follows; its name is NULL before that, and if nothing follows. The editor is $VISUAL,
 * $EDITOR or vi: beside the exercise in tmux, else in its place. Fails like screen_run(), and
 * like exercise_judge() for failures that are not the learner's.
 */
int exercise_screen_run(const struct exercise_options *opts, struct journey_step *next,
                        bool *goes_on, struct error *err);

/* Shows the list under a heading, which is NULL for exercises. *selected is the entry selected at
 * first and, on return, the one that was opened; *opened is false if the user left. Fails like
 * screen_run(). */
int exercise_list_run(const char *heading, struct worklist_entry *entries, size_t count,
                      size_t *selected, bool *opened, const struct screen_options *options,
                      struct error *err);

#endif
