/*
 * mask_groups.c - finds calls of __activemask() that are reached by different groups of lanes in
 * different schedules, without divergence: a kernel must not rely on any grouping there.
 *
 * A branch divides lanes the same way in every schedule. So a site counts only if the groups of
 * some schedule differ from those of the first and the results differ, too: an aggregated atomic is
 * right however the lanes are grouped.
 */
#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "check/report.h"
#include "check/rule.h"
#include "explain/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Hashes one group that reaches a site. The hashes are added up: the groups' order is ignored. */
static uint64_t hash_of(const struct trace_step *step) {
    return mix(mix(mix(step->launch, step->block), step->warp), step->operation.present);
}

static struct check_groups *groups_at(struct check_report *report, const struct trace_site *site) {
    for (size_t i = 0; i < report->group_count; i++)
        if (report->groups[i].line == site->line && strcmp(report->groups[i].file, site->file) == 0)
            return &report->groups[i];
    report->groups = memory_grow(report->groups, report->group_count + 1, sizeof *report->groups);
    struct check_groups *groups = &report->groups[report->group_count++];
    *groups = (struct check_groups){.file = memory_string(site->file), .line = site->line};
    return groups;
}

/* Remembers the recording's first group at the site that leaves out a lane of the warp. */
static void remember_example(struct check_groups *groups, const struct trace *trace,
                             uint64_t schedule) {
    struct trace_step step;
    for (uint64_t number = 0; number < trace_step_count(trace); number++) {
        if (trace_step(trace, number, &step, NULL) != 0 ||
            step.operation.op != WARP_OP_ACTIVEMASK ||
            step.operation.present == (step.operation.launched & ~step.operation.exited))
            continue;
        const struct trace_site *site = trace_site(trace, step.site);
        if (!site || site->line != groups->line || strcmp(site->file, groups->file) != 0)
            continue;
        check_finding_step(&groups->example, trace, &step, step.operation.present, schedule);
        return;
    }
}

int check_groups_add(struct check_report *report, const struct trace *trace, uint64_t schedule,
                     struct error *err) {
    struct trace_step step;
    if (!check_queries_masks(trace))
        return 0;
    for (size_t i = 0; i < report->group_count; i++)
        report->groups[i].now = 0;
    for (uint64_t number = 0; number < trace_step_count(trace); number++) {
        progress_line_part(number, trace_step_count(trace));
        if (trace_step(trace, number, &step, err) != 0)
            return -1;
        const struct trace_site *site = trace_site(trace, step.site);
        if (step.operation.op == WARP_OP_ACTIVEMASK && site)
            groups_at(report, site)->now += hash_of(&step);
    }
    for (size_t i = 0; i < report->group_count; i++) {
        struct check_groups *groups = &report->groups[i];
        if (!report->has_groups)
            groups->first = groups->now;
        else if (groups->first != groups->now && !groups->example.has_step)
            remember_example(groups, trace, schedule);
    }
    report->has_groups = true;
    return 0;
}

void check_groups_release(struct check_report *report) {
    for (size_t i = 0; i < report->group_count; i++) {
        free(report->groups[i].file);
        free(report->groups[i].example.kernel);
        free(report->groups[i].example.text);
    }
    free(report->groups);
}

/* ---- messages ---- */

/* "in schedule 1 the program prints 77 where it prints 3 in schedule 0"; no values if only the exit
 * status or the length differs. */
static void append_difference(struct text *text, const struct check_results *results) {
    if (*results->first || *results->other)
        text_append_format(text,
                           _("in schedule %" PRIu64 " the program prints %s where it prints %s in "
                             "schedule %" PRIu64),
                           results->schedule, results->other, results->first,
                           results->first_schedule);
    else
        text_append_format(text,
                           _("the program ends with a different status, or prints more or less, in "
                             "schedule %" PRIu64 " than in schedule %" PRIu64),
                           results->schedule, results->first_schedule);
}

static void add_split(struct check_report *report, struct check_groups *groups,
                      const struct check_results *results) {
    struct check_finding *finding =
        check_finding_at(report, "activemask_split", groups->file, groups->line);
    char lanes[EXPLAIN_LANES_TEXT];
    struct text text = TEXT_INIT;
    const struct check_finding example = groups->example;
    finding->kernel = example.kernel;
    finding->text = example.text;
    groups->example.kernel = groups->example.text = NULL;
    memcpy(finding->block, example.block, sizeof finding->block);
    finding->launch = example.launch;
    finding->warp = example.warp;
    finding->lanes = example.lanes;
    finding->has_lanes = finding->has_step = true;
    finding->step = example.step;
    finding->schedule = example.schedule;
    finding->count = 1;
    text_append_format(
        &text,
        message_plural("%s reaches this call alone in one schedule, but with other lanes in other "
                       "schedules, although no branch separates the lanes; ",
                       "%s reach this call alone in one schedule, but with other lanes in other "
                       "schedules, although no branch separates the lanes; ",
                       (unsigned long)__builtin_popcount(example.lanes)),
        explain_lanes(example.lanes, lanes));
    append_difference(&text, results);
    finding->message = text_detach(&text);
}

void check_results_differ(struct check_report *report, const struct trace *trace,
                          const struct check_results *results) {
    bool is_split = false;
    if (check_report_count(report, NULL) > 0)
        return; /* an existing finding gives the reason */
    for (size_t i = 0; i < report->group_count; i++)
        if (report->groups[i].example.has_step) {
            add_split(report, &report->groups[i], results);
            is_split = true;
        }
    if (is_split)
        return;
    struct check_finding *finding = check_finding_at(report, "results_differ", NULL, 0);
    const struct trace_launch *launch = trace ? trace_launch(trace, 0) : NULL;
    struct text text = TEXT_INIT;
    finding->kernel = launch && launch->kernel ? memory_string(launch->kernel) : NULL;
    finding->schedule = results->schedule;
    finding->count = 1;
    append_difference(&text, results);
    finding->message = text_detach(&text);
}
