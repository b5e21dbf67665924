#include "export/export.h"

#include "base/memory.h"
#include "base/message.h"
#include "explain/finding.h"
#include "explain/printed.h"
#include "explain/shared.h"
#include "export/json_parts.h"
#include "export/lane_field.h"

#include "warp/sectors.h"
#include <inttypes.h>
#include <stdlib.h>

static json_object *value_part(enum warp_type type, uint64_t bits, unsigned part) {
    char text[WARP_VALUE_TEXT];
    bool is_word;
    const struct warp_type_info *info = warp_type_info(type);
    lane_value_format(type, bits, part, text, &is_word);
    if (is_word)
        return json_made(json_object_new_string(text));
    if (info->is_floating) /* prints the text, which has as many digits as are needed */
        return json_made(json_object_new_double_s(warp_value_to_double(type, bits, part), text));
    return info->is_signed ? json_made(json_object_new_int64(strtoll(text, NULL, 10)))
                           : json_made(json_object_new_uint64(strtoull(text, NULL, 10)));
}

static json_object *value(enum warp_type type, uint64_t bits) {
    unsigned parts = lane_value_parts(type);
    if (parts == 1)
        return value_part(type, bits, 0);
    json_object *array = json_made(json_object_new_array_ext((int)parts));
    for (unsigned part = 0; part < parts; part++)
        json_append(array, value_part(type, bits, part));
    return array;
}

static json_object *value_bits(enum warp_type type, uint64_t bits) {
    char text[WARP_VALUE_TEXT];
    return json_made(json_object_new_string(warp_value_format_bits(type, bits, text)));
}

/* Of an access to shared memory that has several. */
static json_object *elements(const struct warp_operation *operation, int lane, int count) {
    json_object *array = json_made(json_object_new_array_ext(count));
    for (int i = 0; i < count; i++)
        json_append(array, value_part(operation->type, shared_element(operation, lane, i), 0));
    return array;
}

/* ---- the parts of the document ---- */

static void put_note(json_object *object, const char *key, const struct trace *trace,
                     const char *note) {
    const char *text = trace_note(trace, note);
    if (text)
        json_put(object, key, json_string(text));
}

static json_object *origin(const struct trace *trace) {
    json_object *object = json_made(json_object_new_object());
    json_put(object, "device", json_string(trace_note(trace, TRACE_NOTE_DEVICE)));
    json_put(object, "name", json_string(trace_note(trace, TRACE_NOTE_NAME)));
    json_put(object, "recorded", json_string(trace_note(trace, TRACE_NOTE_RECORDED)));
    put_note(object, "title", trace, TRACE_NOTE_TITLE);
    put_note(object, "command", trace, TRACE_NOTE_COMMAND);
    put_note(object, "date", trace, TRACE_NOTE_DATE);
    put_note(object, "driver", trace, TRACE_NOTE_DRIVER);
    put_note(object, "toolkit", trace, TRACE_NOTE_TOOLKIT);
    put_note(object, "schedule", trace, TRACE_NOTE_SCHEDULE);
    put_note(object, "poison", trace, TRACE_NOTE_POISON);
    put_note(object, "failure", trace, TRACE_NOTE_FAILURE);
    put_note(object, "followed", trace, TRACE_NOTE_FOLLOWED);
    return object;
}

static json_object *launches(const struct trace *trace) {
    json_object *array = json_made(json_object_new_array());
    for (size_t i = 0; i < trace_launch_count(trace); i++) {
        const struct trace_launch *launch = trace_launch(trace, (uint32_t)i);
        json_object *object = json_made(json_object_new_object());
        json_put(object, "kernel", json_string(launch->kernel));
        json_put(object, "grid", json_triple(launch->grid));
        json_put(object, "block", json_triple(launch->block));
        json_append(array, object);
    }
    return array;
}

static json_object *site(const struct trace *trace, uint32_t index) {
    const struct trace_site *from = trace_site(trace, index);
    if (!from)
        return NULL;
    json_object *object = json_made(json_object_new_object());
    json_put(object, "file", json_string(from->file));
    json_put(object, "line", json_made(json_object_new_int64(from->line)));
    json_put(object, "text", json_string(from->text));
    return object;
}

/* A value and its exact bits; nulls where the lane has none. */
static void put_value(json_object *object, const char *key, const char *bits_key, bool exists,
                      enum warp_type type, uint64_t bits) {
    json_put(object, key, exists ? value(type, bits) : NULL);
    json_put(object, bits_key, exists ? value_bits(type, bits) : NULL);
}

static json_object *lane(const struct warp_operation *operation,
                         const struct lane_outcome outcome[WARP_LANES], int number) {
    struct lane_fields is = lane_fields_of(operation, outcome, number);
    json_object *object = json_made(json_object_new_object());
    json_put(object, "lane", json_made(json_object_new_int(is.lane)));
    json_put(object, "group", is.has_group ? json_made(json_object_new_int(is.group)) : NULL);
    json_put(object, "arg", is.has_arg ? json_made(json_object_new_int(is.arg)) : NULL);
    json_put(object, "target", is.has_address ? json_made(json_object_new_int(is.target)) : NULL);
    json_put(object, "in_range",
             is.has_address ? json_made(json_object_new_boolean(is.in_range)) : NULL);
    json_put(object, "source", is.has_address ? json_made(json_object_new_int(is.source)) : NULL);
    json_put(object, "status", json_made(json_object_new_string(lane_status_name(is.status))));
    put_value(object, "in", "in_bits", is.has_in, is.in_type, is.in);
    if (is.elements) {
        char bits[LANE_BITS_TEXT];
        json_put(object, "out", elements(operation, number, is.elements));
        json_put(object, "out_bits",
                 json_made(json_object_new_string(lane_elements_bits(operation, number, bits))));
    } else {
        put_value(object, "out", "out_bits", is.has_out, is.out_type, is.out);
    }
    put_value(object, "observed", "observed_bits", is.has_observed, is.out_type, is.out);
    if (operation->doubtful_in >> number & 1)
        json_put(object, "in_from_undefined", json_made(json_object_new_boolean(true)));
    if (operation->doubtful_out >> number & 1)
        json_put(object, "out_from_undefined", json_made(json_object_new_boolean(true)));
    return object;
}

/* How an access to shared memory uses the banks, and what it accesses. */
static json_object *banks(const struct trace *trace, const struct warp_operation *operation) {
    const struct shared_variable variable =
        shared_variable_at(trace, operation->op, operation->arg[__builtin_ctz(operation->present)]);
    struct bank_use use;
    warp_bank_use(operation, &use);
    json_object *object = json_made(json_object_new_object());
    json_put(object, "variable", variable.is_known ? json_string(variable.name) : NULL);
    json_put(object, "offset",
             variable.is_known ? json_made(json_object_new_int(variable.offset)) : NULL);
    json_put(object, "parts", json_made(json_object_new_int(use.parts)));
    json_put(object, "ways", json_made(json_object_new_int(use.ways)));
    json_put(object, "passes", json_made(json_object_new_int(use.passes)));
    json_put(object, "bank", json_made(json_object_new_int(use.bank)));
    json_put(object, "lanes", json_mask(use.lanes));
    return object;
}

/* How an access to global memory uses sectors, and what it accesses. */
static json_object *sectors(const struct trace *trace, const struct warp_operation *operation) {
    const struct shared_variable variable =
        shared_variable_at(trace, operation->op, operation->arg[__builtin_ctz(operation->present)]);
    struct sector_use use;
    json_object *argument = NULL;
    warp_sector_use(operation, &use);
    if (variable.argument) {
        argument = json_made(json_object_new_object());
        json_put(argument, "kernel", json_string(variable.kernel));
        json_put(argument, "number", json_made(json_object_new_int64(variable.argument)));
    }
    json_object *object = json_made(json_object_new_object());
    json_put(object, "variable",
             variable.is_known && !variable.is_allocation ? json_string(variable.name) : NULL);
    json_put(object, "argument", argument);
    json_put(object, "offset",
             variable.is_known ? json_made(json_object_new_int(variable.offset)) : NULL);
    json_put(object, "sectors", json_made(json_object_new_int(use.sectors)));
    json_put(object, "least", json_made(json_object_new_int(use.least)));
    json_put(object, "lines", json_made(json_object_new_int(use.lines)));
    json_put(object, "bytes", json_made(json_object_new_int(use.bytes)));
    return object;
}

static void put_width(json_object *object, const struct warp_operation *operation) {
    if (warp_op_is_access(operation->op)) {
        json_put(object, "width", json_made(json_object_new_int(lane_width_first(operation))));
        return;
    }
    if (!warp_op_info(operation->op)->is_shuffle) {
        json_put(object, "width", NULL);
        return;
    }
    json_put(object, "width", json_made(json_object_new_int(lane_width_first(operation))));
    if (!lane_widths_differ(operation))
        return;
    json_object *widths = json_made(json_object_new_array_ext(WARP_LANES));
    for (int i = 0; i < WARP_LANES; i++)
        json_append(widths, operation->present >> i & 1
                                ? json_made(json_object_new_int(operation->width[i]))
                                : NULL);
    json_put(object, "widths", widths);
}

static json_object *step_object(const struct trace *trace, const struct trace_step *step) {
    const struct warp_operation *operation = &step->operation;
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(operation, outcome);
    json_object *object = json_made(json_object_new_object());
    json_put(object, "step", json_made(json_object_new_uint64(step->number)));
    json_put(object, "launch", json_made(json_object_new_int64(step->launch)));
    json_put(object, "block", json_triple(step->block_index));
    json_put(object, "warp", json_made(json_object_new_int64(step->warp)));
    json_put(object, "site", site(trace, step->site));
    json_put(object, "op", json_made(json_object_new_string(warp_op_info(operation->op)->name)));
    json_put(object, "type",
             json_made(json_object_new_string(warp_type_info(operation->type)->name)));
    put_width(object, operation);
    if (warp_op_is_shared(operation->op))
        json_put(object, "banks", banks(trace, operation));
    if (warp_op_is_global(operation->op))
        json_put(object, "sectors", sectors(trace, operation));
    json_put(object, "members", json_mask(operation->members));
    json_put(object, "present", json_mask(operation->present));
    json_object *lanes = json_made(json_object_new_array_ext(WARP_LANES));
    for (int i = 0; i < WARP_LANES; i++)
        json_append(lanes, lane(operation, outcome, i));
    json_put(object, "lanes", lanes);
    return object;
}

/* ---- writing ---- */

void json_write_head(FILE *out, const struct trace *trace) {
    fputs("\"schema\":\"" EXPORT_SCHEMA "\",\"origin\":", out);
    json_write(out, origin(trace));
    fputs(",\"launch\":", out);
    json_write(out, launches(trace));
}

struct finding_list {
    FILE *out;
    const char *separator;
    bool any;
};

/* What scripts read is in English, whatever language people are spoken to. */
static char *english_words(const struct finding *finding) {
    const char *language = message_language();
    struct text words = TEXT_INIT;
    message_language_use("en");
    finding_append(&words, finding);
    message_language_use(language);
    return text_detach(&words);
}

static void write_finding(void *context, const struct finding *finding) {
    struct finding_list *list = context;
    json_object *object = json_made(json_object_new_object());
    char *words = english_words(finding);
    json_put(object, "rule", json_made(json_object_new_string(finding->rule)));
    json_put(object, "step",
             finding->step ? json_made(json_object_new_uint64(finding->step->number)) : NULL);
    json_put(object, "lanes", finding->step ? json_mask(finding->found.lanes) : NULL);
    json_put(object, "message", json_made(json_object_new_string(words)));
    free(words);
    fputs(list->any ? list->separator : "", list->out);
    json_write(list->out, object);
    list->any = true;
}

/* What the program printed, if anything. */
static void write_output(FILE *out, const struct trace *trace, const char *newline) {
    const char *separator = *newline ? ",\n" : ",";
    if (trace_output_count(trace) == 0)
        return;
    fprintf(out, ",%s\"output\":[%s", newline, newline);
    for (size_t i = 0; !ferror(out) && i < trace_output_count(trace); i++) {
        const struct trace_output *piece = trace_output(trace, i);
        json_object *object = json_made(json_object_new_object());
        json_put(object, "step", json_made(json_object_new_uint64(piece->step)));
        json_put(object, "launches", json_made(json_object_new_int64(piece->launches)));
        json_put(object, "stream", json_string(piece->stream == 2 ? "stderr" : "stdout"));
        json_put(object, "text", json_string(piece->text));
        fputs(i ? separator : "", out);
        json_write(out, object);
    }
    fprintf(out, "%s],%s\"output_cut\":%" PRIu64, newline, newline, printed_cut(trace));
}

/* The findings, and whether the recording is all there is. */
static int write_tail(FILE *out, const struct trace *trace, const char *newline,
                      struct error *err) {
    struct finding_list list = {.out = out, .separator = *newline ? ",\n" : ","};
    fprintf(out, "\"findings\":[%s", newline);
    if (findings_walk(trace, write_finding, &list, NULL, err) != 0)
        return -1;
    fprintf(out, "%s],%s\"dropped\":%" PRIu64 ",\"complete\":%s", list.any ? newline : "", newline,
            trace_dropped(trace), trace_is_complete(trace) ? "true" : "false");
    write_output(out, trace, newline);
    return 0;
}

static int write_steps(FILE *out, const struct trace *trace, const char *separator,
                       struct error *err) {
    struct trace_step step;
    for (uint64_t number = 0; !ferror(out) && number < trace_step_count(trace); number++) {
        if (trace_step(trace, number, &step, err) != 0)
            return -1;
        fputs(number ? separator : "", out);
        json_write(out, step_object(trace, &step));
    }
    return 0;
}

int export_json(FILE *out, const struct trace *trace, bool with_steps, struct error *err) {
    fputs("{", out);
    json_write_head(out, trace);
    fputs(",\n", out);
    if (with_steps) {
        fputs("\"steps\":[\n", out);
        if (write_steps(out, trace, ",\n", err) != 0)
            return -1;
        fputs("\n],\n", out);
    }
    if (write_tail(out, trace, "\n", err) != 0)
        return -1;
    fputs("}\n", out);
    return 0;
}

int export_jsonl(FILE *out, const struct trace *trace, struct error *err) {
    fputs("{", out);
    json_write_head(out, trace);
    fputs("}\n", out);
    if (write_steps(out, trace, "\n", err) != 0)
        return -1;
    fputs(trace_step_count(trace) ? "\n{" : "{", out);
    if (write_tail(out, trace, "", err) != 0)
        return -1;
    fputs("}\n", out);
    return 0;
}
