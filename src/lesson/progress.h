/*
 * progress.h - a learner's progress, lesson by lesson, and the file that keeps it.
 *
 * The file is $XDG_STATE_HOME/shflviz/progress (~/.local/state/shflviz/progress): lines of text,
 * one per lesson. A line ends with the result of each question, by the id of its beat: "+who" was
 * right on the first try, "~own" with help, "-both" was missed; lines of older files end before
 * that. The file holds nothing else. A damaged line is skipped and counted; the others are kept. If
 * the file cannot be written, there is a message, and the lesson goes on.
 */
#ifndef SHFLVIZ_LESSON_PROGRESS_H
#define SHFLVIZ_LESSON_PROGRESS_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum beat_result {
    BEAT_UNSEEN,
    BEAT_SEEN,     /* nothing was asked, or the question was skipped */
    BEAT_REVEALED, /* asked, and the answer was shown in the end */
    BEAT_HINTED,   /* answered with a hint or on a later try */
    BEAT_RIGHT,    /* answered on the first try */
};

struct lesson_progress {
    char *lesson;          /* its name */
    char *beat;            /* id of the last beat; "" at the end */
    bool finished;         /* all beats have been seen, and the end */
    unsigned beats;        /* of the lesson, when it was last played */
    unsigned seen;         /* of them */
    unsigned asked, right; /* questions met; answered on the first try, without a hint */
    char date[24];         /* last played, ISO 8601 UTC */
    char *questions;       /* those met, by progress_note(); "" or NULL if that is not known */
};

struct progress {
    struct lesson_progress *lessons;
    size_t count;
    unsigned damaged; /* lines that could not be read, and were left out */
};

/* The path of the file; "" if neither XDG_STATE_HOME nor HOME is an absolute path. The caller
 * frees it. */
char *progress_path(void);

/* Makes the parent folders of such a path, for this user only (XDG: 0700). Fails (ERROR_USAGE) if
 * one cannot be made. */
int progress_make_folders(const char *path, struct error *err);

/* Reads the file; without a file, or without a path (""), the progress is empty. Fails
 * (ERROR_USAGE) if it cannot be read, with *progress then empty and usable. */
int progress_load(struct progress *progress, const char *path, struct error *err);

/* Updates one lesson's progress in the file and keeps the others' current lines: one writer at a
 * time reads the file, writes a new one beside it, and renames that. In a lesson with as many beats
 * as before, progress (finished, seen, asked, right, and the noted result of each question) never
 * decreases. An empty date means now. A damaged file is first saved beside it as
 * "progress.damaged". Signals that end the program wait until the file is written; unfinished files
 * of earlier processes are removed. Fails (ERROR_USAGE) with the reason; then the file is as it
 * was. */
int progress_store(const char *path, const struct lesson_progress *lesson, struct error *err);

/* Notes the result of a beat's question, BEAT_REVEALED or better: appends "+who" to `questions`. */
void progress_note(struct text *questions, const char *beat, enum beat_result result);

/* The noted result; BEAT_UNSEEN if the question has not been met, or is not known. */
enum beat_result progress_result(const struct lesson_progress *lesson, const char *beat);

/* Notes that a missed question has since been answered outside its lesson: it counts as answered
 * with help. If the file has no such question, nothing is changed. Fails like progress_store(). */
int progress_mark_solved(const char *path, const char *lesson, const char *beat, struct error *err);

/* Deletes one lesson, or all if `lesson` is NULL; a damaged file is kept beside it, as above. */
int progress_reset(const char *path, const char *lesson, struct error *err);

enum progress_mark {
    MARK_NONE,
    MARK_STARTED,
    MARK_FINISHED,
    MARK_FIRST_TRY /* finished, and every one of the lesson's questions right on the first try */
};

/* A learner's progress in a lesson with that many questions; `lesson` may be NULL. */
enum progress_mark progress_mark(const struct lesson_progress *lesson, unsigned questions);

/* Questions answered right in the end, including those with a hint or on a later try. */
unsigned progress_answered(const struct lesson_progress *lesson);

const struct lesson_progress *progress_find(const struct progress *progress, const char *lesson);
void progress_release(struct progress *progress);

#endif
