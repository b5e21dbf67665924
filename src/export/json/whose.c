#include "export/json/whose.h"

#include "explain/whose.h"
#include "export/export.h"
#include "export/json/json_parts.h"

static const char *const term_kinds[] = {
    [TRACE_ORIGIN_ELEMENT] = "element",       [TRACE_ORIGIN_ARGUMENT] = "argument",
    [TRACE_ORIGIN_INDEX] = "index",           [TRACE_ORIGIN_UNSET] = "unset-variable",
    [TRACE_ORIGIN_UNSET_CELL] = "unset-cell", [TRACE_ORIGIN_UNSET_LANE] = "undefined-lane",
    [TRACE_ORIGIN_UNKNOWN] = "unknown"};

static bool names_text(enum trace_origin_kind kind) {
    return kind != TRACE_ORIGIN_INDEX && kind != TRACE_ORIGIN_UNSET_LANE;
}

static json_object *term_json(const struct trace_origins *origins, const struct origin_term *term) {
    const struct trace_origin *leaf = term->leaf;
    const bool has_index =
        leaf->kind == TRACE_ORIGIN_ELEMENT || leaf->kind == TRACE_ORIGIN_UNSET_CELL;
    json_object *object = json_new();
    json_put(object, "kind", json_string(term_kinds[leaf->kind]));
    json_put(object, "name", names_text(leaf->kind) ? json_string(origins->texts[leaf->a]) : NULL);
    json_put(object, "index", has_index ? json_uint(leaf->extra) : NULL);
    json_put(object, "count", term->is_uncounted ? NULL : json_object_new_double(term->count));
    return object;
}

static json_object *value_json(const struct trace_origins *origins,
                               const struct whose_value *value) {
    json_object *object = json_new(), *terms = json_list(), *lines = json_list(),
                *steps = json_list();
    for (size_t i = 0; i < value->terms.count; i++)
        json_append(terms, term_json(origins, &value->terms.terms[i]));
    for (size_t i = 0; i < value->terms.line_count; i++)
        json_append(lines, json_uint(value->terms.lines[i]));
    for (size_t i = 0; i < value->terms.step_count; i++)
        json_append(steps, json_uint(value->terms.steps[i]));
    json_put(object, "name", json_string(value->name));
    json_put(object, "terms", terms);
    json_put(object, "constant", json_flag(value->terms.has_constant));
    json_put(object, "lines", lines);
    json_put(object, "steps", steps);
    json_put(object, "through_shared", json_flag(value->terms.through_shared));
    return object;
}

static json_object *lane_json(int lane) {
    return lane < 0 ? NULL : json_int(lane);
}

static json_object *miscount_json(const struct trace_origins *origins,
                                  const struct miscount *miscount) {
    json_object *object = json_new(), *elements = json_list();
    struct text text = TEXT_INIT;
    miscount_append(&text, origins, miscount, SIZE_MAX);
    for (size_t i = 0; i < miscount->count; i++)
        json_append(elements, json_uint(miscount->elements[i]));
    json_put(object, "kind", json_string(miscount_word(miscount->kind)));
    json_put(object, "result", json_string(origins->texts[miscount->result]));
    json_put(object, "result_index", json_uint(miscount->result_index));
    json_put(object, "name", json_string(origins->texts[miscount->array]));
    json_put(object, "elements", elements);
    json_put(object, "line", json_uint(miscount->line));
    json_put(object, "other_line", miscount->other_line ? json_uint(miscount->other_line) : NULL);
    json_put(object, "loop", miscount->loop ? json_uint(miscount->loop) : NULL);
    json_put(object, "block", json_uint(miscount->block));
    json_put(object, "warp", json_uint(miscount->warp));
    json_put(object, "lane", lane_json(miscount->lane));
    json_put(object, "from", lane_json(miscount->from));
    json_put(object, "text", json_string(text.data));
    text_release(&text);
    return object;
}

int export_whose_json(FILE *out, const struct trace *trace, const char *asked, struct error *err) {
    const struct trace_origins *origins = trace_origins_of(trace);
    struct whose_answer answer;
    const int status = whose_find(trace, asked, &answer, err);
    if (status == 0) {
        json_object *object = json_new(), *values = json_list(), *miscounts = json_list();
        for (size_t i = 0; i < answer.count; i++)
            json_append(values, value_json(origins, &answer.value[i]));
        for (size_t i = 0; i < answer.miscounts.count; i++)
            json_append(miscounts, miscount_json(origins, &answer.miscounts.item[i]));
        json_put(object, "schema", json_string(EXPORT_SCHEMA));
        json_put(object, "asked", json_visible(asked, UTF8_LINE));
        json_put(object, "values", values);
        json_put(object, "miscounts", miscounts);
        json_write(out, object);
    }
    whose_release(&answer);
    return status;
}
