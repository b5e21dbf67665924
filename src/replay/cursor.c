/*
 * Every movement goes through one function that decodes the step and applies the rules, so that
 * position and content cannot disagree.
 */
#include "replay/cursor.h"

#include "base/message.h"

#include <string.h>

#define LIST_STEPS 8192 /* steps listed at a time: a millisecond or two */

bool cursor_set_phase(struct cursor *cursor, enum phase phase) {
    enum phase was = cursor->phase;
    cursor->phase_kept = phase;
    while (cursor->has_step && !phase_applies(cursor->step.operation.op, phase))
        phase--;
    cursor->phase = phase;
    return phase != was;
}

int cursor_next_phase(const struct cursor *cursor, enum phase from, int direction) {
    for (int phase = (int)from + direction; phase >= 0 && phase < PHASE_COUNT; phase += direction)
        if (cursor->has_step && phase_applies(cursor->step.operation.op, (enum phase)phase))
            return phase;
    return -1;
}

static void decode(struct cursor *cursor, struct error *err) {
    struct error why = ERROR_INIT;
    uint64_t number = trace_warp_step(cursor->trace, &cursor->warp, cursor->position);
    cursor->has_step = trace_step(cursor->trace, number, &cursor->step, &why) == 0;
    cursor->disagreement = 0;
    if (cursor->has_step) {
        warp_outcome(&cursor->step.operation, cursor->outcome);
        cursor->disagreement = warp_disagreement(&cursor->step.operation, cursor->outcome);
    } else if (err) {
        why.text[strcspn(why.text, "\n")] = '\0';
        *err = why;
    }
}

bool cursor_go(struct cursor *cursor, const struct trace_warp *warp, uint64_t position,
               struct error *err) {
    position = position < warp->steps ? position : warp->steps - 1;
    bool moved = cursor->warp.index != warp->index || cursor->position != position;
    cursor->warp = *warp;
    cursor->position = position;
    decode(cursor, err);
    return cursor_set_phase(cursor, cursor->phase_kept) || moved;
}

int cursor_init(struct cursor *cursor, const struct trace *trace, struct error *err) {
    struct trace_warp first;
    memset(cursor, 0, sizeof *cursor);
    cursor->trace = trace;
    if (trace_step_count(trace) == 0 || !trace_warp(trace, 0, &first))
        return error_set(err, ERROR_USAGE,
                         _("the recording has no steps\na replay needs at least one recorded warp "
                           "operation\ntry `shflviz xor --mask 3 --width 16` to see one"));
    cursor->listing = !trace_warps_listed(trace);
    cursor_go(cursor, &first, 0, NULL);
    return 0;
}

bool cursor_step(struct cursor *cursor, int direction, struct error *err) {
    bool on = direction > 0;
    int phase = cursor_next_phase(cursor, cursor->phase, direction);
    if (phase >= 0)
        return cursor_set_phase(cursor, (enum phase)phase);
    if (on ? cursor->position + 1 >= cursor->warp.steps : cursor->position == 0)
        return false;
    cursor->phase_kept = on ? PHASE_BEFORE : PHASE_AFTER;
    return cursor_go(cursor, &cursor->warp, cursor->position + (on ? 1 : -1), err);
}

bool cursor_at_end(const struct cursor *cursor) {
    return cursor->position + 1 >= cursor->warp.steps &&
           cursor_next_phase(cursor, cursor->phase, 1) < 0;
}

/* ---- warps ---- */

/* The position of a warp relative to the wanted one: -1 before it, 0 at it, 1 after it. */
static int compare_warp(const struct trace_warp *a, uint32_t launch, uint64_t block,
                        uint32_t warp) {
    if (a->launch != launch)
        return a->launch < launch ? -1 : 1;
    if (a->block != block)
        return a->block < block ? -1 : 1;
    return a->warp < warp ? -1 : a->warp > warp;
}

bool cursor_find_warp(const struct trace *trace, uint32_t launch, uint64_t block, uint32_t warp,
                      struct trace_warp *found) {
    uint64_t low = 0, high = trace_warp_count(trace);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (!trace_warp(trace, middle, found))
            return false;
        int where = compare_warp(found, launch, block, warp);
        if (where == 0)
            return true;
        if (where < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool same_block(const struct trace_warp *a, const struct trace_warp *b) {
    return a->launch == b->launch && a->block == b->block;
}

/* The warp before or after `warp` in the recording's list. */
static bool next_warp(const struct trace *trace, int direction, struct trace_warp *warp) {
    if (direction < 0 && warp->index == 0)
        return false;
    return trace_warp(trace, direction < 0 ? warp->index - 1 : warp->index + 1, warp);
}

bool cursor_find_block(const struct trace *trace, const struct trace_warp *from, int direction,
                       struct trace_warp *found) {
    struct trace_warp warp = *from;
    while (same_block(&warp, from))
        if (!next_warp(trace, direction, &warp))
            return false;
    /* Going down the list enters a block at its last warp, going up at its first. */
    *found = warp;
    while (found->warp != from->warp && next_warp(trace, direction, &warp) &&
           same_block(&warp, found) &&
           (direction > 0 ? warp.warp <= from->warp : warp.warp >= from->warp))
        *found = warp;
    return true;
}

const struct trace_lines *cursor_lines(const struct cursor *cursor) {
    const struct trace_warp *warp = &cursor->warp;
    return trace_has_lines(cursor->trace)
               ? trace_lines_of(cursor->trace, warp->launch, warp->block, warp->warp)
               : NULL;
}

bool cursor_list_warps(struct cursor *cursor) {
    if (!cursor->listing)
        return false;
    uint64_t number = trace_warp_step(cursor->trace, &cursor->warp, cursor->position), position;
    struct trace_warp warp;
    if (trace_warps_list(cursor->trace, LIST_STEPS))
        return false;
    cursor->listing = false;
    if (trace_warp_of_step(cursor->trace, number, &warp, &position)) {
        cursor->warp = warp;
        cursor->position = position;
    }
    return true;
}
