/*
 * finding.h - the violations of the rules in a recording, and the words for them.
 *
 * Nothing is kept: findings are computed from the steps on demand, so that a long
 * recording takes no more memory than a short one.
 */
#ifndef SHFLVIZ_EXPLAIN_FINDING_H
#define SHFLVIZ_EXPLAIN_FINDING_H

#include "base/error.h"
#include "base/text.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <stddef.h>
#include <stdint.h>

/* A finding of one operation in the language in use: a sentence with the numbers in it. `outcome`
 * is the operation's, from warp_outcome(). Cuts the text at `size` bytes; returns buffer. */
#define EXPLAIN_FINDING_TEXT 480
char *explain_finding(const struct warp_finding *finding, const struct warp_operation *operation,
                      const struct lane_outcome outcome[WARP_LANES], char *buffer, size_t size);

/* A finding of a recording, valid during the visit. */
struct finding {
    const struct trace *trace;
    const char *rule;                   /* the rule's name: "divergent_mask", "deadlock" */
    const struct trace_step *step;      /* NULL if the run as a whole did not finish */
    const struct lane_outcome *outcome; /* of the step's lanes; NULL without a step */
    struct warp_finding found;          /* only with a step */
};

typedef void finding_visitor(void *context, const struct finding *finding);

/* Calls `visit` for every finding, in the order of the steps; those of the whole run come last.
 * Fails like trace_step() on a damaged recording. *count (may be NULL) gets their number. */
int findings_walk(const struct trace *trace, finding_visitor *visit, void *context, uint64_t *count,
                  struct error *err);

/* Appends its text in the language in use: a sentence, or several lines for a whole run. */
void finding_append(struct text *text, const struct finding *finding);

#endif
