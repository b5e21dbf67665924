/*
 * Walks the recorded nodes from the value back to elements of the input, adds up the counts of
 * elements that it meets more than once, and says where equal data would hide a mistake.
 */
#include "explain/origins.h"

#include "base/memory.h"
#include "base/message.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the terms of a value ---- */

enum { COUNTED = 1, UNCOUNTED = 2 };

struct walk {
    const struct trace_origins *origins;
    double *count;
    unsigned char *reached;
};

static void reach(struct walk *walk, uint32_t node, unsigned how, double count) {
    walk->reached[node] |= (unsigned char)how;
    walk->count[node] += how & COUNTED ? count : 0;
}

static void propagate(struct walk *walk, uint32_t number) {
    const struct trace_origin *node = &walk->origins->nodes[number];
    const double count = walk->count[number];
    const unsigned how = walk->reached[number];
    double factor;
    switch (node->kind) {
    case TRACE_ORIGIN_SUM:
        reach(walk, node->a, how, count);
        reach(walk, node->b, how, count);
        break;
    case TRACE_ORIGIN_DIFFERENCE:
        reach(walk, node->a, how, count);
        reach(walk, node->b, how, -count);
        break;
    case TRACE_ORIGIN_SCALED:
        memcpy(&factor, &node->extra, sizeof factor);
        reach(walk, node->a, how, count * factor);
        reach(walk, node->b, UNCOUNTED, 0);
        break;
    case TRACE_ORIGIN_DEPENDS:
    case TRACE_ORIGIN_CHOSEN:
        reach(walk, node->a, UNCOUNTED, 0);
        reach(walk, node->b, UNCOUNTED, 0);
        break;
    case TRACE_ORIGIN_FLOATED:
    case TRACE_ORIGIN_MOVED:
    case TRACE_ORIGIN_CELL:
        reach(walk, node->a, how, count);
        break;
    default:
        break;
    }
}

static int compare_numbers(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int compare_lines(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_terms(const void *a, const void *b) {
    const struct origin_term *x = a, *y = b;
    const struct trace_origin *p = x->leaf, *q = y->leaf;
    if (x->is_uncounted != y->is_uncounted)
        return x->is_uncounted ? 1 : -1;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->extra > q->extra) - (p->extra < q->extra);
}

static void add_term(struct origin_terms *terms, size_t *room, const struct origin_term *term) {
    if (term->leaf->kind == TRACE_ORIGIN_CONSTANT) {
        terms->has_constant = true;
        return;
    }
    terms->terms = memory_room(terms->terms, terms->count, room, sizeof *terms->terms);
    terms->terms[terms->count++] = *term;
}

/* The operations that the value passed through. */
static void add_path(struct origin_terms *terms, const struct trace_origin *node) {
    if (node->kind == TRACE_ORIGIN_CELL)
        terms->through_shared = true;
    if (node->kind == TRACE_ORIGIN_MOVED && node->extra != UINT64_MAX) {
        terms->steps = memory_grow(terms->steps, terms->step_count + 1, sizeof *terms->steps);
        terms->steps[terms->step_count++] = node->extra;
        terms->moves = memory_grow(terms->moves, terms->move_count + 1, sizeof *terms->moves);
        terms->moves[terms->move_count++] = (struct origin_move){
            node->extra, (int)(node->b >> 8) % WARP_LANES, (int)(node->b & 255) % WARP_LANES};
    }
    if (node->line) {
        terms->lines = memory_grow(terms->lines, terms->line_count + 1, sizeof *terms->lines);
        terms->lines[terms->line_count++] = node->line;
    }
}

static void sort_path(struct origin_terms *terms) {
    size_t lines = 0, steps = 0;
    if (terms->line_count)
        qsort(terms->lines, terms->line_count, sizeof *terms->lines, compare_lines);
    if (terms->step_count)
        qsort(terms->steps, terms->step_count, sizeof *terms->steps, compare_numbers);
    for (size_t i = 0; i < terms->line_count; i++)
        if (lines == 0 || terms->lines[lines - 1] != terms->lines[i])
            terms->lines[lines++] = terms->lines[i];
    for (size_t i = 0; i < terms->step_count; i++)
        if (steps == 0 || terms->steps[steps - 1] != terms->steps[i])
            terms->steps[steps++] = terms->steps[i];
    terms->line_count = lines;
    terms->step_count = steps;
}

void origins_collect(const struct trace_origins *origins, uint32_t node,
                     struct origin_terms *terms) {
    struct walk walk = {.origins = origins};
    size_t room = 0;
    *terms = (struct origin_terms){0};
    if (node >= origins->node_count)
        return;
    walk.count = memory_zeroed(node + 1u, sizeof *walk.count);
    walk.reached = memory_zeroed(node + 1u, sizeof *walk.reached);
    reach(&walk, node, COUNTED, 1);
    for (uint32_t number = node + 1; number-- > TRACE_ORIGIN_CONSTANT;) {
        const struct trace_origin *at = &origins->nodes[number];
        const unsigned how = walk.reached[number];
        if (!how)
            continue;
        propagate(&walk, number);
        add_path(terms, at);
        if (at->kind >= TRACE_ORIGIN_SUM || (how == COUNTED && walk.count[number] == 0))
            continue; /* terms that cancel out are left out */
        add_term(terms, &room,
                 &(struct origin_term){at, walk.count[number], (how & UNCOUNTED) != 0});
    }
    free(walk.count);
    free(walk.reached);
    if (terms->count)
        qsort(terms->terms, terms->count, sizeof *terms->terms, compare_terms);
    if (terms->line_count + terms->step_count)
        sort_path(terms);
}

void origins_terms_release(struct origin_terms *terms) {
    free(terms->terms);
    free(terms->lines);
    free(terms->steps);
    free(terms->moves);
    *terms = (struct origin_terms){0};
}

/* ---- words ---- */

static void append_thread_index(struct text *text, const struct trace_origin *leaf) {
    static const char *const of[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    text_append_format(text, "%s.%c", of[leaf->a / 3], "xyz"[leaf->a % 3]);
}

static void append_leaf(struct text *text, const struct trace_origins *origins,
                        const struct trace_origin *leaf, uint64_t last) {
    const char *name = leaf->a < origins->text_count ? origins->texts[leaf->a] : "";
    switch (leaf->kind) {
    case TRACE_ORIGIN_ELEMENT:
    case TRACE_ORIGIN_UNSET_CELL:
        text_append_format(text, "%s[%" PRIu64, name, leaf->extra);
        if (last != leaf->extra)
            text_append_format(text, "..%" PRIu64, last);
        text_append_char(text, ']');
        if (leaf->kind == TRACE_ORIGIN_UNSET_CELL)
            text_append(text, _(" (undefined: it was never written)"));
        break;
    case TRACE_ORIGIN_INDEX:
        append_thread_index(text, leaf);
        break;
    case TRACE_ORIGIN_UNSET:
        text_append_format(text, _("%s before it was set (undefined)"), name);
        break;
    case TRACE_ORIGIN_UNSET_LANE:
        text_append_format(text, _("the undefined value that lane %u got from lane %u on line %u"),
                           (unsigned)leaf->a, (unsigned)leaf->b, (unsigned)leaf->line);
        break;
    case TRACE_ORIGIN_UNKNOWN:
        text_append_format(text, _("something that is not traced (%s)"), name);
        break;
    default:
        text_append(text, name);
    }
}

static void append_count(struct text *text, double count) {
    if (count == 1)
        return;
    if (count == 2)
        text_append(text, _(" twice"));
    else
        text_append_format(text, _(" %.9g times"), count);
}

/* The last of consecutive terms that differ by their index only. */
static size_t last_of_run(const struct origin_terms *terms, size_t first) {
    size_t last = first;
    while (last + 1 < terms->count) {
        const struct origin_term *a = &terms->terms[last], *b = &terms->terms[last + 1];
        const bool is_array =
            a->leaf->kind == TRACE_ORIGIN_ELEMENT || a->leaf->kind == TRACE_ORIGIN_UNSET_CELL;
        if (!is_array || b->leaf->kind != a->leaf->kind || b->leaf->a != a->leaf->a ||
            b->leaf->extra != a->leaf->extra + 1 || b->is_uncounted != a->is_uncounted ||
            (!a->is_uncounted && b->count != a->count))
            break;
        last++;
    }
    return last;
}

/* Appends the terms that are counted, or the others; false if there are none. */
static bool append_part(struct text *text, const struct trace_origins *origins,
                        const struct origin_terms *terms, bool uncounted) {
    bool has_one = false;
    for (size_t i = 0; i < terms->count; i++) {
        const size_t last = last_of_run(terms, i);
        const struct origin_term *term = &terms->terms[i];
        if (term->is_uncounted != uncounted)
            continue;
        text_append(text, has_one ? _(", ") : "");
        uint64_t index = terms->terms[last].leaf->extra;
        if (term->leaf->kind != TRACE_ORIGIN_ELEMENT && term->leaf->kind != TRACE_ORIGIN_UNSET_CELL)
            index = term->leaf->extra;
        append_leaf(text, origins, term->leaf, index);
        if (!uncounted)
            append_count(text, term->count);
        has_one = true;
        i = last;
    }
    return has_one;
}

void origins_append_terms(struct text *text, const struct trace_origins *origins,
                          const struct origin_terms *terms) {
    bool says = append_part(text, origins, terms, false), has_uncounted = false;
    for (size_t i = 0; i < terms->count; i++)
        has_uncounted = has_uncounted || terms->terms[i].is_uncounted;
    if (terms->has_constant || (!says && !has_uncounted)) {
        text_append(text, says ? _(" and a constant") : _("a constant"));
        says = true;
    }
    if (!has_uncounted)
        return;
    text_append(text, says ? _("; it also depends on ") : _("depends on "));
    append_part(text, origins, terms, true);
    text_append(text, _(" (count unknown)"));
}

/* ---- the matrix ---- */

static char term_cell(const struct origin_term *term) {
    const double count = term->count;
    if (term->is_uncounted)
        return '?';
    return count == floor(count) && count >= 1 && count <= 9 ? (char)('0' + (int)count)
           : count < 0                                       ? '-'
                                                             : '#';
}

char origins_cell(const struct origin_terms *terms, uint32_t array, uint64_t first, uint64_t last) {
    uint64_t found = 0;
    char cell = '.';
    for (size_t i = 0; i < terms->count; i++) {
        const struct origin_term *term = &terms->terms[i];
        if (term->leaf->kind != TRACE_ORIGIN_ELEMENT || term->leaf->a != array ||
            term->leaf->extra < first || term->leaf->extra > last)
            continue;
        const char one = term_cell(term);
        cell = found > 0 && one != cell ? '~' : one;
        found++;
    }
    return found > 0 && found <= last - first ? '~' : cell;
}

static bool is_from_array(const struct origin_term *term, uint32_t array) {
    return term->leaf->kind == TRACE_ORIGIN_ELEMENT && term->leaf->a == array;
}

static size_t count_of(const struct origin_terms *terms, size_t count, uint32_t array) {
    size_t found = 0;
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < terms[r].count; i++)
            found += is_from_array(&terms[r].terms[i], array);
    return found;
}

static void add_column(struct origin_columns *columns, uint64_t index) {
    columns->first = index < columns->first ? index : columns->first;
    columns->last = index > columns->last ? index : columns->last;
}

bool origins_columns(const struct origin_terms *terms, size_t count,
                     struct origin_columns *columns) {
    size_t most = 0;
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < terms[r].count; i++) { /* those of one array are consecutive */
            const struct trace_origin *leaf = terms[r].terms[i].leaf;
            if (leaf->kind != TRACE_ORIGIN_ELEMENT || (most && leaf->a == columns->array) ||
                (i > 0 && is_from_array(&terms[r].terms[i - 1], leaf->a)))
                continue;
            const size_t found = count_of(terms, count, leaf->a);
            if (found > most)
                *columns = (struct origin_columns){leaf->a, leaf->extra, leaf->extra};
            most = found > most ? found : most;
        }
    for (size_t r = 0; most && r < count; r++)
        for (size_t i = 0; i < terms[r].count; i++)
            if (is_from_array(&terms[r].terms[i], columns->array))
                add_column(columns, terms[r].terms[i].leaf->extra);
    return most > 0;
}

/* The largest number of elements that are searched for symmetric test data. */
#define SYMMETRIC_MOST 4096

/* The number of counted elements of one array, from term `first` on. */
static size_t elements_from(const struct origin_terms *terms, size_t first) {
    size_t count = 0;
    while (first + count < terms->count && !terms->terms[first + count].is_uncounted &&
           is_from_array(&terms->terms[first + count], terms->terms[first].leaf->a))
        count++;
    return count;
}

/* True if all elements hold the same value although they count unevenly: one does not count exactly
 * once, or one in between is missing. */
static bool hides_miscount(const struct origin_term *term, size_t count) {
    const uint32_t hash = term[0].leaf->b >> 1;
    bool is_uneven = false;
    for (size_t i = 0; i < count; i++) {
        if (!hash || term[i].leaf->b >> 1 != hash)
            return false;
        is_uneven = is_uneven || term[i].count != 1 ||
                    (i > 0 && term[i].leaf->extra != term[i - 1].leaf->extra + 1);
    }
    return count > 1 && is_uneven;
}

static uint64_t mix_hash(uint32_t hash) {
    const uint64_t mixed = (hash + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    return (mixed ^ mixed >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* The hashes of the values of `count` elements from `first` on; 0 if a value is not known. */
static uint32_t *values_from(const struct trace_origins *origins, uint32_t array, uint64_t first,
                             uint64_t count) {
    uint32_t *hash = memory_zeroed(count, sizeof *hash);
    for (size_t i = 0; i < origins->node_count; i++) {
        const struct trace_origin *node = &origins->nodes[i];
        if (node->kind == TRACE_ORIGIN_ELEMENT && node->a == array && node->extra - first < count)
            hash[node->extra - first] = node->b >> 1;
    }
    return hash;
}

/* How often the elements count in total; 0 unless each counts a whole number of times. */
static uint64_t sum_of_counts(const struct origin_term *term, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (term[i].count < 1 || term[i].count != floor(term[i].count))
            return 0;
        sum += term[i].count;
    }
    return sum > (double)count && sum <= SYMMETRIC_MOST ? (uint64_t)sum : 0;
}

/* Looks for a range of elements, as long as the total count, that includes the counted ones and has
 * the same sum because the values are the same. Returns the first element, UINT64_MAX if there is
 * none. */
static uint64_t equal_sum(const struct origin_term *term, size_t count, const uint32_t *hash,
                          uint64_t first, uint64_t all) {
    const uint64_t from = term[0].leaf->extra, to = term[count - 1].leaf->extra;
    uint64_t wanted = 0;
    for (size_t i = 0; i < count; i++)
        wanted += mix_hash(term[i].leaf->b >> 1) * (uint64_t)term[i].count;
    for (uint64_t start = first; start <= from; start++) {
        uint64_t sum = 0, i = 0;
        for (; i < all && hash[start - first + i]; i++)
            sum += mix_hash(hash[start - first + i]);
        if (i == all && start + all > to && sum == wanted)
            return start;
    }
    return UINT64_MAX;
}

/* Says which element makes up for which, if other data would give a different result. */
static void append_symmetric(struct text *text, const struct trace_origins *origins,
                             const struct origin_term *term, size_t count) {
    const uint32_t array = term[0].leaf->a;
    const uint64_t all = sum_of_counts(term, count);
    const uint64_t from = term[0].leaf->extra, to = term[count - 1].leaf->extra;
    if (!all || to - from >= all)
        return;
    const uint64_t first = to + 1 > all ? to + 1 - all : 0;
    uint32_t *hash = values_from(origins, array, first, from + all - first);
    const uint64_t start = equal_sum(term, count, hash, first, all);
    size_t twice = 0, next = 0;
    while (term[twice].count == 1)
        twice++;
    for (uint64_t i = start; start != UINT64_MAX && i < start + all; i++) {
        if (next < count && term[next].leaf->extra == i)
            next++;
        else if (hash[i - first] == term[twice].leaf->b >> 1) {
            text_append_format(
                text,
                _("%s[%" PRIu64 "] counts more than once and %s[%" PRIu64
                  "] not at all, but both hold the same value: with such data the sum is that of "
                  "%s[%" PRIu64 "..%" PRIu64 "]. Try data that differ: 0, 1, 2, 3, ...\n"),
                origins->texts[array], term[twice].leaf->extra, origins->texts[array], i,
                origins->texts[array], start, start + all - 1);
            break;
        }
    }
    free(hash);
}

/* Test data that are all alike, or symmetric, hide a wrong sum. */
void origins_append_warning(struct text *text, const struct trace_origins *origins,
                            const struct origin_terms *terms) {
    for (size_t i = 0, count; i < terms->count; i += count ? count : 1) {
        count = elements_from(terms, i);
        if (hides_miscount(&terms->terms[i], count))
            text_append_format(text,
                               _("The %zu elements of %s all hold the same value: with such data "
                                 "an element that counts twice makes up for one that is missing. "
                                 "Try data that differ: 0, 1, 2, 3, ...\n"),
                               count, origins->texts[terms->terms[i].leaf->a]);
        else if (count > 1)
            append_symmetric(text, origins, &terms->terms[i], count);
    }
}

void origins_append_path(struct text *text, const struct origin_terms *terms) {
    if (terms->line_count) {
        text_append(text, message_plural("through line ", "through lines ", terms->line_count));
        for (size_t i = 0; i < terms->line_count; i++)
            text_append_format(text, "%s%" PRIu32, i ? _(", ") : "", terms->lines[i]);
        text_append_char(text, '\n');
    }
    if (terms->step_count) {
        text_append(text, message_plural("through step ", "through steps ", terms->step_count));
        for (size_t i = 0; i < terms->step_count && i < 24; i++)
            text_append_format(text, "%s%" PRIu64, i ? _(", ") : "", terms->steps[i]);
        text_append(text, terms->step_count > 24 ? ", ...\n" : "\n");
    }
    if (terms->through_shared)
        text_append(text, _("through shared memory\n"));
}
