/* twice.c - elements that a result has twice or with a minus, and undefined parts of a result. */
#include "explain/miscounts/search.h"

#include "base/memory.h"

#include <math.h>

/* ---- elements that a result has twice ---- */

/* A lane that has read an element. */
struct reading {
    bool is_known;
    uint64_t block;
    uint32_t warp, line;
    int lane;
};

static struct reading reading_of(const struct search *s, uint32_t reader, uint32_t element) {
    const struct computed *by = &s->computed[reader];
    const struct trace_origin *node = node_at(s, reader);
    struct reading reading = {.line = node->line, .lane = by->lane};
    if (!by->value)
        return reading;
    reading.is_known = true;
    reading.block = s->origins->values[by->value - 1].block;
    reading.warp = s->origins->values[by->value - 1].warp;
    if (node->kind == TRACE_ORIGIN_MOVED)
        reading.lane = (int)(node->b & 255) % WARP_LANES;
    for (size_t i = 0; i < s->origins->value_count; i++) {
        const struct trace_origin_value *value = &s->origins->values[i];
        if (value->node != element || value->launch != s->launch || value->block != reading.block ||
            value->warp != reading.warp || (int)value->lane != reading.lane)
            continue;
        reading.line = search_line(s, value);
        break;
    }
    return reading;
}

static bool is_same_lane(const struct reading *a, const struct reading *b) {
    return a->block == b->block && a->warp == b->warp && a->lane == b->lane;
}

/* The first two lanes that read an element, of those on the way to the result. */
static bool find_readings(const struct search *s, uint32_t element, struct reading reading[2]) {
    size_t count = 0;
    for (size_t n = element + 1; n < s->node_count && count < 2; n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (!s->on[n] || node->kind < TRACE_ORIGIN_SUM ||
            (node->a != element && !(is_sum(node) && node->b == element)))
            continue;
        reading[count] = reading_of(s, (uint32_t)n, element);
        if (reading[count].is_known && (count == 0 || !is_same_lane(&reading[0], &reading[1])))
            count++;
    }
    return count == 2;
}

const struct trace_origin *search_move(const struct search *s, uint32_t operand) {
    const struct trace_origin *node = node_at(s, operand);
    while (node->kind == TRACE_ORIGIN_CHOSEN || node->kind == TRACE_ORIGIN_FLOATED ||
           node->kind == TRACE_ORIGIN_SCALED)
        node = node_at(s, node->a);
    return node->kind == TRACE_ORIGIN_MOVED ? node : NULL;
}

static void report_twice(struct search *s, uint32_t sum, uint64_t index, uint32_t element) {
    const struct trace_origin *node = node_at(s, sum);
    const struct trace_origin *move = search_move(s, node->b);
    struct miscount m = {.kind = MISCOUNT_TWICE, .line = node->line, .from = -1};
    struct reading reading[2];
    miscount_describe(s, &m, &s->computed[sum]);
    m.array = s->array;
    move = move ? move : search_move(s, node->a);
    if (find_readings(s, element, reading)) {
        const bool swapped = reading[1].line < reading[0].line;
        const struct reading *first = &reading[swapped], *second = &reading[!swapped];
        m.kind = MISCOUNT_READ_TWICE;
        m.line = second->line;
        m.other_line = first->line;
        m.block = second->block;
        m.warp = second->warp;
        m.lane = second->lane;
        m.from = first->lane;
        m.lanes = UINT32_C(1) << second->lane;
    } else if (move) {
        m.from = (int)(move->b & 255) % WARP_LANES;
        m.kind = m.from == (int)(move->b >> 8) % WARP_LANES ? MISCOUNT_OWN : MISCOUNT_TWICE;
        m.other_line = move->line;
    }
    if (m.line)
        miscount_report(s, &m, index);
}

/* How many times the result has an element. */
static double count_in_result(const struct search *s, uint64_t index) {
    for (size_t i = 0; i < s->terms.count; i++) {
        const struct origin_term *term = &s->terms.terms[i];
        if (!term->is_uncounted && term->leaf->kind == TRACE_ORIGIN_ELEMENT &&
            term->leaf->a == s->array && term->leaf->extra == index)
            return term->count;
    }
    return 0;
}

static void report_subtracted(struct search *s, uint32_t at, uint64_t index) {
    struct miscount m = {.kind = MISCOUNT_SUBTRACTED, .line = node_at(s, at)->line, .from = -1};
    miscount_describe(s, &m, &s->computed[at]);
    m.array = s->array;
    if (m.line)
        miscount_report(s, &m, index);
}

/* Reports elements of the batch that the result has twice, or with a minus, and the node at which
 * that begins. If all have a minus, the sum as a whole is subtracted from something. */
void search_twice(struct search *s, bool mixed) {
    const struct sets *of = &s->sets[s->result->node];
    uint64_t twice = of->twice, minus = mixed ? of->minus : 0;
    for (size_t n = TRACE_ORIGIN_SUM; n < s->node_count && (twice | minus); n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        const bool sums = is_sum(node);
        if (!s->on[n] || (!sums && node->kind != TRACE_ORIGIN_SCALED))
            continue;
        const struct sets *a = &s->sets[node->a], *b = &s->sets[node->b];
        uint64_t both = sums ? s->sets[n].twice & ~a->twice & ~b->twice & twice : 0;
        uint64_t negative = s->sets[n].minus & ~a->minus & ~(sums ? b->minus : 0) & minus;
        twice &= ~both;
        minus &= ~negative;
        for (; both; both &= both - 1) {
            const struct element *e = &s->elements[s->first + (size_t)__builtin_ctzll(both)];
            if (fabs(count_in_result(s, e->index)) >= 2)
                report_twice(s, (uint32_t)n, e->index, e->node);
        }
        for (; negative; negative &= negative - 1) {
            const struct element *e = &s->elements[s->first + (size_t)__builtin_ctzll(negative)];
            if (count_in_result(s, e->index) < 0)
                report_subtracted(s, (uint32_t)n, e->index);
        }
    }
}

/* True if some elements are added and others subtracted. */
bool search_is_mixed(const struct search *s) {
    bool added = false, minus = false;
    for (size_t i = 0; i < s->terms.count; i++) {
        const struct origin_term *term = &s->terms.terms[i];
        if (term->leaf->kind != TRACE_ORIGIN_ELEMENT || term->is_uncounted)
            continue;
        added = added || term->count > 0;
        minus = minus || term->count < 0;
    }
    return added && minus;
}

/* ---- undefined parts of a result ---- */

/* Adds the lost elements of the input that any variable of the lane ever depended on. */
static void add_lost_elements(struct search *s, struct miscount *m, int lane) {
    for (size_t first = 0; first < s->examined; first += BATCH) {
        uint64_t held = 0;
        if (!s->lost[first / BATCH])
            continue;
        search_sets(s, first);
        for (size_t i = 0; i < s->origins->value_count; i++) {
            const struct trace_origin_value *value = &s->origins->values[i];
            if (value->launch == s->launch && value->block == m->block && value->warp == m->warp &&
                (int)value->lane == lane)
                held |= s->sets[value->node].any;
        }
        held &= s->lost[first / BATCH];
        s->lost[first / BATCH] &= ~held;
        for (; held; held &= held - 1)
            miscount_add(m, s->elements[first + (size_t)__builtin_ctzll(held)].index);
    }
}

/* The last line that a lane ran, if the recording had at most `step` steps when that line ended;
 * else 0. */
static uint32_t exit_line(const struct search *s, const struct miscount *m, int lane,
                          uint64_t step) {
    const struct trace_lines *lines = trace_lines_of(s->trace, s->launch, m->block, m->warp);
    for (size_t i = lines ? lines->count : 0; i-- > 0;) {
        const struct trace_line *line = &lines->lines[i];
        if (line->lanes >> lane & 1)
            return line->step <= step ? trace_function(s->trace, line->function)->lines[line->line]
                                      : 0;
    }
    return 0;
}

static void report_absent(struct search *s, const struct trace_origin *node) {
    struct error err = ERROR_INIT;
    struct trace_step step;
    const int from = (int)node->b % WARP_LANES;
    struct miscount m = {.kind = MISCOUNT_ABSENT};
    if (trace_step(s->trace, node->extra, &step, &err) != 0)
        return;
    miscount_describe(s, &m, NULL);
    m.array = s->array;
    m.block = step.block;
    m.warp = step.warp;
    m.lane = (int)node->a % WARP_LANES;
    m.from = from;
    m.line = node->line;
    const uint32_t ended = exit_line(s, &m, from, node->extra);
    if (ended) {
        m.other_line = m.line;
        m.line = ended;
    }
    struct miscount *told = miscount_find_or_add(s, &m);
    told->lanes |= UINT32_C(1) << from;
    add_lost_elements(s, told, from);
}

/* A write to the cell, or else to another cell of its array. */
static void find_write(const struct search *s, struct miscount *m,
                       const struct trace_origin *cell) {
    for (size_t n = s->first_node; n < s->end_node; n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (node->kind != TRACE_ORIGIN_CELL || node->b != cell->a || !node->line ||
            (m->other_line && node->extra != cell->extra))
            continue;
        m->other_line = node->line;
        m->cell = node->b;
        m->at = node->extra;
        if (node->extra == cell->extra)
            return;
    }
}

/* Reports a cell or variable that was never set, and the node that reads it. */
static void report_unset(struct search *s, uint32_t leaf) {
    const struct trace_origin *node = node_at(s, leaf);
    for (size_t n = leaf + 1; n < s->node_count; n++) {
        const struct trace_origin *reader = node_at(s, (uint32_t)n);
        if (!s->on[n] || reader->kind < TRACE_ORIGIN_SUM || !reader->line ||
            (reader->a != leaf && !(has_second(reader) && reader->b == leaf)))
            continue;
        struct miscount m = {.kind = MISCOUNT_UNDEFINED, .line = reader->line, .from = -1};
        miscount_describe(s, &m, &s->computed[n]);
        m.array = node->a;
        if (node->kind == TRACE_ORIGIN_UNSET_CELL)
            find_write(s, &m, node);
        struct miscount *told = miscount_find_or_add(s, &m);
        if (node->kind == TRACE_ORIGIN_UNSET_CELL)
            miscount_add(told, node->extra);
        return;
    }
}

void search_undefined(struct search *s) {
    for (size_t i = 0; i < s->terms.count; i++) {
        const struct trace_origin *leaf = s->terms.terms[i].leaf;
        if (leaf->kind == TRACE_ORIGIN_UNSET_LANE)
            report_absent(s, leaf);
        else if (leaf->kind == TRACE_ORIGIN_UNSET || leaf->kind == TRACE_ORIGIN_UNSET_CELL)
            report_unset(s, (uint32_t)(leaf - s->origins->nodes));
    }
}
