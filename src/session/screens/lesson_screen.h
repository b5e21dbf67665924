/*
 * lesson_screen.h - the lessons on a terminal: the list, a lesson, a presentation.
 */
#ifndef SHFLVIZ_SESSION_LESSON_SCREEN_H
#define SHFLVIZ_SESSION_LESSON_SCREEN_H

#include "base/error.h"
#include "launch/course.h"
#include "lesson/lesson.h"
#include "session/classroom.h"
#include "session/results_file.h"
#include "teach/player.h"
#include "term/screen.h"

#include <stdbool.h>

struct lesson_options {
    const struct lesson *lesson; /* to begin with; NULL for the list of built-in lessons */
    const char *beat;     /* to begin at, its number from 1 or its id; NULL for the learner's last
                           * position */
    const char *language; /* "en", "zh" */
    const char *progress_path;        /* "" or NULL if no progress is saved */
    const struct course_terms *terms; /* consent for its user programs */
    bool present;
    struct classroom_options classroom; /* options of a presentation */
    struct results_options results; /* of the lesson to begin with, which is then started afresh */
    struct screen_options screen;
    /* Opens one of the exercises for the lesson, after the lesson has ended and the screen is
     * closed; NULL to offer none. */
    int (*practise)(const char *exercise, struct error *err);
};

/* The list or a lesson, as a program for any screen: `opts` must outlive it. NULL, with err set, if
 * there is nothing to begin with. */
struct lesson_session;
struct lesson_session *lesson_session_open(const struct lesson_options *opts, struct error *err);
/* The first screen; it leads to the others (struct screen_program's next). */
struct screen_program *lesson_program(struct lesson_session *session);
/* The lesson that is open; NULL while the list is shown. */
struct player *lesson_player(struct lesson_session *session);
/* Opens another lesson, and returns its program. On failure returns NULL, with err set and no
 * lesson open. */
struct screen_program *lesson_choose(struct lesson_session *session, const struct lesson *lesson,
                                     struct error *err);
/* Goes to a position that another session of the open lesson has reported (player_position());
 * changes made here are dropped. Fails like player_follow(). */
int lesson_follow(struct lesson_session *session, const char *position, struct error *err);
/* Ends the session: saves progress and results, prints errors in saving them, and prints a copied
 * command. Fails if the results could not be written. */
int lesson_session_close(struct lesson_session *session, struct error *err);

/* Runs until the user leaves. Returns like screen_run(). Progress that could not be saved is
 * reported on standard error, after the screen. */
int lesson_screen_run(const struct lesson_options *opts, struct error *err);

#endif
