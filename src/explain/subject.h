/* subject.h - the subject of a question, and the possible verdicts on an answer. */
#ifndef SHFLVIZ_EXPLAIN_SUBJECT_H
#define SHFLVIZ_EXPLAIN_SUBJECT_H

#include "warp/warp.h"

#include <stdint.h>

/* The subject of a question. Borrowed: both live as long as the question is open. */
struct subject {
    const struct warp_operation *operation; /* NULL if there is none to ask about */
    const struct lane_outcome *outcome;     /* for its lanes: from warp_outcome() */
    uint32_t line;                          /* line of the call in the source; 0 if unknown */
    bool only_values;                       /* the call is ignored: no value is a lane's "own" */
};

#define ANSWER_TEXT 160 /* an answer in words */

enum answer_verdict { ANSWER_UNREADABLE, ANSWER_WRONG, ANSWER_RIGHT };

#endif
