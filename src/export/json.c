#include "export/export.h"

#include "base/memory.h"
#include "base/message.h"
#include "explain/finding.h"
#include "export/lane_field.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>

/* ---- small pieces ---- */

/* What json-c has made, if there was memory for it: to json-c itself NULL is a null. */
static json_object *made(json_object *object) {
    if (!object)
        memory_exhausted();
    return object;
}

/* `key` is a literal and new to the object, so json-c need neither copy nor look for it. */
static void put(json_object *object, const char *key, json_object *value) {
    if (json_object_object_add_ex(
            object, key, value, JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY) != 0)
        memory_exhausted();
}

static void append(json_object *array, json_object *value) {
    if (json_object_array_add(array, value) != 0)
        memory_exhausted();
}

/* Strings of a trace are UTF-8 whatever its file holds (trace.h); json-c escapes the rest. */
static json_object *string_or_null(const char *string) {
    return string ? made(json_object_new_string(string)) : NULL;
}

static json_object *mask(uint32_t bits) {
    char text[16];
    snprintf(text, sizeof(text), "0x%08" PRIx32, bits);
    return made(json_object_new_string(text));
}

static json_object *triple(const uint32_t values[3]) {
    json_object *array = made(json_object_new_array_ext(3));
    for (int i = 0; i < 3; i++)
        append(array, made(json_object_new_int64(values[i])));
    return array;
}

static json_object *value_part(enum warp_type type, uint64_t bits, unsigned part) {
    char text[WARP_VALUE_TEXT];
    bool is_word;
    const struct warp_type_info *info = warp_type_info(type);
    lane_value_format(type, bits, part, text, &is_word);
    if (is_word)
        return made(json_object_new_string(text));
    if (info->is_floating) /* prints the text, which has as many digits as are needed */
        return made(json_object_new_double_s(warp_value_to_double(type, bits, part), text));
    return info->is_signed ? made(json_object_new_int64(strtoll(text, NULL, 10)))
                           : made(json_object_new_uint64(strtoull(text, NULL, 10)));
}

static json_object *value(enum warp_type type, uint64_t bits) {
    unsigned parts = lane_value_parts(type);
    if (parts == 1)
        return value_part(type, bits, 0);
    json_object *array = made(json_object_new_array_ext((int)parts));
    for (unsigned part = 0; part < parts; part++)
        append(array, value_part(type, bits, part));
    return array;
}

static json_object *value_bits(enum warp_type type, uint64_t bits) {
    char text[WARP_VALUE_TEXT];
    return made(json_object_new_string(warp_value_format_bits(type, bits, text)));
}

/* ---- the parts of the document ---- */

static void put_note(json_object *object, const char *key, const struct trace *trace,
                     const char *note) {
    const char *text = trace_note(trace, note);
    if (text)
        put(object, key, string_or_null(text));
}

static json_object *origin(const struct trace *trace) {
    json_object *object = made(json_object_new_object());
    put(object, "device", string_or_null(trace_note(trace, TRACE_NOTE_DEVICE)));
    put(object, "name", string_or_null(trace_note(trace, TRACE_NOTE_NAME)));
    put(object, "recorded", string_or_null(trace_note(trace, TRACE_NOTE_RECORDED)));
    put_note(object, "title", trace, TRACE_NOTE_TITLE);
    put_note(object, "command", trace, TRACE_NOTE_COMMAND);
    put_note(object, "date", trace, TRACE_NOTE_DATE);
    put_note(object, "driver", trace, TRACE_NOTE_DRIVER);
    put_note(object, "toolkit", trace, TRACE_NOTE_TOOLKIT);
    put_note(object, "schedule", trace, TRACE_NOTE_SCHEDULE);
    put_note(object, "poison", trace, TRACE_NOTE_POISON);
    put_note(object, "failure", trace, TRACE_NOTE_FAILURE);
    return object;
}

static json_object *launches(const struct trace *trace) {
    json_object *array = made(json_object_new_array());
    for (size_t i = 0; i < trace_launch_count(trace); i++) {
        const struct trace_launch *launch = trace_launch(trace, (uint32_t)i);
        json_object *object = made(json_object_new_object());
        put(object, "kernel", string_or_null(launch->kernel));
        put(object, "grid", triple(launch->grid));
        put(object, "block", triple(launch->block));
        append(array, object);
    }
    return array;
}

static json_object *site(const struct trace *trace, uint32_t index) {
    const struct trace_site *from = trace_site(trace, index);
    if (!from)
        return NULL;
    json_object *object = made(json_object_new_object());
    put(object, "file", string_or_null(from->file));
    put(object, "line", made(json_object_new_int64(from->line)));
    put(object, "text", string_or_null(from->text));
    return object;
}

static json_object *lane(const struct warp_operation *operation,
                         const struct lane_outcome outcome[WARP_LANES], int number) {
    struct lane_fields is = lane_fields_of(operation, outcome, number);
    json_object *object = made(json_object_new_object());
    put(object, "lane", made(json_object_new_int(is.lane)));
    put(object, "group", is.has_group ? made(json_object_new_int(is.group)) : NULL);
    put(object, "arg", is.has_arg ? made(json_object_new_int(is.arg)) : NULL);
    put(object, "target", is.has_address ? made(json_object_new_int(is.target)) : NULL);
    put(object, "in_range", is.has_address ? made(json_object_new_boolean(is.in_range)) : NULL);
    put(object, "source", is.has_address ? made(json_object_new_int(is.source)) : NULL);
    put(object, "status", made(json_object_new_string(lane_status_name(is.status))));
    put(object, "in", is.has_in ? value(is.in_type, is.in) : NULL);
    put(object, "in_bits", is.has_in ? value_bits(is.in_type, is.in) : NULL);
    put(object, "out", is.has_out ? value(is.out_type, is.out) : NULL);
    put(object, "out_bits", is.has_out ? value_bits(is.out_type, is.out) : NULL);
    return object;
}

static void put_width(json_object *object, const struct warp_operation *operation) {
    if (!warp_op_info(operation->op)->is_shuffle) {
        put(object, "width", NULL);
        return;
    }
    put(object, "width", made(json_object_new_int(lane_width_first(operation))));
    if (!lane_widths_differ(operation))
        return;
    json_object *widths = made(json_object_new_array_ext(WARP_LANES));
    for (int i = 0; i < WARP_LANES; i++)
        append(widths,
               operation->present >> i & 1 ? made(json_object_new_int(operation->width[i])) : NULL);
    put(object, "widths", widths);
}

static json_object *step_object(const struct trace *trace, const struct trace_step *step) {
    const struct warp_operation *operation = &step->operation;
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(operation, outcome);
    json_object *object = made(json_object_new_object());
    put(object, "step", made(json_object_new_uint64(step->number)));
    put(object, "launch", made(json_object_new_int64(step->launch)));
    put(object, "block", triple(step->block_index));
    put(object, "warp", made(json_object_new_int64(step->warp)));
    put(object, "site", site(trace, step->site));
    put(object, "op", made(json_object_new_string(warp_op_info(operation->op)->name)));
    put(object, "type", made(json_object_new_string(warp_type_info(operation->type)->name)));
    put_width(object, operation);
    put(object, "members", mask(operation->members));
    put(object, "present", mask(operation->present));
    json_object *lanes = made(json_object_new_array_ext(WARP_LANES));
    for (int i = 0; i < WARP_LANES; i++)
        append(lanes, lane(operation, outcome, i));
    put(object, "lanes", lanes);
    return object;
}

/* ---- writing ---- */

/* Writes the object and lets go of it. */
static void write_object(FILE *out, json_object *object) {
    size_t length;
    errno = 0; /* the only way to learn that a part of the string is missing */
    const char *string = json_object_to_json_string_length(
        object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
    if (!string || errno == ENOMEM)
        memory_exhausted();
    fwrite(string, 1, length, out);
    json_object_put(object);
}

static void write_head(FILE *out, const struct trace *trace) {
    fputs("\"schema\":\"" EXPORT_SCHEMA "\",\"origin\":", out);
    write_object(out, origin(trace));
    fputs(",\"launch\":", out);
    write_object(out, launches(trace));
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
    json_object *object = made(json_object_new_object());
    char *words = english_words(finding);
    put(object, "rule", made(json_object_new_string(finding->rule)));
    put(object, "step", finding->step ? made(json_object_new_uint64(finding->step->number)) : NULL);
    put(object, "lanes", finding->step ? mask(finding->found.lanes) : NULL);
    put(object, "message", made(json_object_new_string(words)));
    free(words);
    fputs(list->any ? list->separator : "", list->out);
    write_object(list->out, object);
    list->any = true;
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
    return 0;
}

static int write_steps(FILE *out, const struct trace *trace, const char *separator,
                       struct error *err) {
    struct trace_step step;
    for (uint64_t number = 0; !ferror(out) && number < trace_step_count(trace); number++) {
        if (trace_step(trace, number, &step, err) != 0)
            return -1;
        fputs(number ? separator : "", out);
        write_object(out, step_object(trace, &step));
    }
    return 0;
}

int export_json(FILE *out, const struct trace *trace, bool with_steps, struct error *err) {
    fputs("{", out);
    write_head(out, trace);
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
    write_head(out, trace);
    fputs("}\n", out);
    if (write_steps(out, trace, "\n", err) != 0)
        return -1;
    fputs(trace_step_count(trace) ? "\n{" : "{", out);
    if (write_tail(out, trace, "", err) != 0)
        return -1;
    fputs("}\n", out);
    return 0;
}
