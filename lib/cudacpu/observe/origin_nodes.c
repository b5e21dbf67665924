/*
 * origin_nodes.c - the graph of the origins of values, in which equal nodes are the same node.
 *
 * A sum is exact as long as it adds only whole numbers or only floating-point numbers: a float's
 * bits added as a whole number do not make a sum of floats. A value made of kernel arguments or
 * threadIdx alone counts as a constant with respect to the data, so a product with it is a
 * multiple.
 */
#include "cudacpu/observe/origins.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { REAL = 1, WHOLE = 2, DATA = 4 };

static struct {
    struct trace_origin *node;
    unsigned char *about; /* REAL, WHOLE: the arithmetic it belongs to; DATA: it comes from the
                           * input */
    size_t count, room, about_room;
    uint32_t *table; /* the nodes' numbers, by content; a power of two */
    size_t table_size;
    char **texts;
    size_t text_count, text_room;
    struct text pending;
} graph;

struct text *origin_pending(void) {
    return &graph.pending;
}

enum trace_origin_kind origin_kind(uint32_t node) {
    return graph.node ? graph.node[node].kind : TRACE_ORIGIN_NONE;
}

void origin_set_real(uint32_t node) {
    graph.about[node] |= REAL;
}

uint32_t origin_text(const char *text) {
    for (size_t i = 0; i < graph.text_count; i++)
        if (strcmp(graph.texts[i], text) == 0)
            return (uint32_t)i;
    graph.texts = memory_room(graph.texts, graph.text_count, &graph.text_room, sizeof *graph.texts);
    graph.texts[graph.text_count++] = memory_string(text);
    trace_origin_put_text(&graph.pending, text);
    return (uint32_t)graph.text_count - 1;
}

/* ---- nodes ---- */

static bool is_same(const struct trace_origin *a, const struct trace_origin *b) {
    return a->kind == b->kind && a->a == b->a && a->b == b->b && a->line == b->line &&
           a->extra == b->extra;
}

static uint64_t mix(uint64_t hash, uint64_t with) {
    hash = (hash ^ with) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint32_t *place_of(const struct trace_origin *node) {
    uint64_t hash = mix(mix(mix(node->kind, node->a), node->b), node->line);
    size_t at = mix(hash, node->extra) & (graph.table_size - 1);
    while (graph.table[at] && !is_same(&graph.node[graph.table[at]], node))
        at = (at + 1) & (graph.table_size - 1);
    return &graph.table[at];
}

static void grow_table(void) {
    uint32_t *old = graph.table;
    const size_t size = graph.table_size;
    graph.table_size = size ? size * 2 : 1024;
    graph.table = memory_zeroed(graph.table_size, sizeof *graph.table);
    for (size_t i = 0; i < size; i++)
        if (old[i])
            *place_of(&graph.node[old[i]]) = old[i];
    free(old);
}

static uint32_t append(const struct trace_origin *node, unsigned char about) {
    graph.node = memory_room(graph.node, graph.count, &graph.room, sizeof *graph.node);
    graph.about = memory_room(graph.about, graph.count, &graph.about_room, sizeof *graph.about);
    graph.about[graph.count] = about;
    graph.node[graph.count] = *node;
    trace_origin_put_node(&graph.pending, node);
    return (uint32_t)graph.count++;
}

static unsigned char about_of(const struct trace_origin *node) {
    switch (node->kind) {
    case TRACE_ORIGIN_ELEMENT:
    case TRACE_ORIGIN_UNSET:
    case TRACE_ORIGIN_UNSET_CELL:
    case TRACE_ORIGIN_UNSET_LANE:
    case TRACE_ORIGIN_UNKNOWN:
        return DATA;
    case TRACE_ORIGIN_INDEX:
        return WHOLE;
    case TRACE_ORIGIN_SUM:
    case TRACE_ORIGIN_DIFFERENCE:
    case TRACE_ORIGIN_SCALED:
        return graph.about[node->a] | graph.about[node->b];
    case TRACE_ORIGIN_DEPENDS:
        return (graph.about[node->a] | graph.about[node->b]) & DATA;
    case TRACE_ORIGIN_CHOSEN:
        return graph.about[node->a] | DATA;
    case TRACE_ORIGIN_FLOATED:
        return (graph.about[node->a] & DATA) | REAL;
    case TRACE_ORIGIN_MOVED:
    case TRACE_ORIGIN_CELL:
        return graph.about[node->a];
    default:
        return 0;
    }
}

uint32_t origin_make(enum trace_origin_kind kind, uint32_t a, uint32_t b, uint64_t line,
                     uint64_t extra) {
    const struct trace_origin node = {kind, a, b, (uint32_t)line, extra};
    if (graph.count == 0) {
        append(&(struct trace_origin){.kind = TRACE_ORIGIN_NONE}, 0);
        append(&(struct trace_origin){.kind = TRACE_ORIGIN_CONSTANT}, 0);
    }
    if (graph.count * 2 >= graph.table_size)
        grow_table();
    uint32_t *place = place_of(&node);
    if (!*place && graph.count >= ORIGIN_NODES_MOST && kind != TRACE_ORIGIN_UNKNOWN)
        return origin_make(TRACE_ORIGIN_UNKNOWN, origin_text("..."), 0, 0, 0);
    if (!*place)
        *place = append(&node, about_of(&node));
    return *place;
}

/* ---- arithmetic ---- */

static bool has(uint32_t node, unsigned bits) {
    return node > TRACE_ORIGIN_CONSTANT && graph.about[node] & bits;
}

uint32_t cpu_origin_depends(uint32_t a, uint32_t b, uint64_t line) {
    a = a == TRACE_ORIGIN_CONSTANT ? 0 : a;
    b = b == TRACE_ORIGIN_CONSTANT ? 0 : b;
    if (!a || a == b) { /* depends on one node only */
        a = a ? a : b;
        b = 0;
    }
    if (!a || (!b && graph.node[a].kind == TRACE_ORIGIN_DEPENDS))
        return a;
    return origin_make(TRACE_ORIGIN_DEPENDS, a, b, line, 0);
}

uint32_t cpu_origin_chosen(uint32_t a, uint32_t condition, uint64_t line) {
    if (!has(condition, DATA))
        return a;
    a = a ? a : TRACE_ORIGIN_CONSTANT;
    if (graph.node[a].kind == TRACE_ORIGIN_CHOSEN && graph.node[a].b == condition)
        return a;
    return origin_make(TRACE_ORIGIN_CHOSEN, a, condition, line, 0);
}

uint32_t cpu_origin_floated(uint32_t a) {
    return a > TRACE_ORIGIN_CONSTANT ? origin_make(TRACE_ORIGIN_FLOATED, a, 0, 0, 0) : a;
}

static uint32_t scaled(uint32_t a, uint32_t of, double factor, uint64_t line) {
    uint64_t bits;
    memcpy(&bits, &factor, sizeof bits);
    if (of == 0 && factor == 1)
        return a;
    if (of == 0 && factor == 0)
        return 0;
    return origin_make(TRACE_ORIGIN_SCALED, a, of, line, bits);
}

/* `x` and `y` are the values of a and b. */
static uint32_t product(uint32_t a, uint32_t b, double x, double y, uint64_t line) {
    if (has(a, DATA) ? has(b, DATA) : (a && b && !has(b, DATA)))
        return cpu_origin_depends(a, b, line);
    return has(a, DATA) || !b ? scaled(a, b, y, line) : scaled(b, a, x, line);
}

/* The result of an operation in an arithmetic that excludes numbers of the other kind. */
static uint32_t linear(uint64_t what, uint32_t a, uint32_t b, double x, double y, uint64_t line) {
    switch (what) {
    case CPU_ORIGIN_SUM:
        if (a && b)
            return origin_make(TRACE_ORIGIN_SUM, a, b, line, 0);
        if ((a ? y : x) == 0)
            return a | b;
        return origin_make(TRACE_ORIGIN_SUM, a | b, TRACE_ORIGIN_CONSTANT, line, 0);
    case CPU_ORIGIN_DIFFERENCE:
        if (a && b)
            return origin_make(TRACE_ORIGIN_DIFFERENCE, a, b, line, 0);
        if (!b)
            return linear(CPU_ORIGIN_SUM, a, 0, x, y, line);
        return linear(CPU_ORIGIN_SUM, scaled(b, 0, -1, line), 0, 0, x, line);
    case CPU_ORIGIN_PRODUCT:
        return product(a, b, x, y, line);
    default:
        return !a || has(b, DATA) ? cpu_origin_depends(a, b, line) : scaled(a, b, 1 / y, line);
    }
}

uint32_t cpu_origin_real(uint64_t what, uint32_t a, uint32_t b, double x, double y, uint64_t line) {
    a = a == TRACE_ORIGIN_CONSTANT ? 0 : a;
    b = b == TRACE_ORIGIN_CONSTANT ? 0 : b;
    if (!a && !b)
        return 0;
    if (has(a, WHOLE) || has(b, WHOLE))
        return cpu_origin_depends(a, b, line);
    const uint32_t node = linear(what, a, b, x, y, line);
    if (node > TRACE_ORIGIN_CONSTANT && (graph.node[node].kind == TRACE_ORIGIN_SUM ||
                                         graph.node[node].kind == TRACE_ORIGIN_DIFFERENCE ||
                                         graph.node[node].kind == TRACE_ORIGIN_SCALED))
        graph.about[node] |= REAL;
    return node;
}

/* No sum mixes the two kinds: lookups check the kind, so that a node of one arithmetic is never
 * taken for one of the other. */
static uint32_t whole(uint64_t what, uint32_t a, uint32_t b, double x, double y, uint64_t line) {
    if (has(a, REAL) || has(b, REAL))
        return cpu_origin_depends(a, b, line);
    const uint32_t node = linear(what, a, b, x, y, line);
    if (node > TRACE_ORIGIN_CONSTANT && (graph.node[node].kind == TRACE_ORIGIN_SUM ||
                                         graph.node[node].kind == TRACE_ORIGIN_DIFFERENCE ||
                                         graph.node[node].kind == TRACE_ORIGIN_SCALED))
        graph.about[node] |= WHOLE;
    return node;
}

uint32_t cpu_origin_whole(uint64_t what, uint32_t a, uint32_t b, int64_t x, int64_t y,
                          uint64_t line) {
    a = a == TRACE_ORIGIN_CONSTANT ? 0 : a;
    b = b == TRACE_ORIGIN_CONSTANT ? 0 : b;
    if (!a && !b)
        return 0;
    if (what == CPU_ORIGIN_BITS) {
        if ((a && !b && y == 0) || (b && !a && x == 0))
            return a | b;
        return cpu_origin_depends(a, b, line);
    }
    if (what == CPU_ORIGIN_SHIFT) {
        if (!a || has(b, DATA) || y < 0 || y > 62)
            return cpu_origin_depends(a, b, line);
        return whole(CPU_ORIGIN_PRODUCT, a, b, (double)x, (double)(INT64_C(1) << y), line);
    }
    return whole(what, a, b, (double)x, (double)y, line);
}
