/*
 * Findings are computed from one step at a time (warp/warp.h) and worded here. Long recordings are
 * searched by several threads, and what they find is visited in order.
 */
#include "explain/findings/finding.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "explain/explain.h"
#include "explain/findings/failure.h"
#include "trace/read/share.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned long count_of(uint32_t lanes) {
    return (unsigned long)__builtin_popcount(lanes);
}

char *explain_lanes(uint32_t lanes, char buffer[EXPLAIN_LANES_TEXT]) {
    char list[WARP_LANES_TEXT];
    if (lanes == 0)
        snprintf(buffer, EXPLAIN_LANES_TEXT, "%s", _("no lane"));
    else if (lanes == WARP_FULL_MASK)
        snprintf(buffer, EXPLAIN_LANES_TEXT, "%s", _("all 32 lanes"));
    else
        snprintf(buffer, EXPLAIN_LANES_TEXT, message_plural("lane %s", "lanes %s", count_of(lanes)),
                 warp_lanes_format(lanes, list));
    return buffer;
}

/* Puts into words a finding about lanes whose source gives them nothing, all for one reason. */
static void word_source(const struct warp_finding *finding, const struct warp_operation *operation,
                        const struct lane_outcome outcome[WARP_LANES], char *buffer, size_t size) {
    const uint32_t readers = finding->lanes;
    const enum lane_reason reason = finding->reason;
    const unsigned long count = count_of(readers);
    char who[EXPLAIN_LANES_TEXT], whom[EXPLAIN_LANES_TEXT];
    uint32_t sources = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (warp_has_lane(readers, lane))
            sources |= UINT32_C(1) << outcome[lane].address.source;
    explain_lanes(readers, who);
    explain_lanes(sources, whom);
    if (reason == LANE_REASON_SOURCE_NOT_MEMBER)
        snprintf(buffer, size,
                 message_plural("%s reads %s, which the member mask 0x%08x leaves out: the value "
                                "is undefined",
                                "%s read %s, which the member mask 0x%08x leaves out: the values "
                                "are undefined",
                                count),
                 who, whom, (unsigned)operation->members);
    else if (reason == LANE_REASON_SOURCE_NOT_LAUNCHED)
        snprintf(buffer, size,
                 message_plural("%s reads %s, beyond the end of the block: the value is undefined",
                                "%s read %s, beyond the end of the block: the values are undefined",
                                count),
                 who, whom);
    else if (reason == LANE_REASON_SOURCE_EXITED)
        snprintf(buffer, size,
                 message_plural(
                     "%s reads %s, which had already exited the kernel: the value is undefined",
                     "%s read %s, which had already exited the kernel: the values are undefined",
                     count),
                 who, whom);
    else
        snprintf(buffer, size,
                 message_plural(
                     "%s reads %s, which did not make this call: the value is undefined",
                     "%s read %s, which did not make this call: the values are undefined", count),
                 who, whom);
}

static void word_width(uint32_t lanes, const struct warp_operation *operation, char *buffer,
                       size_t size) {
    char who[EXPLAIN_LANES_TEXT];
    int32_t width;
    const bool same = warp_agree(operation->width, lanes, &width);
    explain_lanes(lanes, who);
    if (same)
        snprintf(
            buffer, size,
            message_plural(
                "%s passes width %d, which is not one of 1 2 4 8 16 32: the result is undefined",
                "%s pass width %d, which is not one of 1 2 4 8 16 32: the results are undefined",
                count_of(lanes)),
            who, width);
    else
        snprintf(buffer, size,
                 _("%s pass widths that are not among 1 2 4 8 16 32 (lane %d passes %d): the "
                   "results are undefined"),
                 who, __builtin_ctz(lanes), width);
}

static void word_disagreement(uint32_t lanes, const struct warp_operation *operation,
                              const struct lane_outcome outcome[WARP_LANES], char *buffer,
                              size_t size) {
    char who[EXPLAIN_LANES_TEXT], got[WARP_VALUE_TEXT], right[WARP_VALUE_TEXT];
    const int first = __builtin_ctz(lanes);
    const enum warp_type type = warp_result_type(operation);
    warp_value_format_bits(type, operation->out[first], got);
    warp_value_format_bits(type, outcome[first].value, right);
    explain_lanes(lanes, who);
    if (count_of(lanes) == 1)
        snprintf(buffer, size, _("%s was recorded with %s; the rules give %s"), who, got, right);
    else
        snprintf(buffer, size,
                 _("%s were recorded with values that the rules do not give: lane %d with %s, not "
                   "%s"),
                 who, first, got, right);
}

char *explain_finding(const struct warp_finding *finding, const struct warp_operation *operation,
                      const struct lane_outcome outcome[WARP_LANES], char *buffer, size_t size) {
    const unsigned long count = count_of(finding->lanes);
    const unsigned mask = operation->members;
    char who[EXPLAIN_LANES_TEXT];
    explain_lanes(finding->lanes, who);
    switch (finding->rule) {
    case WARP_RULE_SOURCE_LANE_NOT_IN_MASK:
    case WARP_RULE_SOURCE_LANE_NOT_PRESENT:
        word_source(finding, operation, outcome, buffer, size);
        break;
    case WARP_RULE_PARTICIPATING_LANE_NOT_IN_MASK:
        snprintf(buffer, size,
                 message_plural("%s calls with the member mask 0x%08x, which leaves it out: the "
                                "result is undefined",
                                "%s call with the member mask 0x%08x, which leaves them out: the "
                                "results are undefined",
                                count),
                 who, mask);
        break;
    case WARP_RULE_NOT_PARTICIPATING_LANE_IN_MASK:
        snprintf(buffer, size,
                 message_plural("the member mask 0x%08x names %s, which does not make this call: "
                                "the operation is undefined and may wait forever",
                                "the member mask 0x%08x names %s, which do not make this call: "
                                "the operation is undefined and may wait forever",
                                count),
                 mask, who);
        break;
    case WARP_RULE_DIVERGENT_MASK:
        snprintf(buffer, size,
                 _("these lanes pass the mask 0x%08x while other lanes make the same call with an "
                   "overlapping mask; all lanes that a mask names must pass the same mask"),
                 mask);
        break;
    case WARP_RULE_WIDTH_IS_NOT_POWER_OF_TWO:
        word_width(finding->lanes, operation, buffer, size);
        break;
    case WARP_RULE_MASK_FORGOTTEN:
        snprintf(
            buffer, size,
            message_plural("%s passes %s 32 and a mask that does not name every caller: was the "
                           "mask forgotten, so that every argument is one place too early?",
                           "%s pass %s 32 and a mask that does not name every caller: was the mask "
                           "forgotten, so that every argument is one place too early?",
                           count),
            who, warp_op_info(operation->op)->argument);
        break;
    case WARP_RULE_DISAGREES:
        word_disagreement(finding->lanes, operation, outcome, buffer, size);
        break;
    default:
        buffer[0] = '\0';
    }
    return buffer;
}

/* ---- the findings of a recording ---- */

static int findings_of_step(const struct trace *trace, const struct trace_step *step,
                            finding_visitor *visit, void *context) {
    struct lane_outcome outcome[WARP_LANES];
    struct warp_finding found[WARP_FINDINGS_MAX];
    warp_outcome(&step->operation, outcome);
    int count = warp_findings(&step->operation, outcome, found);
    /* An overlapping mask that was passed elsewhere is not a property of the operation by itself,
     * so warp_findings() cannot find it: the recorder notes it. */
    if (step->mask_diverges)
        found[count++] = (struct warp_finding){WARP_RULE_DIVERGENT_MASK, step->operation.present,
                                               LANE_REASON_NONE};
    for (int i = 0; i < count; i++) {
        struct finding finding = {trace, warp_rule_name(found[i].rule), step, outcome, found[i]};
        visit(context, &finding);
    }
    return count;
}

/* ---- several threads look for steps that have findings, which are then visited in order ---- */

#define WINDOW (UINT64_C(1) << 20) /* steps examined before their findings are visited */

struct search {
    uint64_t base;
    uint8_t
        *marks; /* a byte for each step of the window, set if the step has findings or is damaged */
};

static void mark_part(void *context, const struct trace *view, uint64_t first, uint64_t end) {
    const struct search *search = context;
    struct trace_step step;
    struct lane_outcome outcome[WARP_LANES];
    struct warp_finding found[WARP_FINDINGS_MAX];
    for (uint64_t number = first; number < end; number++) {
        bool marked = trace_step(view, number, &step, NULL) != 0 || step.mask_diverges;
        if (!marked && !warp_is_plain(&step.operation)) {
            warp_outcome(&step.operation, outcome);
            marked = warp_findings(&step.operation, outcome, found) > 0;
        }
        search->marks[number - search->base] = marked;
    }
}

static int visit_marked(const struct trace *trace, const struct search *search, uint64_t end,
                        finding_visitor *visit, void *context, uint64_t *total, struct error *err) {
    struct trace_step step;
    for (uint64_t number = search->base; number < end; number++) {
        if (!search->marks[number - search->base])
            continue;
        if (trace_step(trace, number, &step, err) != 0)
            return -1;
        *total += (uint64_t)findings_of_step(trace, &step, visit, context);
    }
    return 0;
}

int findings_walk(const struct trace *trace, finding_visitor *visit, void *context, uint64_t *count,
                  struct error *err) {
    uint64_t total = 0;
    const uint64_t all = trace_step_count(trace);
    struct search search = {0, memory_zeroed((size_t)(all < WINDOW ? all + 1 : WINDOW), 1)};
    void *contexts[TRACE_SHARE_MOST] = {NULL};
    const unsigned parts = trace_share_parts(all);
    int status = 0;
    for (unsigned i = 0; i < parts; i++)
        contexts[i] = &search;
    for (uint64_t end; status == 0 && search.base < all; search.base = end) {
        end = all - search.base < WINDOW ? all : search.base + WINDOW;
        progress_line_part(search.base, all);
        trace_share(trace, search.base, end, parts, mark_part, contexts);
        status = visit_marked(trace, &search, end, visit, context, &total, err);
    }
    free(search.marks);
    if (status != 0)
        return -1;
    const enum trace_failure failure = failure_kind(trace);
    if (failure != TRACE_FAILURE_NONE) {
        struct finding finding = {.trace = trace, .rule = trace_failure_name(failure)};
        visit(context, &finding);
        total++;
    }
    if (count)
        *count = total;
    return 0;
}

void finding_append(struct text *text, const struct finding *finding) {
    char words[EXPLAIN_FINDING_TEXT];
    if (finding->step)
        text_append(text, explain_finding(&finding->found, &finding->step->operation,
                                          finding->outcome, words, sizeof words));
    else
        failure_append(text, finding->trace);
}
