/*
 * Threads count parts of the recording, each into rows of its own, which are then merged in order,
 * so that the result does not depend on the number of threads.
 */
#include "explain/findings/census.h"

#include "base/memory.h"
#include "base/progress_line.h"
#include "explain/findings/failure.h"
#include "explain/findings/finding.h"
#include "trace/read/share.h"
#include "warp/banks.h"

#include "warp/sectors.h"
#include <stdlib.h>
#include <string.h>

/* The number of warps that take as long to count as one step: reading a warp from the index
 * is quick. */
#define WARPS_A_STEP 2

static struct census_row *add_row(struct census *census, enum census_kind kind) {
    size_t at = census->count[kind]++;
    census->rows[kind] =
        memory_room(census->rows[kind], at, &census->room[kind], sizeof *census->rows[kind]);
    struct census_row *row = &census->rows[kind][at];
    *row = (struct census_row){.launch = CENSUS_NONE, .site = CENSUS_NONE, .first = UINT64_MAX};
    return row;
}

/* ---- rows by key ---- */

/* A key: a kernel's name, or a rule and a call. A file may have a great many of both. */
struct key {
    const char *name;
    uint32_t site;
};

static struct key key_of(const struct census *census, enum census_kind kind, uint32_t row) {
    const struct census_row *r = &census->rows[kind][row];
    return kind == CENSUS_KERNELS
               ? (struct key){trace_launch(census->trace, r->launch)->kernel, CENSUS_NONE}
               : (struct key){r->rule, r->site};
}

/* The slot of the row with this key, or the free one for it. */
static uint32_t *slot_of(const struct census *census, enum census_kind kind, struct key key) {
    size_t mask = census->slots[kind].room - 1;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ key.site; /* FNV-1a */
    for (const char *c = key.name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    for (size_t at = (size_t)(hash ^ hash >> 32) & mask;; at = (at + 1) & mask) {
        uint32_t *slot = &census->slots[kind].row[at];
        if (*slot == 0)
            return slot;
        struct key known = key_of(census, kind, *slot - 1);
        if (known.site == key.site && strcmp(known.name, key.name) == 0)
            return slot;
    }
}

static void slots_grow(struct census *census, enum census_kind kind) {
    size_t room = census->slots[kind].room ? census->slots[kind].room * 2 : 64;
    free(census->slots[kind].row);
    census->slots[kind].row = memory_zeroed(room, sizeof *census->slots[kind].row);
    census->slots[kind].room = room;
    for (uint32_t row = 0; row < census->count[kind]; row++)
        *slot_of(census, kind, key_of(census, kind, row)) = row + 1;
}

/* The number of the row with this key; a new one has CENSUS_NONE in `launch` and no `rule`, for
 * the caller to fill in before the next lookup. */
static uint32_t find_or_add_row(struct census *census, enum census_kind kind, struct key key) {
    if (census->count[kind] * 2 >= census->slots[kind].room)
        slots_grow(census, kind);
    uint32_t *slot = slot_of(census, kind, key);
    if (*slot == 0) {
        *slot = (uint32_t)census->count[kind] + 1;
        add_row(census, kind);
    }
    return *slot - 1;
}

static uint32_t kernel_row(struct census *census, uint32_t launch) {
    const struct key key = {trace_launch(census->trace, launch)->kernel, CENSUS_NONE};
    uint32_t row = find_or_add_row(census, CENSUS_KERNELS, key);
    if (census->rows[CENSUS_KERNELS][row].launch == CENSUS_NONE)
        census->rows[CENSUS_KERNELS][row].launch = launch;
    return row;
}

/* The maximum number of lines in the list: more would be useless, and each row takes over a hundred
 * bytes. */
#define OUTPUT_MOST ((size_t)1 << 18)

static void add_output(struct census *census) {
    const struct trace *trace = census->trace;
    struct printed printed = {trace, 0, 0};
    struct printed_line line;
    while (census->count[CENSUS_OUTPUT] < OUTPUT_MOST && printed_next(&printed, &line)) {
        struct census_row *row = add_row(census, CENSUS_OUTPUT);
        const uint64_t steps = line.piece->step;
        row->printed = line;
        row->steps = steps;
        if (line.piece->launches > 0 && line.piece->launches <= trace_launch_count(trace))
            row->launch = line.piece->launches - 1;
        if (steps <= trace_step_count(trace) && trace_step_count(trace) > 0)
            row->first = steps > 0 ? steps - 1 : 0;
    }
    if (printed_cut(trace) > 0)
        add_row(census, CENSUS_OUTPUT);
}

void census_init(struct census *census, const struct trace *trace) {
    size_t launches = trace_launch_count(trace);
    memset(census, 0, sizeof *census);
    census->trace = trace;
    census->first_damaged = UINT64_MAX;
    census->kernel_of = memory_grow(NULL, launches ? launches : 1, sizeof *census->kernel_of);
    for (uint32_t launch = 0; launch < launches; launch++) {
        add_row(census, CENSUS_LAUNCHES)->launch = launch;
        census->kernel_of[launch] = kernel_row(census, launch);
        census->rows[CENSUS_KERNELS][census->kernel_of[launch]].launches++;
    }
    for (uint32_t site = 0; trace_site(trace, site); site++)
        add_row(census, CENSUS_LINES)->site = site;
    add_output(census);
}

void census_release(struct census *census) {
    for (int kind = 0; kind < CENSUS_KIND_COUNT; kind++) {
        free(census->rows[kind]);
        free(census->slots[kind].row);
    }
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

static void add_to_row(struct census_row *row, const struct trace_step *step, uint64_t findings,
                       uint64_t undefined) {
    row->steps++;
    row->findings += findings;
    row->undefined += undefined;
    if (row->first == UINT64_MAX)
        row->first = step->number;
}

static void count_finding(struct census *census, const char *rule, const struct trace_step *step,
                          uint32_t lanes) {
    const struct key key = {rule, step ? step->site : CENSUS_NONE};
    uint32_t number = find_or_add_row(census, CENSUS_FINDINGS, key);
    struct census_row *row = &census->rows[CENSUS_FINDINGS][number];
    if (!row->rule) {
        row->site = key.site;
        row->rule = rule;
        row->lanes = lanes;
        row->first = step ? step->number : UINT64_MAX;
    }
    row->steps++;
}

/* The access that takes the most sectors beyond the required ones. */
static void keep_worst_access(struct census_row *line, int sectors, int least) {
    if (sectors - least >= line->sectors - line->least) {
        line->sectors = sectors;
        line->least = least;
    }
}

static void count_step(struct census *census, uint64_t number) {
    struct trace_step step;
    struct lane_outcome outcome[WARP_LANES];
    struct warp_finding found[WARP_FINDINGS_MAX];
    uint64_t undefined = 0, findings;
    if (trace_step(census->trace, number, &step, NULL) != 0) {
        if (census->damaged++ == 0)
            census->first_damaged = number;
        return;
    }
    int count = 0;
    census->operations[step.operation.op]++;
    if (!warp_is_plain(&step.operation)) {
        warp_outcome(&step.operation, outcome);
        count = warp_findings(&step.operation, outcome, found);
        for (int lane = 0; lane < WARP_LANES; lane++)
            undefined += outcome[lane].status == LANE_UNDEFINED;
    }
    for (int i = 0; i < count; i++)
        count_finding(census, warp_rule_name(found[i].rule), &step, found[i].lanes);
    if (step.mask_diverges)
        count_finding(census, warp_rule_name(WARP_RULE_DIVERGENT_MASK), &step,
                      step.operation.present);
    findings = (uint64_t)count + step.mask_diverges;
    add_to_row(&census->rows[CENSUS_LAUNCHES][step.launch], &step, findings, undefined);
    add_to_row(&census->rows[CENSUS_KERNELS][census->kernel_of[step.launch]], &step, findings,
               undefined);
    if (step.site >= census->count[CENSUS_LINES]) /* in the recording of a killed run */
        return;
    struct census_row *line = &census->rows[CENSUS_LINES][step.site];
    if (line->steps == 0)
        line->op = step.operation.op;
    add_to_row(line, &step, findings, undefined);
    if (warp_op_is_shared(step.operation.op)) {
        struct bank_use use;
        warp_bank_use(&step.operation, &use);
        line->ways = use.ways > line->ways ? use.ways : line->ways;
        census->has_access = true;
    }
    if (warp_op_is_global(step.operation.op)) {
        struct sector_use use;
        warp_sector_use(&step.operation, &use);
        keep_worst_access(line, use.sectors, use.least);
        census->has_access = true;
    }
}

/* A failure of the run as a whole comes last; a click on it shows the last step. */
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

/* ---- by several threads ---- */

#define WINDOW    (UINT64_C(1) << 19) /* steps a thread counts between two reports */
#define ROWS_MOST (1u << 20)          /* the sum over all parts */

static void count_part(void *context, const struct trace *view, uint64_t first, uint64_t end) {
    struct census *part = context;
    part->trace = view;
    for (uint64_t number = first; number < end; number++)
        count_step(part, number);
}

/* Merges `from`, which comes later in the recording. */
static void merge_row(struct census_row *to, const struct census_row *from) {
    if (from->steps == 0)
        return;
    if (to->steps == 0) {
        to->op = from->op;
        to->first = from->first;
    }
    to->steps += from->steps;
    to->findings += from->findings;
    to->undefined += from->undefined;
    to->ways = from->ways > to->ways ? from->ways : to->ways;
    keep_worst_access(to, from->sectors, from->least);
}

static void merge_finding(struct census *census, const struct census_row *from) {
    const uint32_t number =
        find_or_add_row(census, CENSUS_FINDINGS, (struct key){from->rule, from->site});
    struct census_row *row = &census->rows[CENSUS_FINDINGS][number];
    const uint64_t before = row->rule ? row->steps : 0;
    if (!row->rule)
        *row = *from;
    row->steps = before + from->steps;
}

static void merge_part(struct census *census, const struct census *part) {
    static const enum census_kind kinds[] = {CENSUS_LAUNCHES, CENSUS_KERNELS, CENSUS_LINES};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < census->count[kinds[k]]; i++)
            merge_row(&census->rows[kinds[k]][i], &part->rows[kinds[k]][i]);
    for (size_t i = 0; i < part->count[CENSUS_FINDINGS]; i++)
        merge_finding(census, &part->rows[CENSUS_FINDINGS][i]);
    for (int op = 0; op < WARP_OP_COUNT; op++)
        census->operations[op] += part->operations[op];
    if (part->first_damaged < census->first_damaged)
        census->first_damaged = part->first_damaged;
    census->damaged += part->damaged;
    census->has_access = census->has_access || part->has_access;
}

/* The number of parts, for `steps` steps per thread. Each part has its own rows for all launches
 * and lines, and making those must not take longer than counting. */
static unsigned parts_of(const struct census *census, uint64_t left, uint64_t steps) {
    const unsigned parts =
        trace_share_parts(left / TRACE_SHARE_MOST < steps ? left : steps * TRACE_SHARE_MOST);
    size_t rows = 1;
    for (int kind = 0; kind < CENSUS_KIND_COUNT; kind++)
        rows += census->count[kind];
    return rows * parts > ROWS_MOST || rows > steps ? 1 : parts;
}

static void count_window(struct census *census, unsigned count, uint64_t end) {
    struct census parts[TRACE_SHARE_MOST];
    void *contexts[TRACE_SHARE_MOST] = {NULL};
    for (unsigned i = 0; i < count; i++) {
        census_init(&parts[i], census->trace);
        contexts[i] = &parts[i];
    }
    trace_share(census->trace, census->steps, end, count, count_part, contexts);
    for (unsigned i = 0; i < count; i++) {
        parts[i].trace = census->trace; /* the part's own reader of the trace is closed */
        merge_part(census, &parts[i]);
        census_release(&parts[i]);
    }
    census->steps = end;
}

bool census_count_shared(struct census *census, uint64_t steps) {
    const uint64_t left = trace_step_count(census->trace) - census->steps;
    /* Warps are counted before the first step. */
    const unsigned parts = census->steps == 0 ? 1 : parts_of(census, left, steps);
    if (parts == 1 || census->done)
        return census_count(census, steps);
    const uint64_t most = steps * parts;
    count_window(census, parts, census->steps + (left < most ? left : most));
    return left > most || census_count(census, steps);
}

void census_count_all(struct census *census) {
    while (census_count_shared(census, census->steps ? WINDOW : 1 << 12))
        progress_line_part(census->steps, trace_step_count(census->trace));
}

int census_percent(const struct census *census) {
    uint64_t all = trace_step_count(census->trace);
    return census->done || all == 0 ? 100 : (int)((double)census->steps / (double)all * 99.0);
}
