#include "trace/lines/doubt.h"

#include <string.h>

/* The number of lines searched for the one that made the call. */
#define CALLER_MOST 4096

void doubt_begin(struct doubt *doubt, const struct trace *trace,
                 const struct trace_line_chunk *warp) {
    *doubt = (struct doubt){.trace = trace};
    uint64_t low = 0, high = trace_warps_listed(trace) ? trace_warp_count(trace) : 0;
    while (low < high) { /* by launch, block and warp */
        const uint64_t middle = low + (high - low) / 2;
        struct trace_warp at;
        if (!trace_warp(trace, middle, &at))
            return;
        const bool is_before = at.launch != warp->launch ? at.launch < warp->launch
                               : at.block != warp->block ? at.block < warp->block
                                                         : at.warp < warp->warp;
        if (at.launch == warp->launch && at.block == warp->block && at.warp == warp->warp) {
            doubt->warp = at;
            return;
        }
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
}

/* Lanes in which a line reads a value that is doubtful. */
static uint32_t read_doubts(const struct trace_lines *lines, const struct trace_line *line,
                            const struct trace_line_state *before) {
    const struct trace_function *function = trace_function(lines->trace, line->function);
    const size_t words = trace_scope_words(function->variable_count);
    const uint64_t *reads = function->reads + line->line * words;
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < function->variable_count; i++)
        if (reads[i / 64] >> i % 64 & 1)
            lanes |= before->doubtful[function->first + i];
    return lanes & line->lanes;
}

/* The lanes that get a doubtful value from an operation if lanes `given` pass one. */
static uint32_t operation_doubts(const struct warp_operation *operation, uint32_t given) {
    struct lane_outcome outcome[WARP_LANES];
    const bool shuffles = warp_op_info(operation->op)->is_shuffle;
    uint32_t lanes = operation->doubtful_out;
    warp_outcome(operation, outcome);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t bit = UINT32_C(1) << lane;
        if (!warp_has_lane(operation->present, lane))
            continue;
        if (outcome[lane].status == LANE_UNDEFINED)
            lanes |= bit;
        else if (shuffles ? warp_has_lane(given, outcome[lane].address.source)
                          : (given & operation->present) != 0)
            lanes |= bit;
    }
    return lanes;
}

/* Goes through the operations of the line and returns the lanes that get a doubtful value. If there
 * are any operations, sets *any, and *last to the last one. */
static uint32_t take_operations(struct doubt *doubt, const struct trace_line *line, uint32_t given,
                                struct trace_step *last, bool *any) {
    uint32_t lanes = 0;
    while (doubt->position < doubt->warp.steps) {
        const uint64_t number = trace_warp_step(doubt->trace, &doubt->warp, doubt->position);
        struct trace_step step;
        if (number >= line->step)
            break;
        doubt->position++;
        if (trace_step(doubt->trace, number, &step, NULL) != 0 ||
            step.operation.op == WARP_OP_SYNC || step.operation.op == WARP_OP_WATCH ||
            warp_op_is_access(step.operation.op))
            continue;
        lanes |= operation_doubts(&step.operation, given);
        *last = step;
        *any = true;
    }
    return lanes & line->lanes;
}

/* The calling line ends after its callee, so it is the next one at that depth. */
static uint32_t caller_doubts(const struct trace_lines *lines, size_t number,
                              const struct trace_line_state *before) {
    const struct trace_line *line = &lines->lines[number];
    for (size_t i = number + 1; i < lines->count && i < number + CALLER_MOST; i++)
        if (lines->lines[i].depth + 1 == line->depth && lines->lines[i].lanes & line->lanes)
            return read_doubts(lines, &lines->lines[i], before) & line->lanes;
    return 0;
}

void doubt_line(struct doubt *doubt, struct trace_lines *lines, size_t number,
                const struct trace_line_state *before) {
    const struct trace_line *line = &lines->lines[number];
    const uint32_t depth = line->depth < DOUBT_DEPTH ? line->depth : DOUBT_DEPTH;
    struct trace_step last;
    bool any = false;
    uint32_t read = read_doubts(lines, line, before);
    if (line->enters && line->depth > 0)
        read |= caller_doubts(lines, number, before);
    const uint32_t got = take_operations(doubt, line, read, &last, &any);
    if (doubt->depth > line->depth && depth < DOUBT_DEPTH) /* the callee has returned */
        read |= doubt->returned[depth + 1] & line->lanes;
    for (uint32_t i = 0; i < line->change_count; i++) {
        struct trace_line_change *change = &lines->changes[line->change + i];
        const uint64_t *value = lines->values + change->values;
        for (uint32_t left = change->is_unset ? 0 : change->lanes; left; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            const bool is_given = any && warp_has_lane(last.operation.present, lane) &&
                                  last.operation.out[lane] == *value;
            const uint32_t doubts = is_given ? got : got | read;
            change->doubtful |= doubts & UINT32_C(1) << lane;
            value++;
        }
    }
    doubt->returned[depth] = read | got;
    doubt->depth = line->depth;
}
