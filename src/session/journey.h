/* journey.h - a learner's progress in lessons, exercises and the fast track, and the next step. */
#ifndef SHFLVIZ_SESSION_JOURNEY_H
#define SHFLVIZ_SESSION_JOURNEY_H

#include "exercise/exercise.h"
#include "lesson/lesson.h"
#include "lesson/progress.h"

#include <stdbool.h>
#include <stddef.h>

/* The content of the learner's file; empty without one, or if it cannot be read. */
struct journey {
    struct progress progress;
};

void journey_load(struct journey *journey);
void journey_release(struct journey *journey);

/* A built-in lesson or exercise, and the learner's progress in it. */
struct journey_step {
    const struct lesson *lesson; /* NULL for an exercise */
    const struct exercise *exercise;
    const char *name, *title; /* borrowed; the title in the program's language */
    bool done;                /* a lesson is finished, an exercise passed */
    unsigned seen, steps;     /* of a lesson; seen is 0 before it is begun */
    unsigned minutes;         /* approximate minutes left; 0 once it is done */
};

void journey_lesson(const struct journey *journey, const struct lesson *lesson,
                    struct journey_step *step);
void journey_exercise(const struct journey *journey, const struct exercise *exercise,
                      struct journey_step *step);
/* A stop on the fast track; the index is less than the count that lesson_fast_track() returns. */
void journey_stop(const struct journey *journey, size_t index, struct journey_step *step);
/* The first stop after this lesson that is not done; false if the lesson is not a stop, or is the
 * last one. */
bool journey_stop_after(const struct journey *journey, const struct lesson *lesson,
                        struct journey_step *step);

/* A sentence for a learner who has passed the last exercise of the fast track and so finished all
 * its stops; else NULL. */
const char *journey_end_of_track(const struct journey *journey, const char *exercise);

/* The next step after the last one played: the lesson itself until it is finished, then the next
 * stop of the fast track if it was one of those, else an exercise of the lesson, else the next
 * lesson. False before anything was begun, and once nothing is left. */
bool journey_next(const struct journey *journey, struct journey_step *step);

/* The first exercise of a lesson that is not passed; false if there is none. */
bool journey_practice(const struct journey *journey, const struct lesson *lesson,
                      struct journey_step *step);

/* Finished lessons, passed exercises, and missed questions that a quiz asks again. */
unsigned journey_finished(const struct journey *journey);
unsigned journey_passed(const struct journey *journey);
unsigned journey_missed(const struct journey *journey);

#endif
