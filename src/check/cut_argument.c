/*
 * cut_argument.c - finds shuffles whose delta or laneMask has more than the five bits that the
 * instruction uses.
 */
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "check/report.h"
#include "trace/marks.h"

#include <string.h>

/* True if the call's mask was forgotten: the five bits then belong to another argument. */
static bool is_reported(const struct check_report *report, const struct trace_site *site) {
    for (size_t i = 0; site && i < report->count; i++)
        if (report->finding[i].line == site->line &&
            strcmp(report->finding[i].rule, "mask_forgotten") == 0 && report->finding[i].file &&
            strcmp(report->finding[i].file, site->file) == 0)
            return true;
    return false;
}

static void add(struct check_report *report, const struct trace *trace,
                const struct trace_step *step, uint32_t lanes, uint64_t schedule) {
    const struct trace_site *site = trace_site(trace, step->site);
    struct check_finding *finding =
        check_finding_at(report, "argument_cut", site ? site->file : NULL, site ? site->line : 0);
    report->found++;
    if (finding->count++ > 0)
        return;
    const int lane = __builtin_ctz(lanes);
    struct text text = TEXT_INIT;
    check_finding_step(finding, trace, step, lanes, schedule);
    text_append_format(
        &text, _("lane %d passes %d as %s: the instruction uses only the five low bits, %d"), lane,
        step->operation.arg[lane], warp_op_info(step->operation.op)->argument,
        step->operation.arg[lane] & (WARP_LANES - 1));
    finding->message = text_detach(&text);
}

int check_cut_arguments(struct check_report *report, const struct trace *trace, uint64_t schedule,
                        struct error *err) {
    const uint64_t count = trace_step_count(trace);
    struct trace_step step;
    /* In a long run it is not known whether anything depends on the higher bits. */
    if (count > TRACE_MARKS_STEPS_MOST || trace_note(trace, TRACE_NOTE_UNUSED))
        return 0;
    for (uint64_t number = 0; number < count; number++) {
        progress_line_part(number, count);
        if (trace_step(trace, number, &step, err) != 0)
            return -1;
        const uint32_t lanes = warp_arguments_cut(&step.operation);
        if (lanes && !is_reported(report, trace_site(trace, step.site)))
            add(report, trace, &step, lanes, schedule);
    }
    return 0;
}
