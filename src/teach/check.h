/* check.h - checks a lesson against its recordings, for `shflviz lesson check`. */
#ifndef SHFLVIZ_TEACH_CHECK_H
#define SHFLVIZ_TEACH_CHECK_H

#include "lesson/lesson.h"
#include "trace/trace.h"

#include <stddef.h>

/*
 * Checks, in addition to lesson_complaints(), that
 *  - every step and warp that a beat shows exists;
 *  - every phase that a beat names has a meaning for its operation;
 *  - every question has an answer;
 *  - every placeholder resolves in every language, and none reveals the answer too early;
 *  - a belief's answer can be typed, is wrong, and is in normal form;
 *  - every run is shown;
 *  - every lesson that this one builds on exists, built in or beside it.
 *
 * Calls complain() for each error with "FILE:LINE: beat 'id': the error, and how
 * to fix it"; returns their number. traces[i] may be NULL if a run failed, which has already been
 * reported, and parts of the lesson may be unread: checks that need them are skipped.
 */
size_t check_lesson(const struct lesson *lesson, struct trace *const *traces,
                    void (*complain)(void *context, const char *text), void *context);

#endif
