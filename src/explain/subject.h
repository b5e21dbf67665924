/*
 * subject.h - what a question is about, and how an answer may turn out.
 */
#ifndef SHFLVIZ_EXPLAIN_SUBJECT_H
#define SHFLVIZ_EXPLAIN_SUBJECT_H

#include "warp/warp.h"

#include <stdint.h>

/* What is asked about. Borrowed: both live as long as the question is looked at. */
struct subject {
    const struct warp_operation *operation; /* NULL if there is none to ask about */
    const struct lane_outcome *outcome;     /* of its lanes: warp_outcome() */
    uint32_t line;                          /* of the source, where the call is; 0: unknown */
    bool only_values; /* the call is not looked at: no value is a lane's "own" */
};

#define ANSWER_TEXT 160 /* an answer in words */

enum answer_verdict { ANSWER_UNREADABLE, ANSWER_WRONG, ANSWER_RIGHT };

#endif
