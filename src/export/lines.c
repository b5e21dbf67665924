/*
 * lines.c - a walk over all lines of all warps, with their changes; text, CSV and JSON take their
 * data from it.
 */
#include "export/lines.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "explain/explain.h"
#include "export/csv_field.h"
#include "export/json/json_parts.h"
#include "export/lane_field.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line with the state before and after it. */
struct moment_of_line {
    const struct trace *trace;
    const struct trace_line_warp *warp;
    const struct trace_lines *lines;
    const struct trace_line *line;
    const struct trace_function *function;
    const struct trace_line_state *before, *after;
    uint64_t number; /* of the line, among those of its warp */
};

/* A printed entry of a line: a value for the lanes in `lanes`, unset for those in `unset`. */
struct printed_value {
    const char *name;
    uint32_t lanes, unset;
    uint32_t doubtful; /* computed from an undefined value */
    enum warp_type type[WARP_LANES];
    uint64_t bits[WARP_LANES];
};

/* ---- the entries of a line ---- */

static bool take_variable(const struct moment_of_line *moment, uint32_t change,
                          struct printed_value *value) {
    const struct trace_line_change *changed = &moment->lines->changes[change];
    const uint32_t number = changed->variable - moment->function->first;
    const struct trace_variable *variable = &moment->function->variables[number];
    if (!trace_line_shows(moment->lines, moment->line, changed->variable))
        return false;
    *value = (struct printed_value){.name = variable->name};
    value->lanes = changed->is_unset ? 0 : changed->lanes;
    value->unset = changed->is_unset ? changed->lanes : 0;
    value->doubtful = changed->doubtful;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        value->type[lane] = variable->type;
        value->bits[lane] = moment->after->value[changed->variable][lane];
    }
    return true;
}

static struct expression_value value_before(const struct moment_of_line *moment,
                                            const struct expression *expression, int lane) {
    return expression_value(expression, moment->lines, moment->line, moment->before, lane);
}

/* An expression is printed when it changes, or at its own line. */
static bool take_expression(const struct moment_of_line *moment,
                            const struct expression *expression, struct printed_value *value) {
    const uint32_t here = moment->function->lines[moment->line->line];
    *value = (struct printed_value){.name = expression->text};
    if (expression->line && expression->line != here)
        return false;
    for (uint32_t left = moment->line->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const struct expression_value after =
            expression_value(expression, moment->lines, moment->line, moment->after, lane);
        const struct expression_value before = value_before(moment, expression, lane);
        const bool same = before.status == after.status && before.bits == after.bits &&
                          before.is_doubtful == after.is_doubtful;
        if (after.status == EXPRESSION_UNKNOWN || (same && !expression->line))
            continue;
        if (after.status == EXPRESSION_UNSET)
            value->unset |= UINT32_C(1) << lane;
        else
            value->lanes |= UINT32_C(1) << lane;
        value->doubtful |= (uint32_t)after.is_doubtful << lane;
        value->type[lane] = after.type;
        value->bits[lane] = after.bits;
    }
    return value->lanes | value->unset;
}

typedef void value_visitor(void *context, const struct moment_of_line *moment,
                           const struct printed_value *value);

static void each_value(const struct moment_of_line *moment, const struct expression_list *shown,
                       value_visitor *visit, void *context) {
    struct printed_value value;
    const bool all = !shown || shown->count == 0;
    for (uint32_t i = 0; all && i < moment->line->change_count; i++)
        if (take_variable(moment, (uint32_t)moment->line->change + i, &value))
            visit(context, moment, &value);
    for (size_t i = 0; !all && i < shown->count; i++)
        if (take_expression(moment, &shown->item[i], &value))
            visit(context, moment, &value);
}

/* ---- the walk ---- */

typedef void line_visitor(void *context, const struct moment_of_line *moment);

static void walk_warp(FILE *out, const struct trace_lines *lines,
                      const struct trace_line_warp *warp, line_visitor *visit, void *context) {
    struct trace_line_state states[2];
    trace_line_state_init(&states[0], lines->trace);
    trace_line_state_init(&states[1], lines->trace);
    for (size_t i = 0; i < lines->count && !ferror(out); i++) {
        trace_lines_state(lines, i + 1, &states[(i + 1) % 2]);
        const struct trace_line *line = &lines->lines[i];
        const struct moment_of_line moment = {.trace = lines->trace,
                                              .warp = warp,
                                              .lines = lines,
                                              .line = line,
                                              .function =
                                                  trace_function(lines->trace, line->function),
                                              .before = &states[i % 2],
                                              .after = &states[(i + 1) % 2],
                                              .number = i};
        visit(context, &moment);
    }
    trace_line_state_release(&states[0]);
    trace_line_state_release(&states[1]);
}

static int walk(FILE *out, const struct trace *trace, line_visitor *visit, void *context,
                struct error *err) {
    struct trace_line_warp warp;
    for (size_t at = 0; trace_lines_next_warp(trace, &at, &warp) && !ferror(out);) {
        struct trace_lines *lines;
        if (trace_lines_open(trace, warp.launch, warp.block, warp.warp, &lines, err) != 0)
            return -1;
        if (lines)
            walk_warp(out, lines, &warp, visit, context);
        trace_lines_release(lines);
    }
    return 0;
}

uint64_t export_lines_cut(const struct trace *trace) {
    const char *note = trace_note(trace, TRACE_NOTE_LINES_CUT);
    return note ? strtoull(note, NULL, 10) : 0;
}

/* ---- text ---- */

struct text_writer {
    FILE *out;
    const struct expression_list *shown;
    const struct trace_line_warp *warp; /* the warp of the lines being written */
};

/* The line of the source without its indent; "" if the recording has no source of it. */
static size_t source_line(const struct trace *trace, const struct trace_function *function,
                          uint32_t number, const char **text) {
    const char *at = trace_source(trace, function->file);
    *text = "";
    for (uint32_t i = 1; at && i < number; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return 0;
    *text = at + strspn(at, " \t");
    return strcspn(*text, "\n");
}

static bool is_uniform(const struct printed_value *value) {
    const int first = __builtin_ctz(value->lanes);
    for (uint32_t left = value->lanes; left; left &= left - 1)
        if (value->bits[__builtin_ctz(left)] != value->bits[first])
            return false;
    return value->doubtful == 0 || value->doubtful == value->lanes;
}

static void text_value(void *context, const struct moment_of_line *moment,
                       const struct printed_value *value) {
    struct text_writer *writer = context;
    char text[WARP_VALUE_TEXT], lanes[EXPLAIN_LANES_TEXT];
    fprintf(writer->out, "         %s", value->name);
    if (value->lanes && value->lanes != moment->line->lanes)
        fprintf(writer->out, _(" in %s"), explain_lanes(value->lanes, lanes));
    if (!value->lanes)
        fprintf(writer->out, _(" in %s: not set"), explain_lanes(value->unset, lanes));
    else
        fputs(" =", writer->out);
    for (uint32_t left = value->lanes; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        fprintf(writer->out, " %s%s", warp_value_format(value->type[lane], value->bits[lane], text),
                warp_has_lane(value->doubtful, lane) ? "?" : "");
        if (is_uniform(value))
            break;
    }
    putc('\n', writer->out);
}

static void text_line(void *context, const struct moment_of_line *moment) {
    struct text_writer *writer = context;
    char lanes[EXPLAIN_LANES_TEXT];
    const char *text;
    const uint32_t number = moment->function->lines[moment->line->line];
    const size_t length = source_line(moment->trace, moment->function, number, &text);
    if (writer->warp != moment->warp)
        fprintf(writer->out, _("\nblock %" PRIu64 "  warp %" PRIu32 "  line by line\n"),
                moment->warp->block, moment->warp->warp);
    writer->warp = moment->warp;
    fprintf(writer->out, "%5" PRIu32 "  %*s%.*s   (%s)\n", number, (int)(2 * moment->line->depth),
            "", (int)length, text, explain_lanes(moment->line->lanes, lanes));
    each_value(moment, writer->shown, text_value, writer);
}

int export_lines_text(FILE *out, const struct trace *trace, const struct expression_list *shown,
                      struct error *err) {
    struct text_writer writer = {out, shown, NULL};
    if (walk(out, trace, text_line, &writer, err) != 0)
        return -1;
    if (export_lines_cut(trace))
        fprintf(out, _("\n%" PRIu64 " more lines were run but are not in the recording\n"),
                export_lines_cut(trace));
    return 0;
}

/* ---- CSV ---- */

struct csv_writer {
    FILE *out;
    const struct expression_list *shown;
};

static void csv_string(FILE *out, const char *string) {
    struct text field = TEXT_INIT;
    csv_append_field(&field, string);
    fputs(field.data, out);
    text_release(&field);
}

static void csv_value(void *context, const struct moment_of_line *moment,
                      const struct printed_value *value) {
    struct csv_writer *writer = context;
    char text[WARP_VALUE_TEXT], bits[WARP_VALUE_TEXT];
    for (uint32_t left = value->lanes | value->unset; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const bool is = warp_has_lane(value->lanes, lane);
        fprintf(writer->out, "%" PRIu32 ",%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",",
                moment->warp->launch, moment->warp->block, moment->warp->warp, moment->number,
                moment->line->step);
        csv_string(writer->out, moment->function->file);
        fprintf(writer->out, ",%" PRIu32 ",", moment->function->lines[moment->line->line]);
        csv_string(writer->out, moment->function->name);
        fprintf(writer->out, ",%d,", lane);
        csv_string(writer->out, value->name);
        fprintf(writer->out, ",%s,%s,%s,%s\r\n", is ? warp_type_info(value->type[lane])->name : "",
                is ? warp_value_format(value->type[lane], value->bits[lane], text) : "",
                is ? warp_value_format_bits(value->type[lane], value->bits[lane], bits) : "",
                warp_has_lane(value->doubtful, lane) ? "true" : "");
    }
}

static void csv_line(void *context, const struct moment_of_line *moment) {
    struct csv_writer *writer = context;
    each_value(moment, writer->shown, csv_value, writer);
}

int export_lines_csv(FILE *out, const struct trace *trace, const struct expression_list *shown,
                     struct error *err) {
    struct csv_writer writer = {out, shown};
    fputs("launch,block,warp,number,steps,file,line,function,lane,variable,type,value,bits,"
          "from_undefined\r\n",
          out);
    return walk(out, trace, csv_line, &writer, err);
}

/* ---- JSON ---- */

struct json_writer {
    FILE *out;
    const struct expression_list *shown;
    const char *separator;
    json_object *changes;
    bool any;
};

static json_object *json_value_of(const struct printed_value *value, int lane) {
    char text[WARP_VALUE_TEXT];
    bool is_word;
    if (!warp_has_lane(value->lanes, lane))
        return NULL;
    const char *word = lane_value_format(value->type[lane], value->bits[lane], 0, text, &is_word);
    return is_word ? json_string(word) : json_object_new_double_s(0, word);
}

static void json_value(void *context, const struct moment_of_line *moment,
                       const struct printed_value *value) {
    struct json_writer *writer = context;
    json_object *object = json_new(), *values = json_list();
    (void)moment;
    json_put(object, "name", json_string(value->name));
    const uint32_t lanes = value->lanes | value->unset;
    json_put(object, "type", json_string(warp_type_info(value->type[__builtin_ctz(lanes)])->name));
    json_put(object, "lanes", json_mask(lanes));
    for (int lane = 0; lane < WARP_LANES; lane++)
        json_append(values, json_value_of(value, lane));
    json_put(object, "values", values);
    json_put(object, "from_undefined", json_mask(value->doubtful));
    json_append(writer->changes, object);
}

static void json_line(void *context, const struct moment_of_line *moment) {
    struct json_writer *writer = context;
    json_object *object = json_new();
    writer->changes = json_list();
    each_value(moment, writer->shown, json_value, writer);
    json_put(object, "line", json_int(moment->function->lines[moment->line->line]));
    json_put(object, "file", json_string(moment->function->file));
    json_put(object, "function", json_string(moment->function->name));
    json_put(object, "launch", json_int(moment->warp->launch));
    json_put(object, "block", json_uint(moment->warp->block));
    json_put(object, "warp", json_int(moment->warp->warp));
    json_put(object, "number", json_uint(moment->number));
    json_put(object, "steps", json_uint(moment->line->step));
    json_put(object, "depth", json_int(moment->line->depth));
    json_put(object, "lanes", json_mask(moment->line->lanes));
    json_put(object, "changes", writer->changes);
    fputs(writer->any ? writer->separator : "", writer->out);
    writer->any = true;
    json_write(writer->out, object);
}

int export_lines_json(FILE *out, const struct trace *trace, const struct expression_list *shown,
                      const char *separator, struct error *err) {
    struct json_writer writer = {.out = out, .shown = shown, .separator = separator};
    return walk(out, trace, json_line, &writer, err);
}
