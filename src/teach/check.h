/*
 * check.h - a lesson held against its recordings: what `shflviz lesson check` tells.
 */
#ifndef SHFLVIZ_TEACH_CHECK_H
#define SHFLVIZ_TEACH_CHECK_H

#include "lesson/lesson.h"
#include "trace/trace.h"

#include <stddef.h>

/*
 * Every step, warp and lane that a beat shows is there; every phase it names means something for
 * the operation; every question has its answer; every placeholder of every language resolves; no
 * text before the answer gives it away; a belief's answer can be typed and is wrong. Calls
 * complain() with "FILE:LINE: beat 'id': what is wrong, how to mend it" for each; returns how many.
 * traces[i] may be NULL where a run could not be had (that has been told): its beats are left out.
 */
size_t check_lesson(const struct lesson *lesson, struct trace *const *traces,
                    void (*complain)(void *context, const char *text), void *context);

#endif
