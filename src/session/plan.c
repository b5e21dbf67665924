/*
 * There is no list of lessons here: the class takes the fast track and, if there is time, lessons
 * that follow it; a term's weeks are filled in the order of the course. So the plan follows
 * the course. A test compares docs/PLAN.md and docs/PLAN.zh.md with it.
 */
#include "session/plan.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "exercise/exercise.h"
#include "lesson/lesson.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CLASS_MINUTES 90
#define CLASS_FILLED  60 /* minutes of teaching; the rest is for questions and discussion */
#define WEEK_MINUTES  15 /* of lessons; an exercise comes after them */

struct plan {
    FILE *out;
    bool *taught, *given; /* lessons and exercises, by their place in the course */
};

/* ---- available material ---- */

static size_t place_of(const struct lesson *lesson) {
    size_t at = 0;
    while (at < lesson_built_in_count() && lesson_built_in(at) != lesson)
        at++;
    return at;
}

/* True if all lessons that an exercise requires have been taught. */
static bool is_ready(const struct plan *plan, const struct exercise *exercise) {
    for (size_t i = 0; i < exercise->lesson_count; i++) {
        const struct lesson *lesson = lesson_built_in_find(exercise->lessons[i]);
        if (lesson && !plan->taught[place_of(lesson)])
            return false;
    }
    return true;
}

/* The first of the easiest exercises that are ready and not assigned, in the order of the course;
 * the number of all exercises if none is left. */
static size_t next_exercise(const struct plan *plan) {
    const size_t count = exercise_built_in_count();
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        const struct exercise *exercise = exercise_built_in(i);
        if (!plan->given[i] && is_ready(plan, exercise) &&
            (best == count || exercise->level < exercise_built_in(best)->level))
            best = i;
    }
    return best;
}

static const char *title_of(const struct lesson *lesson) {
    return lesson_title(lesson, lesson_language_find(lesson, message_language()));
}

/* ---- a class ---- */

static void write_row(const struct plan *plan, unsigned at, unsigned minutes, const char *title,
                      const char *command, const char *name) {
    struct text row = TEXT_INIT;
    text_append_format(&row, "| %u:%02u | %3u | ", at / 60, at % 60, minutes);
    text_append_column(&row, title, 40);
    text_append_format(&row, " | `shflviz %s%s%s` |\n", command, *name ? " " : "", name);
    fputs(row.data, plan->out);
    text_release(&row);
}

static unsigned add_lesson(struct plan *plan, unsigned at, const struct lesson *lesson) {
    const unsigned minutes = lesson_minutes(lesson, 0);
    plan->taught[place_of(lesson)] = true;
    write_row(plan, at, minutes, title_of(lesson), "lesson", lesson->name);
    return at + minutes;
}

static unsigned add_exercise(struct plan *plan, unsigned at, size_t index) {
    const struct exercise *exercise = exercise_built_in(index);
    plan->given[index] = true;
    write_row(plan, at, exercise->minutes, exercise_language(exercise, message_language())->title,
              "exercise", exercise->name);
    return at + exercise->minutes;
}

/* Adds the lessons that follow in the course, as long as they fit. */
static unsigned add_more_lessons(struct plan *plan, unsigned at) {
    for (size_t i = 0; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        if (!plan->taught[i] && at + lesson_minutes(lesson, 0) > CLASS_FILLED)
            break;
        if (!plan->taught[i])
            at = add_lesson(plan, at, lesson);
    }
    return at;
}

static void write_homework(struct plan *plan) {
    unsigned minutes = 0;
    fputs(_("Homework: "), plan->out);
    for (size_t next, count = 0; (next = next_exercise(plan)) < exercise_built_in_count();
         count++) {
        fprintf(plan->out, "%s`%s`", count ? _(", ") : "", exercise_built_in(next)->name);
        minutes += exercise_built_in(next)->minutes;
        plan->given[next] = true;
    }
    fprintf(plan->out, _(" (%u minutes).\n"), minutes);
}

static void write_class(struct plan *plan) {
    const struct lesson_stop *stops;
    const size_t count = lesson_fast_track(&stops);
    unsigned at = 0;
    fprintf(plan->out, _("## A class of %d minutes\n\n"), CLASS_MINUTES);
    fputs(_("| From | Minutes | Lesson or exercise | Command |\n"), plan->out);
    fputs("|---|---|---|---|\n", plan->out);
    for (size_t i = 0; i < count; i++) {
        size_t index = 0;
        if (!stops[i].is_exercise) {
            at = add_lesson(plan, at, lesson_built_in_find(stops[i].name));
            continue;
        }
        while (strcmp(exercise_built_in(index)->name, stops[i].name) != 0)
            index++;
        at = add_exercise(plan, at, index);
    }
    at = add_more_lessons(plan, at);
    write_row(plan, at, CLASS_MINUTES - at, _("Questions, and what was missed"), "quiz", "");
    fputs("\n", plan->out);
    write_homework(plan);
}

/* ---- a term ---- */

/* Writes the lessons of a week; returns the first lesson of the next week. */
static size_t write_lessons(struct plan *plan, size_t first) {
    unsigned minutes = 0;
    size_t i = first;
    for (; i < lesson_built_in_count(); i++) {
        const struct lesson *lesson = lesson_built_in(i);
        const unsigned more = lesson_minutes(lesson, 0);
        if (i > first && minutes + more > WEEK_MINUTES)
            break;
        minutes += more;
        plan->taught[i] = true;
        fprintf(plan->out, "%s%s", i > first ? _(", ") : "", lesson->name);
    }
    fprintf(plan->out, " | %u | ", minutes);
    return i;
}

/* The easiest one is for class, the others for homework. */
static void write_exercises(struct plan *plan) {
    unsigned minutes = 0;
    size_t next, count = 0;
    for (; (next = next_exercise(plan)) < exercise_built_in_count(); count++) {
        fprintf(plan->out, "%s%s",
                count > 1   ? _(", ")
                : count > 0 ? " | "
                            : "",
                exercise_built_in(next)->name);
        minutes += count ? exercise_built_in(next)->minutes : 0;
        plan->given[next] = true;
    }
    fprintf(plan->out, "%s | %u |\n", count == 0 ? "- | -" : count == 1 ? " | -" : "", minutes);
}

static void write_term(struct plan *plan) {
    memset(plan->taught, 0, lesson_built_in_count() * sizeof *plan->taught);
    memset(plan->given, 0, exercise_built_in_count() * sizeof *plan->given);
    fputs(_("\n## A term\n\n"), plan->out);
    fputs(_("| Week | Lessons | Minutes | Exercise in class | Homework | Minutes |\n"), plan->out);
    fputs("|---|---|---|---|---|---|\n", plan->out);
    size_t first = 0;
    for (unsigned week = 1; first < lesson_built_in_count(); week++) {
        fprintf(plan->out, "| %u | ", week);
        first = write_lessons(plan, first);
        write_exercises(plan);
    }
}

void plan_write(FILE *out) {
    struct plan plan = {.out = out,
                        .taught = memory_zeroed(lesson_built_in_count(), sizeof *plan.taught),
                        .given = memory_zeroed(exercise_built_in_count(), sizeof *plan.given)};
    fprintf(out,
            _("# Plans for teachers\n\n`shflviz lesson --plan` prints this page from the course "
              "itself. Its minutes are\nestimates for a learner alone: 200 words a minute, half a "
              "minute for each question,\nand each exercise's own estimate. A class talks and asks "
              "as well: a third of the\n90 minutes is left free, and a week has about %d minutes "
              "of lessons and an exercise.\n\n"),
            WEEK_MINUTES);
    write_class(&plan);
    write_term(&plan);
    free(plan.taught);
    free(plan.given);
}
