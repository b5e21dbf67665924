/*
 * quiz_source.h - the source of a quiz's recordings: a file, a kernel, a lesson, a user program, or
 * any of the built-in ones.
 *
 * Shuffles and kernels get different arguments and values every time, so that there is always a new
 * question; files and lessons do not change.
 */
#ifndef SHFLVIZ_LAUNCH_QUIZ_SOURCE_H
#define SHFLVIZ_LAUNCH_QUIZ_SOURCE_H

#include "base/error.h"
#include "lesson/lesson.h"
#include "lesson/progress.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define QUIZ_SOURCE_WEAK 64

/* A question that was missed. */
struct quiz_missed {
    const struct lesson *lesson;
    const struct lesson_beat *beat; /* NULL if the beat is not known */
};

struct quiz_source {
    const char *name; /* the name as given; NULL for anything. Borrowed */
    const struct lesson *lesson;
    bool is_kernel;
    bool is_file;
    struct trace *made; /* for a program: its recording, until it is taken */
    bool is_program;
    uint64_t random; /* state of the generator */
    size_t next_run; /* of the lesson */
    struct quiz_missed missed[QUIZ_SOURCE_WEAK];
    size_t missed_count;
    struct quiz_missed wanted; /* the subject of the last recording; all NULL for none */
    unsigned turn;             /* recordings so far while there were missed questions */
};

/* `name` is that of a kernel or a lesson, else that of a file; NULL for anything. Fails
 * (ERROR_USAGE) if there is nothing of that name. */
int quiz_source_init(struct quiz_source *source, const char *name, uint64_t seed,
                     struct error *err);

/* Takes over the recording of a program: all questions are about it. */
void quiz_source_init_program(struct quiz_source *source, struct trace *made);

/* For a source without a name: every second recording, starting with the first, is for a question
 * that the learner missed in a lesson, and each such question is asked once. If an older progress
 * file does not name the question, any recording of the lesson may be used. */
void quiz_source_prefer(struct quiz_source *source, const struct progress *progress);

/* Notes in the learner's progress that the question of wanted.beat has been answered. Fails if that
 * cannot be written; the question is then asked again later. */
int quiz_source_mark_solved(const struct quiz_source *source, struct error *err);

/* A recording to ask about at this level, which the caller closes. */
int quiz_source_next(struct quiz_source *source, int level, struct trace **trace,
                     struct error *err);

/* True if another recording could be different. */
bool quiz_source_has_more(const struct quiz_source *source);

#endif
