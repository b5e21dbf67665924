/*
 * Reads the progress once and answers everything from it. Which lesson comes next is decided here
 * alone, so that every list and every ending suggests the same one.
 */
#include "session/journey.h"

#include "base/message.h"
#include "exercise/passed.h"

#include <stdlib.h>
#include <string.h>

#define EXERCISE_PREFIX "exercise/"

void journey_load(struct journey *journey) {
    char *path = progress_path();
    struct error ignored = ERROR_INIT;
    progress_load(&journey->progress, path, &ignored);
    free(path);
}

void journey_release(struct journey *journey) {
    progress_release(&journey->progress);
}

/* ---- one step ---- */

void journey_lesson(const struct journey *journey, const struct lesson *lesson,
                    struct journey_step *step) {
    const struct lesson_progress *found = progress_find(&journey->progress, lesson->name);
    const bool same = found && found->beats == lesson->beat_count;
    *step = (struct journey_step){
        .lesson = lesson,
        .name = lesson->name,
        .title = lesson_title(lesson, lesson_language_find(lesson, message_language())),
        .done = found && found->finished,
        .seen = same ? found->seen : 0,
        .steps = (unsigned)lesson->beat_count};
    if (!step->done)
        step->minutes = lesson_minutes(lesson, step->seen);
}

void journey_exercise(const struct journey *journey, const struct exercise *exercise,
                      struct journey_step *step) {
    *step = (struct journey_step){.exercise = exercise,
                                  .name = exercise->name,
                                  .title = exercise_language(exercise, message_language())->title,
                                  .done = exercise_is_passed(&journey->progress, exercise->name)};
    if (!step->done)
        step->minutes = exercise->minutes;
}

void journey_stop(const struct journey *journey, size_t index, struct journey_step *step) {
    const struct lesson_stop *stops;
    lesson_fast_track(&stops);
    if (stops[index].is_exercise)
        journey_exercise(journey, exercise_built_in_find(stops[index].name), step);
    else
        journey_lesson(journey, lesson_built_in_find(stops[index].name), step);
}

/* ---- what comes next ---- */

/* The line of a built-in lesson or exercise with the latest date; NULL if there is none. */
static const struct lesson_progress *last_played(const struct journey *journey) {
    const size_t prefix = strlen(EXERCISE_PREFIX);
    const struct lesson_progress *last = NULL;
    for (size_t i = 0; i < journey->progress.count; i++) {
        const struct lesson_progress *line = &journey->progress.lessons[i];
        const bool known = strncmp(line->lesson, EXERCISE_PREFIX, prefix) == 0
                               ? exercise_built_in_find(line->lesson + prefix) != NULL
                               : lesson_built_in_find(line->lesson) != NULL;
        if (known && (!last || strcmp(line->date, last->date) >= 0))
            last = line;
    }
    return last;
}

static bool is_stop(const char *name, bool is_exercise) {
    const struct lesson_stop *stops;
    const size_t count = lesson_fast_track(&stops);
    for (size_t i = 0; i < count; i++)
        if (stops[i].is_exercise == is_exercise && strcmp(stops[i].name, name) == 0)
            return true;
    return false;
}

static bool next_stop(const struct journey *journey, struct journey_step *step) {
    const struct lesson_stop *stops;
    const size_t count = lesson_fast_track(&stops);
    for (size_t i = 0; i < count; i++) {
        journey_stop(journey, i, step);
        if (!step->done)
            return true;
    }
    return false;
}

bool journey_stop_after(const struct journey *journey, const struct lesson *lesson,
                        struct journey_step *step) {
    const struct lesson_stop *stops;
    const size_t count = lesson_fast_track(&stops);
    bool after = false;
    for (size_t i = 0; i < count; i++) {
        if (after) {
            journey_stop(journey, i, step);
            if (!step->done)
                return true;
        }
        after = after || (!stops[i].is_exercise && strcmp(stops[i].name, lesson->name) == 0);
    }
    return false;
}

const char *journey_end_of_track(const struct journey *journey, const char *exercise) {
    const struct lesson_stop *stops;
    struct journey_step step;
    const size_t count = lesson_fast_track(&stops);
    const struct lesson_stop *last = &stops[count - 1];
    if (!last->is_exercise || strcmp(last->name, exercise) != 0 || next_stop(journey, &step))
        return NULL;
    return _("That was the fast track: you know lanes and shuffles, and have written a reduction.");
}

bool journey_practice(const struct journey *journey, const struct lesson *lesson,
                      struct journey_step *step) {
    for (size_t i = 0; i < lesson->exercise_count; i++) {
        const struct exercise *exercise = exercise_built_in_find(lesson->exercises[i]);
        if (!exercise)
            continue;
        journey_exercise(journey, exercise, step);
        if (!step->done)
            return true;
    }
    return false;
}

/* The first unfinished lesson of the course after the given one, or else from the beginning. */
static bool next_lesson(const struct journey *journey, const struct lesson *lesson,
                        struct journey_step *step) {
    for (const struct lesson *next = lesson; (next = lesson_built_in_after(next));) {
        journey_lesson(journey, next, step);
        if (!step->done)
            return true;
    }
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        journey_lesson(journey, lesson_built_in(i), step);
        if (!step->done)
            return true;
    }
    return false;
}

bool journey_next(const struct journey *journey, struct journey_step *step) {
    const struct lesson_progress *last = last_played(journey);
    if (!last)
        return false;
    const bool is_exercise = strncmp(last->lesson, EXERCISE_PREFIX, strlen(EXERCISE_PREFIX)) == 0;
    const char *name = last->lesson + (is_exercise ? strlen(EXERCISE_PREFIX) : 0);
    const struct exercise *exercise = is_exercise ? exercise_built_in_find(name) : NULL;
    const struct lesson *lesson =
        !is_exercise ? lesson_built_in_find(name)
        : exercise->lesson_count
            ? lesson_built_in_find(exercise->lessons[exercise->lesson_count - 1])
            : NULL;
    if (exercise)
        journey_exercise(journey, exercise, step);
    else
        journey_lesson(journey, lesson, step);
    if (!step->done)
        return true;
    return (is_stop(name, is_exercise) && next_stop(journey, step)) ||
           (lesson &&
            (journey_practice(journey, lesson, step) || next_lesson(journey, lesson, step)));
}

/* ---- counts ---- */

unsigned journey_finished(const struct journey *journey) {
    unsigned count = 0;
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        struct journey_step step;
        journey_lesson(journey, lesson_built_in(i), &step);
        count += step.done;
    }
    return count;
}

unsigned journey_passed(const struct journey *journey) {
    unsigned count = 0;
    for (size_t i = 0; i < exercise_built_in_count(); i++)
        count += exercise_is_passed(&journey->progress, exercise_built_in(i)->name);
    return count;
}

unsigned journey_missed(const struct journey *journey) {
    unsigned count = 0;
    for (size_t i = 0; i < journey->progress.count; i++) {
        const struct lesson_progress *line = &journey->progress.lessons[i];
        const struct lesson *lesson = lesson_built_in_find(line->lesson);
        for (size_t beat = 0; lesson && beat < lesson->beat_count; beat++)
            count += progress_result(line, lesson->beats[beat].id) == BEAT_REVEALED;
    }
    return count;
}
