/*
 * miscounts.c - looks for elements that results contain twice, or that no result contains.
 *
 * Every node of the graph gets four sets of elements, 64 elements at a time: those that it depends
 * on, those that it adds or subtracts, and those that it adds at least twice. A node depends only
 * on earlier ones, so one pass over the nodes makes the sets. An element is first counted twice at
 * the node that has it twice while neither of its operands does (twice.c). An element is lost if a
 * lane read it and no result depends on it; the lane's later values show where (lost.c).
 */
#include "explain/miscounts/search.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The limit on passes times nodes; more would take noticeable time. */
#define WORK_MOST (UINT64_C(12) << 20)

/* A result is examined if it combines at least this many elements, or contains one twice. */
#define COMBINED_LEAST 4

/* ---- the parts of the recording ---- */

/* The nodes of the launch. */
static void find_range(struct search *s) {
    s->end_node = s->node_count;
    for (size_t i = 0; i < s->origins->array_count; i++) {
        const struct trace_origin_array *array = &s->origins->arrays[i];
        if (array->launch < s->launch && array->nodes > s->first_node)
            s->first_node = array->nodes;
        if (array->launch == s->launch)
            s->end_node = array->nodes;
    }
}

static void find_results(struct search *s, uint32_t array, uint64_t index) {
    const struct trace_origins *origins = s->origins;
    s->results = memory_zeroed(origins->element_count + 1, sizeof *s->results);
    s->is_asked = memory_zeroed(origins->element_count + 1, 1);
    s->combined = memory_zeroed(origins->element_count + 1, 1);
    s->has_twice = memory_zeroed(origins->element_count + 1, 1);
    for (size_t i = 0; i < origins->element_count; i++) {
        const struct trace_origin_element *element = &origins->elements[i];
        if (element->launch != s->launch)
            continue;
        s->is_asked[s->result_count] = (array == UINT32_MAX || element->array == array) &&
                                       (index == UINT64_MAX || element->index == index);
        s->results[s->result_count++] = element;
    }
}

/* Marks all nodes that the marked nodes depend on. */
static void mark_sources(const struct search *s, unsigned char *marks) {
    for (size_t n = s->node_count; n-- > TRACE_ORIGIN_SUM;) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (!marks[n] || node->kind < TRACE_ORIGIN_SUM)
            continue;
        marks[node->a] = 1;
        if (has_second(node))
            marks[node->b] = 1;
    }
}

static int compare_elements(const void *a, const void *b) {
    const struct element *x = a, *y = b;
    return (x->index > y->index) - (x->index < y->index);
}

/* The array that has the most elements on which results depend. False if there is none. */
static bool find_array(struct search *s, const unsigned char *in_results) {
    size_t *count = memory_zeroed(s->origins->text_count + 1, sizeof *count), most = 0;
    for (size_t n = 0; n < s->node_count; n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (node->kind != TRACE_ORIGIN_ELEMENT || !in_results[n] || ++count[node->a] <= most)
            continue;
        most = count[node->a];
        s->array = node->a;
    }
    free(count);
    return most > 0;
}

/* The elements of that array that the launch has read. */
static void find_elements(struct search *s, const unsigned char *is_read) {
    size_t room = 0;
    for (size_t n = 0; n < s->node_count; n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        if (node->kind != TRACE_ORIGIN_ELEMENT || node->a != s->array || !is_read[n])
            continue;
        s->elements = memory_room(s->elements, s->element_count, &room, sizeof *s->elements);
        s->elements[s->element_count++] = (struct element){node->extra, (uint32_t)n};
    }
    if (s->element_count)
        qsort(s->elements, s->element_count, sizeof *s->elements, compare_elements);
    for (size_t i = 0; i < s->element_count; i++)
        s->slot[s->elements[i].node] = (uint32_t)i + 1;
}

static bool find_input(struct search *s) {
    unsigned char *marks = memory_zeroed(s->node_count + 1, 1);
    for (size_t i = 0; i < s->result_count; i++)
        marks[s->results[i]->node] = 1;
    mark_sources(s, marks);
    const bool has = find_array(s, marks);
    for (size_t i = 0; i < s->origins->value_count; i++)
        if (s->origins->values[i].launch == s->launch)
            marks[s->origins->values[i].node] = 1;
    for (size_t n = s->first_node; n < s->end_node; n++)
        if (node_at(s, (uint32_t)n)->kind == TRACE_ORIGIN_CELL)
            marks[n] = 1;
    mark_sources(s, marks);
    if (has)
        find_elements(s, marks);
    free(marks);
    const uint64_t batches = s->node_count ? WORK_MOST / s->node_count : 0;
    s->examined = s->element_count;
    if (s->examined > batches * BATCH)
        s->examined = (size_t)(batches * BATCH);
    return has && s->examined > 0;
}

/* Finds the lanes of the nodes that variables hold, and of the nodes that those depend on. */
static void find_lanes(struct search *s) {
    for (size_t i = 0; i < s->origins->value_count; i++) {
        const struct trace_origin_value *value = &s->origins->values[i];
        if (value->launch != s->launch)
            continue;
        if (!s->computed[value->node].value)
            s->computed[value->node] = (struct computed){(uint32_t)i + 1, (int)value->lane};
    }
    for (size_t n = s->node_count; n-- > TRACE_ORIGIN_SUM;) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        struct computed by = s->computed[n];
        if (!by.value || node->kind < TRACE_ORIGIN_SUM || node->kind == TRACE_ORIGIN_CELL)
            continue;
        if (node->kind == TRACE_ORIGIN_MOVED)
            by.lane = (int)(node->b & 255) % WARP_LANES;
        if (!s->computed[node->a].value)
            s->computed[node->a] = by;
        if (has_second(node) && !s->computed[node->b].value)
            s->computed[node->b] = by;
    }
}

/* ---- sets ---- */

static struct sets sum_of(const struct sets *a, const struct sets *b) {
    return (struct sets){.any = a->any | b->any,
                         .added = a->added | b->added,
                         .minus = a->minus | b->minus,
                         .twice =
                             a->twice | b->twice | (a->added & b->added) | (a->minus & b->minus)};
}

static struct sets negated(struct sets of) {
    const uint64_t added = of.added;
    of.added = of.minus;
    of.minus = added;
    return of;
}

static struct sets sets_of(const struct search *s, const struct trace_origin *node) {
    const struct sets *a = &s->sets[node->a];
    const struct sets *b = has_second(node) ? &s->sets[node->b] : NULL;
    struct sets sets = *a;
    double factor;
    switch (node->kind) {
    case TRACE_ORIGIN_SUM:
        return sum_of(a, b);
    case TRACE_ORIGIN_DIFFERENCE:
        sets = negated(*b);
        return sum_of(a, &sets);
    case TRACE_ORIGIN_SCALED:
        memcpy(&factor, &node->extra, sizeof factor);
        sets = factor < 0 ? negated(*a) : *a;
        sets.any |= b->any;
        return sets;
    case TRACE_ORIGIN_CHOSEN:
        sets.any |= b->any;
        return sets;
    case TRACE_ORIGIN_DEPENDS:
        return (struct sets){.any = a->any | b->any};
    default:
        return sets;
    }
}

void search_sets(struct search *s, size_t first) {
    s->first = first;
    for (size_t n = 0; n < s->node_count; n++) {
        const struct trace_origin *node = node_at(s, (uint32_t)n);
        const size_t at = s->slot[n] ? s->slot[n] - 1 - first : BATCH;
        s->sets[n] = (struct sets){0};
        if (node->kind >= TRACE_ORIGIN_SUM)
            s->sets[n] = sets_of(s, node);
        else if (s->slot[n] > first && at < BATCH)
            s->sets[n].any = s->sets[n].added = UINT64_C(1) << at;
    }
}

static size_t batch_size(const struct search *s) {
    const size_t left = s->examined - s->first;
    return left < BATCH ? left : BATCH;
}

static unsigned char least(int sum) {
    return (unsigned char)(sum < 255 ? sum : 255);
}

/* Before the other passes: finds the results that combine elements, and the elements that are
 * lost. */
static void survey(struct search *s) {
    for (size_t first = 0; first < s->examined; first += BATCH) {
        uint64_t kept = 0;
        search_sets(s, first);
        for (size_t i = 0; i < s->result_count; i++) {
            const struct sets *sets = &s->sets[s->results[i]->node];
            kept |= sets->any;
            s->combined[i] = least(s->combined[i] + __builtin_popcountll(sets->any));
            s->has_twice[i] |= (sets->twice | sets->minus) != 0;
        }
        const size_t count = batch_size(s);
        s->lost[first / BATCH] = ~kept & (count < BATCH ? (UINT64_C(1) << count) - 1 : UINT64_MAX);
    }
}

/* ---- what is found ---- */

void miscount_describe(const struct search *s, struct miscount *m, const struct computed *by) {
    const struct trace_launch *launch = trace_launch(s->trace, s->launch);
    m->has_warps = launch && (trace_block_threads(launch) > WARP_LANES ||
                              launch->grid[0] * launch->grid[1] * launch->grid[2] > 1);
    m->result = s->result->array;
    m->result_index = s->result->index;
    m->lane = by && by->value ? by->lane : -1;
    if (by && by->value) {
        m->block = s->origins->values[by->value - 1].block;
        m->warp = s->origins->values[by->value - 1].warp;
        m->lanes = UINT32_C(1) << by->lane;
    }
    m->is_partial = s->examined < s->element_count;
}

struct miscount *miscount_find_or_add(struct search *s, const struct miscount *like) {
    struct miscounts *found = s->found;
    for (size_t i = 0; i < found->count; i++) {
        struct miscount *m = &found->item[i];
        if (m->kind == like->kind && m->line == like->line && m->other_line == like->other_line &&
            m->cell == like->cell && m->array == like->array)
            return m;
    }
    found->item = memory_room(found->item, found->count, &s->room, sizeof *found->item);
    found->item[found->count] = *like;
    return &found->item[found->count++];
}

void miscount_add(struct miscount *m, uint64_t index) {
    size_t at = m->count;
    while (at > 0 && m->elements[at - 1] > index)
        at--;
    if (at > 0 && m->elements[at - 1] == index)
        return;
    m->elements = memory_grow(m->elements, m->count + 1, sizeof *m->elements);
    memmove(&m->elements[at + 1], &m->elements[at], (m->count++ - at) * sizeof *m->elements);
    m->elements[at] = index;
}

struct miscount *miscount_report(struct search *s, const struct miscount *like, uint64_t index) {
    struct miscount *m = miscount_find_or_add(s, like);
    const bool is_first = !m->count || index < m->elements[0];
    const uint32_t lanes = m->warp == like->warp && m->block == like->block ? m->lanes : 0;
    if (is_first) {
        m->block = like->block;
        m->warp = like->warp;
        m->lane = like->lane;
        m->from = like->from;
        m->lanes = like->lanes;
    }
    if (lanes)
        m->lanes |= lanes | like->lanes;
    miscount_add(m, index);
    return m;
}

bool search_in_launch(const struct search *s, size_t node) {
    return node >= s->first_node && node < s->end_node;
}

/* The source line of an entry among a warp's lines; 0 if it is not known. */
uint32_t search_line(const struct search *s, const struct trace_origin_value *value) {
    const struct trace_lines *lines =
        trace_lines_of(s->trace, value->launch, value->block, value->warp);
    if (!lines || value->line >= lines->count)
        return 0;
    const struct trace_line *line = &lines->lines[value->line];
    return trace_function(s->trace, line->function)->lines[line->line];
}

/* ---- one result after the other ---- */

/* Starts on the next result: finds its terms, and the nodes on the way to it. */
void search_begin_result(struct search *s, const struct trace_origin_element *result) {
    origins_terms_release(&s->terms);
    s->result = result;
    origins_collect(s->origins, result->node, &s->terms);
    memset(s->on, 0, s->node_count);
    s->on[result->node] = 1;
    mark_sources(s, s->on);
}

static bool is_undefined(const struct search *s) {
    for (size_t i = 0; i < s->terms.count; i++) {
        const enum trace_origin_kind kind = s->terms.terms[i].leaf->kind;
        if (!s->terms.terms[i].is_uncounted &&
            (kind == TRACE_ORIGIN_UNSET || kind == TRACE_ORIGIN_UNSET_CELL ||
             kind == TRACE_ORIGIN_UNSET_LANE))
            return true;
    }
    return false;
}

bool search_wants(const struct search *s, size_t result) {
    return s->is_asked[result] && (s->combined[result] >= COMBINED_LEAST || s->has_twice[result]);
}

/* Only the first results that may have a miscount are examined: each takes a pass. */
#define RESULTS_MOST 64

/* The first result that has elements twice or with a minus, or has something undefined in it. */
static void report_first_result(struct search *s) {
    size_t looked = 0;
    for (size_t i = 0; i < s->result_count && looked < RESULTS_MOST && !s->found->count; i++) {
        if (!search_wants(s, i))
            continue;
        looked++;
        search_begin_result(s, s->results[i]);
        if (is_undefined(s))
            search_undefined(s);
        const bool mixed = s->has_twice[i] && search_is_mixed(s);
        for (size_t first = 0; s->has_twice[i] && first < s->examined; first += BATCH) {
            search_sets(s, first);
            search_twice(s, mixed);
        }
    }
}

static int compare_kinds(const void *a, const void *b) {
    const struct miscount *x = a, *y = b;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind
                              : (x->line > y->line) - (x->line < y->line);
}

void miscounts_find(const struct trace *trace, uint32_t launch, uint32_t array, uint64_t index,
                    struct miscounts *found) {
    struct search s = {
        .trace = trace, .origins = trace_origins_of(trace), .launch = launch, .found = found};
    *found = (struct miscounts){0};
    if (!s.origins || trace_note(trace, TRACE_NOTE_ORIGINS_CUT))
        return;
    s.node_count = s.origins->node_count;
    s.sets = memory_zeroed(s.node_count + 1, sizeof *s.sets);
    s.computed = memory_zeroed(s.node_count + 1, sizeof *s.computed);
    s.on = memory_zeroed(s.node_count + 1, 1);
    s.slot = memory_zeroed(s.node_count + 1, sizeof *s.slot);
    find_range(&s);
    find_results(&s, array, index);
    if (find_input(&s)) {
        s.lost = memory_zeroed(s.examined / BATCH + 1, sizeof *s.lost);
        find_lanes(&s);
        survey(&s);
        report_first_result(&s);
        search_lost(&s);
        search_tail(&s);
    }
    if (found->count)
        qsort(found->item, found->count, sizeof *found->item, compare_kinds);
    origins_terms_release(&s.terms);
    free(s.sets);
    free(s.computed);
    free(s.on);
    free(s.slot);
    free(s.elements);
    free(s.results);
    free(s.is_asked);
    free(s.combined);
    free(s.has_twice);
    free(s.lost);
}

void miscounts_release(struct miscounts *found) {
    for (size_t i = 0; i < found->count; i++)
        free(found->item[i].elements);
    free(found->item);
    *found = (struct miscounts){0};
}
