/*
 * unset_value.c - finds shuffles that read a variable that a lane has not set: programs that are
 * checked are compiled so that uninitialised local variables hold a pattern.
 *
 * The pattern may also be a real value: a ballot of the odd lanes is 0xaaaaaaaa. So reading it is a
 * finding only if
 * - a lane reads the whole pattern from another lane,
 * - some calling lane passes something else (a value that all pass is a constant, or padding in a
 *   struct that is moved word by word), and
 * - no vote, match or reduction in the program returns it.
 * Types of fewer than 32 bits are left out, because their values equal it too often.
 */
#include "base/message.h"
#include "base/progress_line.h"
#include "base/text.h"
#include "check/report.h"
#include "explain/explain.h"

static uint64_t low_bits(uint64_t value, unsigned bits) {
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

/* The content of an uninitialised variable of the type; in floating-point ones, clang sets all
 * bits. */
static uint64_t pattern_of(enum warp_type type, uint8_t unset) {
    const struct warp_type_info *info = warp_type_info(type);
    const bool ones = unset == 0xaa && info->is_floating && info->parts == 1;
    return low_bits((ones ? 0xff : unset) * UINT64_C(0x0101010101010101), info->bits);
}

/* True if something other than a shuffle returned the pattern. */
static bool returns_pattern(const struct warp_operation *operation, uint8_t unset) {
    if (operation->op == WARP_OP_SYNC || operation->op == WARP_OP_WATCH ||
        warp_op_is_access(operation->op))
        return false;
    const enum warp_type type = warp_result_type(operation);
    const uint64_t pattern = pattern_of(type, unset);
    for (uint32_t left = operation->present; left; left &= left - 1)
        if (low_bits(operation->out[__builtin_ctz(left)], warp_type_info(type)->bits) == pattern)
            return true;
    return false;
}

/* The lanes that read the pattern from another lane; *sources are those that they read. */
static uint32_t readers(const struct warp_operation *operation, uint8_t unset, uint32_t *sources) {
    const unsigned bits = warp_type_info(operation->type)->bits;
    const uint64_t pattern = pattern_of(operation->type, unset);
    struct lane_outcome outcome[WARP_LANES];
    uint32_t holders = 0, found = 0;
    *sources = 0;
    if (bits < 32)
        return 0;
    for (uint32_t left = operation->present; left; left &= left - 1)
        if (low_bits(operation->in[__builtin_ctz(left)], bits) == pattern)
            holders |= left & -left;
    if (!holders || holders == operation->present)
        return 0;
    warp_outcome(operation, outcome);
    for (uint32_t left = operation->present; left; left &= left - 1) {
        const int lane = __builtin_ctz(left), source = outcome[lane].address.source;
        if (outcome[lane].status == LANE_READ && source != lane && holders >> source & 1) {
            found |= left & -left;
            *sources |= UINT32_C(1) << source;
        }
    }
    return found;
}

static void add(struct check_report *report, const struct trace *trace,
                const struct trace_step *step, uint32_t lanes, uint32_t sources, uint8_t unset,
                uint64_t schedule) {
    const struct trace_site *site = trace_site(trace, step->site);
    struct check_finding *finding = check_finding_at(
        report, "unset_source_value", site ? site->file : NULL, site ? site->line : 0);
    report->found++;
    if (finding->count++ > 0)
        return;
    const enum warp_type type = step->operation.type;
    char from[EXPLAIN_LANES_TEXT];
    struct text text = TEXT_INIT;
    check_finding_step(finding, trace, step, lanes, schedule);
    explain_lanes(sources, from);
    text_append_format(
        &text,
        _("these lanes read a variable from %s, where it is not set: the variable still holds the "
          "pattern 0x%0*llx, by which check recognises unset variables"),
        from, (int)warp_type_info(type)->bits / 4, (unsigned long long)pattern_of(type, unset));
    finding->message = text_detach(&text);
}

int check_unset_values(struct check_report *report, const struct trace *trace, uint8_t unset,
                       uint64_t schedule, struct error *err) {
    const uint64_t count = unset ? trace_step_count(trace) : 0;
    uint64_t first = count; /* the first step in which a lane reads it */
    struct trace_step step;
    uint32_t sources;
    for (uint64_t number = 0; number < count; number++) {
        progress_line_part(number, count);
        if (trace_step(trace, number, &step, err) != 0)
            return -1;
        if (!warp_op_info(step.operation.op)->is_shuffle) {
            if (returns_pattern(&step.operation, unset))
                return 0;
        } else if (first == count && readers(&step.operation, unset, &sources)) {
            first = number;
        }
    }
    for (uint64_t number = first; number < count; number++) {
        progress_line_part(number, count);
        if (trace_step(trace, number, &step, err) != 0)
            return -1;
        if (!warp_op_info(step.operation.op)->is_shuffle)
            continue;
        const uint32_t lanes = readers(&step.operation, unset, &sources);
        if (lanes)
            add(report, trace, &step, lanes, sources, unset, schedule);
    }
    return 0;
}
