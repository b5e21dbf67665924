/*
 * Origins of values as bytes of the file: writing and reading them. Reading checks everything: a
 * node may only refer to earlier ones, so that no file can make a cycle.
 */
#include "trace/lines/origins.h"

#include "base/memory.h"
#include "trace/compact/packed.h"
#include "trace/lines/lines.h"
#include "trace/read/reader.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRY_TEXT = 1, ENTRY_NODE, ENTRY_VALUE, ENTRY_ELEMENT, ENTRY_ARRAY };

/* ---- writing ---- */

static void put(struct text *bytes, const uint64_t *numbers, size_t count) {
    unsigned char buffer[8 * PACKED_NUMBER_MOST];
    struct sink to = {buffer};
    for (size_t i = 0; i < count; i++)
        put_number(&to, numbers[i]);
    text_append_bytes(bytes, buffer, (size_t)(to.at - buffer));
}

void trace_origin_put_text(struct text *bytes, const char *text) {
    const uint64_t numbers[] = {ENTRY_TEXT, strlen(text)};
    put(bytes, numbers, 2);
    text_append(bytes, text);
}

void trace_origin_put_node(struct text *bytes, const struct trace_origin *node) {
    const uint64_t numbers[] = {ENTRY_NODE, node->kind, node->a, node->b, node->line, node->extra};
    put(bytes, numbers, 6);
}

void trace_origin_put_value(struct text *bytes, const struct trace_origin_value *value,
                            uint32_t function) {
    const uint64_t numbers[] = {ENTRY_VALUE, value->launch, value->block,    value->warp,
                                value->line, function,      value->variable, value->lane};
    const uint64_t node = value->node;
    put(bytes, numbers, 8);
    put(bytes, &node, 1);
}

void trace_origin_put_element(struct text *bytes, const struct trace_origin_element *element) {
    const uint64_t numbers[] = {ENTRY_ELEMENT, element->launch, element->array, element->index,
                                element->node};
    put(bytes, numbers, 5);
}

void trace_origin_put_array(struct text *bytes, const struct trace_origin_array *array) {
    const uint64_t numbers[] = {ENTRY_ARRAY, array->launch, array->array, array->count};
    put(bytes, numbers, 4);
}

/* ---- reading ---- */

struct capacities {
    size_t nodes, texts, values, elements, arrays;
};

static uint32_t take_32(struct source *from) {
    const uint64_t number = take_number(from);
    from->failed = from->failed || number > UINT32_MAX;
    return (uint32_t)number;
}

static void take_text(struct trace_origins *origins, struct capacities *capacities,
                      struct source *from) {
    const uint64_t length = take_number(from);
    if (from->failed || length > (uint64_t)(from->end - from->at)) {
        from->failed = true;
        return;
    }
    origins->texts = memory_room(origins->texts, origins->text_count, &capacities->texts,
                                 sizeof *origins->texts);
    char *text = memory_zeroed(length + 1, 1);
    take_bytes(from, text, length);
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || (unsigned char)*at > '~')
            *at = '?';
    origins->texts[origins->text_count++] = text;
}

static bool has_children(enum trace_origin_kind kind) {
    return kind >= TRACE_ORIGIN_SUM;
}

static bool has_two(enum trace_origin_kind kind) {
    return kind >= TRACE_ORIGIN_SUM && kind <= TRACE_ORIGIN_CHOSEN;
}

static bool names_text(enum trace_origin_kind kind) {
    return kind == TRACE_ORIGIN_ELEMENT || kind == TRACE_ORIGIN_ARGUMENT ||
           kind == TRACE_ORIGIN_UNSET || kind == TRACE_ORIGIN_UNSET_CELL ||
           kind == TRACE_ORIGIN_UNKNOWN;
}

static void take_node(struct trace_origins *origins, struct capacities *capacities,
                      struct source *from) {
    struct trace_origin node = {.kind = (enum trace_origin_kind)take_32(from)};
    node.a = take_32(from);
    node.b = take_32(from);
    node.line = take_32(from);
    node.extra = take_number(from);
    const size_t count = origins->node_count;
    from->failed = from->failed || node.kind >= TRACE_ORIGIN_KINDS ||
                   (has_children(node.kind) && node.a >= count) ||
                   (has_two(node.kind) && node.b >= count) ||
                   (names_text(node.kind) && node.a >= origins->text_count) ||
                   (node.kind == TRACE_ORIGIN_CELL && node.b >= origins->text_count) ||
                   (node.kind == TRACE_ORIGIN_INDEX && node.a >= TRACE_ORIGIN_INDICES);
    if (from->failed)
        return;
    origins->nodes = memory_room(origins->nodes, origins->node_count, &capacities->nodes,
                                 sizeof *origins->nodes);
    origins->nodes[origins->node_count++] = node;
}

static void take_value(const struct trace *trace, struct trace_origins *origins,
                       struct capacities *capacities, struct source *from) {
    struct trace_origin_value value = {.launch = take_32(from)};
    value.block = take_number(from);
    value.warp = take_32(from);
    value.line = take_number(from);
    const struct trace_function *function = trace_function(trace, take_32(from));
    value.variable = take_32(from);
    value.lane = take_32(from);
    value.node = take_32(from);
    if (!function || value.variable >= function->variable_count || value.lane >= WARP_LANES ||
        value.node >= origins->node_count)
        from->failed = true;
    if (from->failed)
        return;
    value.variable += function->first;
    origins->values = memory_room(origins->values, origins->value_count, &capacities->values,
                                  sizeof *origins->values);
    origins->values[origins->value_count++] = value;
}

static void take_element(struct trace_origins *origins, struct capacities *capacities,
                         struct source *from) {
    struct trace_origin_element element = {.launch = take_32(from)};
    element.array = take_32(from);
    element.index = take_number(from);
    element.node = take_32(from);
    if (element.array >= origins->text_count || element.node >= origins->node_count)
        from->failed = true;
    if (from->failed)
        return;
    origins->elements = memory_room(origins->elements, origins->element_count,
                                    &capacities->elements, sizeof *origins->elements);
    origins->elements[origins->element_count++] = element;
}

static void take_array(struct trace_origins *origins, struct capacities *capacities,
                       struct source *from) {
    struct trace_origin_array array = {.launch = take_32(from)};
    array.array = take_32(from);
    array.count = take_number(from);
    array.nodes = origins->node_count;
    from->failed = from->failed || array.array >= origins->text_count;
    if (from->failed)
        return;
    origins->arrays = memory_room(origins->arrays, origins->array_count, &capacities->arrays,
                                  sizeof *origins->arrays);
    origins->arrays[origins->array_count++] = array;
}

static void take_entry(const struct trace *trace, struct trace_origins *origins,
                       struct capacities *capacities, struct source *from) {
    switch (take_number(from)) {
    case ENTRY_TEXT:
        take_text(origins, capacities, from);
        break;
    case ENTRY_NODE:
        take_node(origins, capacities, from);
        break;
    case ENTRY_VALUE:
        take_value(trace, origins, capacities, from);
        break;
    case ENTRY_ELEMENT:
        take_element(origins, capacities, from);
        break;
    case ENTRY_ARRAY:
        take_array(origins, capacities, from);
        break;
    default:
        from->failed = true;
    }
}

static struct trace_origins *read_all(const struct trace *trace) {
    struct trace_origins *origins = memory_zeroed(1, sizeof *origins);
    struct capacities capacities = {0};
    for (size_t i = 0; i < trace->metadata.origin_count; i++) {
        const struct metadata_bytes *chunk = &trace->metadata.origins[i];
        struct source from = {chunk->bytes, chunk->bytes + chunk->size, false};
        while (from.at < from.end && !from.failed)
            take_entry(trace, origins, &capacities, &from);
        if (from.failed)
            break; /* the entries before it are complete */
    }
    return origins;
}

const struct trace_origins *trace_origins_of(const struct trace *trace) {
    if (!trace->origins && trace->metadata.origin_count)
        ((struct trace *)(uintptr_t)trace)->origins = read_all(trace);
    return trace->origins;
}

void trace_origins_release(struct trace_origins *origins) {
    for (size_t i = 0; origins && i < origins->text_count; i++)
        free(origins->texts[i]);
    if (!origins)
        return;
    free(origins->texts);
    free(origins->nodes);
    free(origins->values);
    free(origins->elements);
    free(origins->arrays);
    free(origins);
}

uint32_t trace_origins_value(const struct trace_origins *origins,
                             const struct trace_origin_value *wanted) {
    uint32_t node = 0;
    for (size_t i = 0; i < origins->value_count; i++) {
        const struct trace_origin_value *value = &origins->values[i];
        if (value->variable == wanted->variable && value->lane == wanted->lane &&
            value->launch == wanted->launch && value->block == wanted->block &&
            value->warp == wanted->warp && value->line < wanted->line)
            node = value->node;
    }
    return node;
}
