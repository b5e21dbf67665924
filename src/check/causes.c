/*
 * causes.c - determines which findings cause others, and orders a report for fixing: each root
 * cause, followed by its possible consequences.
 */
#include "base/memory.h"
#include "check/report.h"

#include <stdlib.h>
#include <string.h>

/* The order in which findings are reported. */
enum kind {
    REFUSED,
    CUT,
    FORGOTTEN,
    STALE,
    BARRIER,
    COPY,
    RACE,
    UNSET,
    MASK,
    BOUNDS,
    SPACE,
    WAIT,
    END,
    NOTE,
    KINDS
};

static const struct {
    const char *rule;
    enum kind kind;
} kinds[] = {
    {"launch_refused", REFUSED},
    {"out_of_memory", REFUSED},
    {"error_ignored", REFUSED},
    {"shift_too_far", CUT},
    {"argument_cut", CUT},
    {"value_narrowed", CUT},
    {"mask_forgotten", FORGOTTEN},
    {"stale_activemask", STALE},
    {"barrier_divergence", BARRIER},
    {"barrier_count", BARRIER},
    {"copy_not_waited", COPY},
    {"read_only_written", RACE},
    {"shared_race", RACE},
    {"global_race", RACE},
    {"uninitialized_read", UNSET},
    {"unset_source_value", UNSET},
    {"participating_lane_not_in_mask", MASK},
    {"not_participating_lane_in_mask", MASK},
    {"divergent_mask", MASK},
    {"width_is_not_power_of_two", MASK},
    {"source_lane_not_in_mask", MASK},
    {"source_lane_not_present", MASK},
    {"recording_disagrees", MASK},
    {"out_of_bounds", BOUNDS},
    {"wrong_memory_space", SPACE},
    {"misaligned_access", BOUNDS},
    {"activemask_split", NOTE},
    {"results_differ", NOTE},
    {"same_elements_read", NOTE},
    {"call_failed", NOTE},
    {"memory_unused", NOTE},
    {"memory_not_freed", NOTE},
    {"blocks_not_resident", WAIT},
    {"deadlock", WAIT},
    {"livelock", WAIT},
};

static enum kind kind_of(const struct check_finding *finding) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].rule, finding->rule) == 0)
            return kinds[i].kind;
    return END;
}

static bool same_place(const struct check_finding *a, const struct check_finding *b) {
    return a->file && b->file && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* A wrong mask or barrier in one kernel does not affect another. */
static bool same_kernel(const struct check_finding *a, const struct check_finding *b) {
    return !a->kernel || !b->kernel || strcmp(a->kernel, b->kernel) == 0;
}

static bool may_cause(const struct check_finding *root, const struct check_finding *other) {
#define OF(kind) (1u << (kind))
    static const unsigned anywhere[KINDS] = {
        [REFUSED] = OF(UNSET) | OF(BOUNDS) | OF(SPACE) | OF(END),
        [CUT] = OF(MASK) | OF(BOUNDS) | OF(SPACE) | OF(WAIT) | OF(END),
        [STALE] = OF(WAIT) | OF(END),
        [BARRIER] = OF(BARRIER) | OF(RACE) | OF(UNSET) | OF(WAIT) | OF(END),
        [UNSET] = OF(BOUNDS) | OF(SPACE) | OF(END),
        [MASK] = OF(BOUNDS) | OF(SPACE) | OF(WAIT) | OF(END),
        [BOUNDS] = OF(END),
        [SPACE] = OF(END),
        [WAIT] = OF(END)};
    static const unsigned there[KINDS] = {[FORGOTTEN] = OF(MASK),
                                          [STALE] = OF(MASK),
                                          [COPY] = OF(RACE) | OF(UNSET),
                                          [RACE] = OF(UNSET),
                                          [BOUNDS] = OF(SPACE)};
    const unsigned bit = OF(kind_of(other));
#undef OF
    return same_kernel(root, other) && (anywhere[kind_of(root)] & bit ||
                                        (there[kind_of(root)] & bit && same_place(root, other)));
}

static void sort(struct check_report *report) {
    for (size_t i = 1; i < report->count; i++) {
        const struct check_finding moved = report->finding[i];
        size_t at = i;
        for (; at > 0 && kind_of(&report->finding[at - 1]) > kind_of(&moved); at--)
            report->finding[at] = report->finding[at - 1];
        report->finding[at] = moved;
    }
}

void check_report_arrange(struct check_report *report) {
    const size_t count = report->count;
    struct check_finding *arranged = memory_zeroed(count + 1, sizeof *arranged);
    size_t *root = memory_zeroed(count + 1, sizeof *root); /* index + 1; 0 for none */
    size_t placed = 0;
    sort(report);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i && !root[i]; j++)
            if (!root[j] && may_cause(&report->finding[j], &report->finding[i]))
                root[i] = j + 1;
    for (size_t i = 0; i < count; i++) {
        if (root[i])
            continue;
        arranged[placed] = report->finding[i];
        arranged[placed++].follows = false;
        for (size_t j = i + 1; j < count; j++)
            if (root[j] == i + 1) {
                arranged[placed] = report->finding[j];
                arranged[placed++].follows = true;
            }
    }
    if (count)
        memcpy(report->finding, arranged, count * sizeof *arranged);
    free(arranged);
    free(root);
}
