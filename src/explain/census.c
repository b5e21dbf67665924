#include "explain/census.h"

#include "base/memory.h"
#include "explain/failure.h"
#include "explain/finding.h"

#include <stdlib.h>
#include <string.h>

/* A warp of the index is a few reads. */
#define WARPS_A_STEP 2

static struct census_row *add_row(struct census *census, enum census_kind kind) {
    size_t at = census->count[kind]++;
    if (at == census->room[kind]) {
        census->room[kind] = at ? at * 2 : 64;
        census->rows[kind] =
            memory_grow(census->rows[kind], census->room[kind], sizeof *census->rows[kind]);
    }
    struct census_row *row = &census->rows[kind][at];
    *row = (struct census_row){.launch = CENSUS_NONE, .site = CENSUS_NONE, .first = UINT64_MAX};
    return row;
}

/* The row of the kernel with this name. Programs have few, so that all are compared. */
static uint32_t kernel_row(struct census *census, uint32_t launch) {
    const char *name = trace_launch(census->trace, launch)->kernel;
    size_t count = census->count[CENSUS_KERNELS];
    for (size_t i = 0; i < count; i++)
        if (strcmp(trace_launch(census->trace, census->rows[CENSUS_KERNELS][i].launch)->kernel,
                   name) == 0)
            return (uint32_t)i;
    add_row(census, CENSUS_KERNELS)->launch = launch;
    return (uint32_t)count;
}

void census_init(struct census *census, const struct trace *trace) {
    size_t launches = trace_launch_count(trace);
    memset(census, 0, sizeof *census);
    census->trace = trace;
    census->kernel_of = memory_grow(NULL, launches ? launches : 1, sizeof *census->kernel_of);
    for (uint32_t launch = 0; launch < launches; launch++) {
        add_row(census, CENSUS_LAUNCHES)->launch = launch;
        census->kernel_of[launch] = kernel_row(census, launch);
        census->rows[CENSUS_KERNELS][census->kernel_of[launch]].launches++;
    }
    for (uint32_t site = 0; trace_site(trace, site); site++)
        add_row(census, CENSUS_LINES)->site = site;
}

void census_release(struct census *census) {
    for (int kind = 0; kind < CENSUS_KIND_COUNT; kind++)
        free(census->rows[kind]);
    free(census->kernel_of);
    memset(census, 0, sizeof *census);
}

/* ---- warps ---- */

/* False once all are counted. */
static bool count_warps(struct census *census, uint64_t warps) {
    uint64_t count = trace_warp_count(census->trace);
    struct trace_warp warp;
    for (; warps > 0 && census->warps < count; warps--) {
        if (!trace_warp(census->trace, census->warps++, &warp))
            continue;
        census->rows[CENSUS_LAUNCHES][warp.launch].warps++;
        census->rows[CENSUS_KERNELS][census->kernel_of[warp.launch]].warps++;
    }
    return census->warps < count;
}

/* ---- steps ---- */

static void count_in(struct census_row *row, const struct trace_step *step, uint64_t findings,
                     uint64_t undefined) {
    row->steps++;
    row->findings += findings;
    row->undefined += undefined;
    if (row->first == UINT64_MAX)
        row->first = step->number;
}

static void count_finding(struct census *census, const char *rule, const struct trace_step *step,
                          uint32_t lanes) {
    uint32_t site = step ? step->site : CENSUS_NONE;
    struct census_row *row = NULL;
    for (size_t i = 0; !row && i < census->count[CENSUS_FINDINGS]; i++) {
        struct census_row *known = &census->rows[CENSUS_FINDINGS][i];
        if (known->site == site && strcmp(known->rule, rule) == 0)
            row = known;
    }
    if (!row) {
        row = add_row(census, CENSUS_FINDINGS);
        row->site = site;
        row->rule = rule;
        row->lanes = lanes;
        row->first = step ? step->number : UINT64_MAX;
    }
    row->steps++;
}

static void count_step(struct census *census, uint64_t number) {
    struct trace_step step;
    struct lane_outcome outcome[WARP_LANES];
    struct warp_finding found[WARP_FINDINGS_MAX];
    uint64_t undefined = 0, findings;
    if (trace_step(census->trace, number, &step, NULL) != 0) {
        census->damaged++;
        return;
    }
    warp_outcome(&step.operation, outcome);
    int count = warp_findings(&step.operation, outcome, found);
    for (int lane = 0; lane < WARP_LANES; lane++)
        undefined += outcome[lane].status == LANE_UNDEFINED;
    for (int i = 0; i < count; i++)
        count_finding(census, warp_rule_name(found[i].rule), &step, found[i].lanes);
    if (step.mask_diverges)
        count_finding(census, warp_rule_name(WARP_RULE_DIVERGENT_MASK), &step,
                      step.operation.present);
    findings = (uint64_t)count + step.mask_diverges;
    count_in(&census->rows[CENSUS_LAUNCHES][step.launch], &step, findings, undefined);
    count_in(&census->rows[CENSUS_KERNELS][census->kernel_of[step.launch]], &step, findings,
             undefined);
    if (step.site >= census->count[CENSUS_LINES]) /* of a killed run */
        return;
    struct census_row *line = &census->rows[CENSUS_LINES][step.site];
    if (line->steps == 0)
        line->op = step.operation.op;
    count_in(line, &step, findings, undefined);
}

/* What the run as a whole has to say comes last; a click leads to the last step. */
static void count_failure(struct census *census) {
    const enum trace_failure failure = failure_kind(census->trace);
    if (failure == TRACE_FAILURE_NONE)
        return;
    count_finding(census, trace_failure_name(failure), NULL, 0);
    if (census->steps > 0)
        census->rows[CENSUS_FINDINGS][census->count[CENSUS_FINDINGS] - 1].first = census->steps - 1;
}

bool census_count(struct census *census, uint64_t steps) {
    uint64_t all = trace_step_count(census->trace);
    if (census->done)
        return false;
    if (trace_warps_list(census->trace, steps) || count_warps(census, steps * WARPS_A_STEP))
        return true;
    for (; steps > 0 && census->steps < all; steps--)
        count_step(census, census->steps++);
    if (census->steps < all)
        return true;
    count_failure(census);
    census->done = true;
    return false;
}

int census_percent(const struct census *census) {
    uint64_t all = trace_step_count(census->trace);
    return census->done || all == 0 ? 100 : (int)((double)census->steps / (double)all * 99.0);
}
