#include "export/findings.h"

#include "base/message.h"
#include "replay/replay.h"

#include <stdio.h>

/* Whether an overlapping mask was passed elsewhere is no property of the operation by itself, so
 * the recorder says it and warp_findings() cannot. */
static int divergence_of_step(const struct trace_step *step, finding_visitor *visit,
                              void *context) {
    if (!step->mask_diverges)
        return 0;
    static const char english[] =
        N_("these lanes pass the mask 0x%08x while others make the same call with an overlapping "
           "mask; all lanes a mask names must pass the same one");
    char plain[EXPLAIN_FINDING_TEXT], text[EXPLAIN_FINDING_TEXT];
    snprintf(plain, sizeof(plain), english, (unsigned)step->operation.members);
    snprintf(text, sizeof(text), _(english), (unsigned)step->operation.members);
    struct finding finding = {.has_step = true,
                              .step = *step,
                              .rule = WARP_RULE_DIVERGENT_MASK,
                              .lanes = step->operation.present,
                              .message = plain,
                              .text = text};
    visit(context, &finding);
    return 1;
}

int findings_of_step(const struct trace_step *step, finding_visitor *visit, void *context) {
    struct lane_outcome outcome[WARP_LANES];
    struct warp_finding found[WARP_FINDINGS_MAX];
    warp_outcome(&step->operation, outcome);
    int count = warp_findings(&step->operation, outcome, found);
    for (int i = 0; i < count; i++) {
        char text[EXPLAIN_FINDING_TEXT];
        explain_finding(&found[i], &step->operation, outcome, text, sizeof(text));
        struct finding finding = {.has_step = true,
                                  .step = *step,
                                  .rule = found[i].rule,
                                  .lanes = found[i].lanes,
                                  .message = found[i].message,
                                  .text = text};
        visit(context, &finding);
    }
    return count + divergence_of_step(step, visit, context);
}

int findings_walk(const struct trace *trace, finding_visitor *visit, void *context, uint64_t *count,
                  struct error *err) {
    uint64_t total = 0;
    struct trace_step step;
    for (uint64_t number = 0; number < trace_step_count(trace); number++) {
        if (trace_step(trace, number, &step, err) != 0)
            return -1;
        total += (uint64_t)findings_of_step(&step, visit, context);
    }
    const char *failure = trace_note(trace, TRACE_NOTE_FAILURE);
    if (failure) {
        struct finding finding = {.rule = WARP_RULE_DEADLOCK, .message = failure, .text = failure};
        visit(context, &finding);
        total++;
    }
    if (count)
        *count = total;
    return 0;
}
