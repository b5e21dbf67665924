/*
 * finding.h - everything in a recording that is a misuse, one after the other.
 *
 * Nothing is kept: findings are worked out from the steps as they are asked for, so that a long
 * recording takes no more memory than a short one.
 */
#ifndef SHFLVIZ_EXPLAIN_FINDING_H
#define SHFLVIZ_EXPLAIN_FINDING_H

#include "base/error.h"
#include "trace/trace.h"
#include "warp/warp.h"

#include <stdbool.h>
#include <stdint.h>

/* What a finding of warp_findings() says, in the language in use. */
#define EXPLAIN_FINDING_TEXT 480
char *explain_finding(const struct warp_finding *finding, const struct warp_operation *operation,
                      const struct lane_outcome outcome[WARP_LANES], char *buffer, size_t size);

struct finding {
    bool has_step; /* false where the whole run is meant: a deadlock */
    struct trace_step step;
    enum warp_rule rule;
    uint32_t lanes;      /* 0 without a step */
    const char *message; /* one sentence or more, in English; valid during the visit */
    const char *text;    /* the same in the language in use; likewise */
};

typedef void finding_visitor(void *context, const struct finding *finding);

/* Shows every finding to `visit`, in the order of the steps, a deadlock last. Fails as trace_step()
 * does on a damaged recording. *count (may be NULL) gets their number. */
int findings_walk(const struct trace *trace, finding_visitor *visit, void *context, uint64_t *count,
                  struct error *err);

/* The findings of one step. Returns how many. */
int findings_of_step(const struct trace_step *step, finding_visitor *visit, void *context);

#endif
