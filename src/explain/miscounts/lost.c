/* lost.c - elements that lanes read but no result has, and the end of an array that no lane
 * reads. */
#include "explain/miscounts/search.h"

#include "base/memory.h"

#include <stdlib.h>

/* ---- elements that no result has ---- */

/* Reports that a variable in the result's lane had an element, and was then set to a value without
 * it; false if none was. `at` is the element's bit. */
static bool report_overwritten(struct search *s, uint64_t at, uint64_t index,
                               const struct computed *by) {
    const struct trace_origins *origins = s->origins;
    const struct trace_origin_value *was = NULL, *replaced = NULL;
    for (size_t i = 0; by->value && i < origins->value_count; i++) {
        const struct trace_origin_value *value = &origins->values[i];
        const struct trace_origin_value *of = &origins->values[by->value - 1];
        if (value->launch != s->launch || value->block != of->block || value->warp != of->warp ||
            (int)value->lane != by->lane)
            continue;
        if (s->sets[value->node].any & at) {
            was = value;
            replaced = NULL;
        } else if (was && was->variable == value->variable && s->on[value->node]) {
            replaced = value;
        }
    }
    if (!replaced)
        return false;
    const struct trace_origin *move = search_move(s, replaced->node);
    struct miscount m = {
        .kind = MISCOUNT_OVERWRITTEN, .line = search_line(s, replaced), .from = -1};
    miscount_describe(s, &m, by);
    m.array = s->array;
    m.from = move ? (int)(move->b & 255) % WARP_LANES : -1;
    if (m.line)
        miscount_report(s, &m, index);
    return m.line != 0;
}

/* How often the lane ran the line, and the first line of the innermost loop around it: the smallest
 * line number between two of its runs. If the line ran once, the loop begins at the line that ran
 * just before it, provided that the lane returned to that line. */
static void find_loop(const struct search *s, struct miscount *m) {
    const struct trace_lines *lines = trace_lines_of(s->trace, s->launch, m->block, m->warp);
    const int lane = m->lane < 0 ? 0 : m->lane;
    uint32_t header = 0, least = UINT32_MAX, before = 0, last = 0;
    bool comes_back = false;
    for (size_t i = 0; lines && i < lines->count; i++) {
        const struct trace_line *line = &lines->lines[i];
        const uint32_t number = trace_function(s->trace, line->function)->lines[line->line];
        if (!(line->lanes >> lane & 1))
            continue;
        if (number == m->line) {
            before = m->rounds ? before : last;
            header = m->rounds++ && least < number && least > header ? least : header;
            least = UINT32_MAX;
        } else {
            least = number < least ? number : least;
            comes_back = comes_back || (m->rounds && number == before);
        }
        last = number;
    }
    m->loop = m->rounds > 1 ? header : comes_back && before < m->line ? before : 0;
}

/* The last node on the way that reads a cell of an array in shared memory, preferably a sum; 0 if
 * there is none. */
static uint32_t last_reader(const struct search *s, uint32_t array) {
    uint32_t other = 0;
    for (size_t n = s->node_count; n-- > TRACE_ORIGIN_SUM;) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (!s->on[n] || node->kind < TRACE_ORIGIN_SUM || !node->line)
            continue;
        const struct trace_origin *a = node_at(s, node->a);
        const struct trace_origin *b = has_second(node) ? node_at(s, node->b) : a;
        if ((a->kind == TRACE_ORIGIN_CELL && a->b == array) ||
            (b->kind == TRACE_ORIGIN_CELL && b->b == array)) {
            if (is_sum(node))
                return (uint32_t)n;
            other = other ? other : (uint32_t)n;
        }
    }
    return other;
}

/* True if a lane has read the cell, into a variable or to compute with it. */
static bool is_read(const struct search *s, uint32_t cell) {
    for (size_t i = 0; i < s->origins->value_count; i++)
        if (s->origins->values[i].node == cell)
            return true;
    for (size_t n = cell + 1; n < s->end_node; n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (node->kind >= TRACE_ORIGIN_SUM &&
            (node->a == cell || (has_second(node) && node->b == cell)))
            return true;
    }
    return false;
}

/* Reports that the element is in a cell of shared memory that no lane has read; false if it is in
 * no such cell. */
static bool report_unread_cell(struct search *s, uint64_t at, uint64_t index) {
    for (size_t n = s->node_count; n-- > TRACE_ORIGIN_SUM;) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (node->kind != TRACE_ORIGIN_CELL || s->on[n] || !(s->sets[n].any & at) || !node->line ||
            !search_in_launch(s, n) || is_read(s, (uint32_t)n))
            continue;
        struct miscount m = {.kind = MISCOUNT_UNREAD_CELL, .line = node->line, .from = -1};
        const uint32_t reader = last_reader(s, node->b);
        miscount_describe(s, &m, reader ? &s->computed[reader] : &s->computed[node->a]);
        if (reader) {
            m.line = node_at(s, reader)->line;
            m.other_line = node->line;
        }
        m.array = s->array;
        m.cell = node->b;
        m.at = node->extra;
        struct miscount *told = miscount_report(s, &m, index);
        if (!told->rounds)
            find_loop(s, told);
        return true;
    }
    return false;
}

static bool is_in_warp(const struct search *s, size_t node, const struct trace_origin_value *of) {
    const struct computed *by = &s->computed[node];
    const struct trace_origin_value *value = by->value ? &s->origins->values[by->value - 1] : NULL;
    return value && value->block == of->block && value->warp == of->warp;
}

/* The last move in a warp that has the element or, if `at` is 0, is on the way to the result; if
 * `line` is not 0, only moves of that line count. NULL if there is none. */
static const struct trace_origin *last_move(const struct search *s, uint64_t at, uint32_t line,
                                            const struct trace_origin_value *warp) {
    const struct trace_origin *last = NULL;
    for (size_t n = TRACE_ORIGIN_SUM; n < s->node_count; n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        const bool fits = at ? s->sets[n].any & at : s->on[n];
        if (fits && node->kind == TRACE_ORIGIN_MOVED && node->line && search_in_launch(s, n) &&
            (!line || node->line == line) && (!warp || is_in_warp(s, n, warp)) &&
            (!last || node->extra >= last->extra))
            last = node;
    }
    return last;
}

/* The lanes of a warp in which a variable has an element at the end. */
static uint32_t holders(const struct search *s, uint64_t at, const struct miscount *m) {
    const size_t variables = trace_variable_count(s->trace);
    uint64_t *last = memory_zeroed(variables * WARP_LANES + 1, sizeof *last);
    uint32_t lanes = 0;
    for (size_t i = 0; i < s->origins->value_count; i++) {
        const struct trace_origin_value *value = &s->origins->values[i];
        if (value->launch == s->launch && value->block == m->block && value->warp == m->warp)
            last[value->variable * WARP_LANES + value->lane] = s->sets[value->node].any;
    }
    for (size_t i = 0; i < variables * WARP_LANES; i++)
        lanes |= last[i] & at ? UINT32_C(1) << i % WARP_LANES : 0;
    free(last);
    return lanes;
}

/* The line of the last write to shared memory on the way to the result; 0 if there is none. */
static uint32_t last_write(const struct search *s) {
    for (size_t n = s->node_count; n-- > TRACE_ORIGIN_SUM;)
        if (s->on[n] && node_at(s, (uint32_t)n)->kind == TRACE_ORIGIN_CELL)
            return node_at(s, (uint32_t)n)->line;
    return 0;
}

/* Reports the last line that moved the element, and the lane that got this line's last value on the
 * way to the result. If there is none, reports the last line that moved any value on the way, and
 * the lane of the result. */
static void report_stayed(struct search *s, uint64_t at, uint64_t index, const struct computed *by,
                          const struct trace_origin_value *holder) {
    const struct trace_origin *move = last_move(s, at, 0, holder);
    const struct trace_origin *to = move ? last_move(s, 0, move->line, holder) : NULL;
    struct miscount m = {.kind = MISCOUNT_STAYED, .from = -1};
    miscount_describe(s, &m, by);
    move = to ? move : last_move(s, 0, 0, NULL);
    if (!move)
        return;
    if (to) {
        m.lane = (int)(to->b >> 8) % WARP_LANES;
        m.block = holder->block;
        m.warp = holder->warp;
    }
    m.array = s->array;
    m.line = move->line;
    m.lanes = holders(s, at, &m);
    if (m.lane >= 0 && m.lanes >> m.lane & 1) {
        const uint32_t write = last_write(s);
        m.kind = MISCOUNT_EARLY;
        m.line = write ? write : m.line;
    }
    struct miscount *told = miscount_report(s, &m, index);
    if (!told->rounds)
        find_loop(s, told);
}

/* The last value of the launch that has the element; NULL if none has. */
static const struct trace_origin_value *holder_of(const struct search *s, uint64_t at) {
    for (size_t i = s->origins->value_count; i-- > 0;) {
        const struct trace_origin_value *value = &s->origins->values[i];
        if (value->launch == s->launch && s->sets[value->node].any & at)
            return value;
    }
    return NULL;
}

/* The lane that computed a result, or wrote into the cell of which the result is a copy. */
static struct computed lane_of(const struct search *s, uint32_t node) {
    while (!s->computed[node].value && node_at(s, node)->kind >= TRACE_ORIGIN_SUM)
        node = node_at(s, node)->a;
    return s->computed[node];
}

/* A result to which lost elements might have been added: one of the holder's block or, if no
 * variable ever held them and the launch has one block, any. */
static bool select_block_result(struct search *s, const struct trace_origin_value *holder) {
    const struct trace_launch *launch = trace_launch(s->trace, s->launch);
    if (!holder && (!launch || launch->grid[0] * launch->grid[1] * launch->grid[2] > 1))
        return false;
    for (size_t i = 0; i < s->result_count; i++) {
        const struct computed by = lane_of(s, s->results[i]->node);
        if (!search_wants(s, i) ||
            (holder && (!by.value || s->origins->values[by.value - 1].block != holder->block)))
            continue;
        if (s->result != s->results[i])
            search_begin_result(s, s->results[i]);
        return true;
    }
    return false;
}

void search_lost(struct search *s) {
    for (size_t first = 0; first < s->examined; first += BATCH) {
        uint64_t lost = s->lost[first / BATCH];
        if (lost)
            search_sets(s, first);
        for (; lost; lost &= lost - 1) {
            const uint64_t at = lost & -lost,
                           index = s->elements[first + (size_t)__builtin_ctzll(lost)].index;
            const struct trace_origin_value *holder = holder_of(s, at);
            if (!select_block_result(s, holder))
                continue;
            const struct computed by = lane_of(s, s->result->node);
            if (!report_overwritten(s, at, index, &by) && !report_unread_cell(s, at, index) &&
                holder)
                report_stayed(s, at, index, &by, holder);
        }
    }
}

/* The line that read an element. */
static uint32_t reading_line(const struct search *s, uint32_t element) {
    for (size_t i = 0; i < s->origins->value_count; i++)
        if (s->origins->values[i].node == element && s->origins->values[i].launch == s->launch)
            return search_line(s, &s->origins->values[i]);
    for (size_t n = element + 1; n < s->node_count; n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (s->on[n] && node->line && node->kind >= TRACE_ORIGIN_SUM &&
            (node->a == element || (has_second(node) && node->b == element)))
            return node->line;
    }
    return 0;
}

static uint64_t size_of_array(const struct search *s) {
    uint64_t size = 0;
    for (size_t i = 0; i < s->origins->array_count; i++) {
        const struct trace_origin_array *array = &s->origins->arrays[i];
        if (array->launch == s->launch && array->array == s->array)
            size = array->count;
    }
    return size;
}

/* Elements after all those that any launch read. If more are left than were read, they are not a
 * tail: the array is larger than what the kernel is meant for. */
void search_tail(struct search *s) {
    const uint64_t size = size_of_array(s);
    const struct element *last = &s->elements[s->element_count - 1];
    uint64_t end = last->index + 1;
    for (size_t n = 0; n < s->node_count; n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (node->kind == TRACE_ORIGIN_ELEMENT && node->a == s->array && node->extra >= end)
            end = node->extra + 1;
    }
    if (end >= size || size - end >= s->element_count)
        return;
    for (size_t i = 0; i < s->result_count; i++) {
        if (!search_wants(s, i))
            continue;
        search_begin_result(s, s->results[i]);
        struct miscount m = {
            .kind = MISCOUNT_TAIL, .from = -1, .line = reading_line(s, last->node)};
        miscount_describe(s, &m, &s->computed[last->node]);
        m.array = s->array;
        for (uint64_t e = end; m.line && e < size; e++)
            miscount_report(s, &m, e);
        return;
    }
}
