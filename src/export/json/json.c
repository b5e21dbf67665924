/*
 * The document is written step by step while the recording is read, so that a long recording needs
 * no more memory than a short one. Its text is English whatever the language, because programs read
 * it.
 */
#include "export/export.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/progress_line.h"
#include "explain/findings/finding.h"
#include "explain/printed.h"
#include "explain/shared.h"
#include "export/json/json_parts.h"
#include "export/lane_field.h"
#include "export/lines.h"

#include "warp/sectors.h"
#include <inttypes.h>
#include <stdlib.h>

/* ---- the parts of the document ---- */

static void put_note(json_object *object, const char *key, const struct trace *trace,
                     const char *note) {
    const char *text = trace_note(trace, note);
    if (text)
        json_put(object, key, json_string(text));
}

static json_object *origin(const struct trace *trace) {
    json_object *object = json_new();
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
    json_object *array = json_list();
    for (size_t i = 0; i < trace_launch_count(trace); i++) {
        const struct trace_launch *launch = trace_launch(trace, (uint32_t)i);
        json_object *object = json_new();
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
    json_object *object = json_new();
    json_put(object, "file", json_string(from->file));
    json_put(object, "line", json_int(from->line));
    json_put(object, "text", json_string(from->text));
    return object;
}

/* An access to shared memory: its use of the banks, and its target. */
static json_object *banks(const struct trace *trace, const struct warp_operation *operation) {
    const struct shared_variable variable =
        shared_variable_at(trace, operation->op, operation->arg[__builtin_ctz(operation->present)]);
    struct bank_use use;
    warp_bank_use(operation, &use);
    json_object *object = json_new();
    json_put(object, "variable", variable.is_known ? json_string(variable.name) : NULL);
    json_put(object, "offset", variable.is_known ? json_int(variable.offset) : NULL);
    json_put(object, "parts", json_int(use.parts));
    json_put(object, "ways", json_int(use.ways));
    json_put(object, "passes", json_int(use.passes));
    json_put(object, "bank", json_int(use.bank));
    json_put(object, "lanes", json_mask(use.lanes));
    return object;
}

/* An access to global memory: its use of sectors, and its target. */
static json_object *sectors(const struct trace *trace, const struct warp_operation *operation) {
    const struct shared_variable variable =
        shared_variable_at(trace, operation->op, operation->arg[__builtin_ctz(operation->present)]);
    struct sector_use use;
    json_object *argument = NULL;
    warp_sector_use(operation, &use);
    if (variable.argument) {
        argument = json_new();
        json_put(argument, "kernel", json_string(variable.kernel));
        json_put(argument, "number", json_int(variable.argument));
    }
    json_object *object = json_new();
    json_put(object, "variable",
             variable.is_known && !variable.is_allocation ? json_string(variable.name) : NULL);
    json_put(object, "argument", argument);
    json_put(object, "offset", variable.is_known ? json_int(variable.offset) : NULL);
    json_put(object, "sectors", json_int(use.sectors));
    json_put(object, "least", json_int(use.least));
    json_put(object, "lines", json_int(use.lines));
    json_put(object, "bytes", json_int(use.bytes));
    return object;
}

static void put_width(json_object *object, const struct warp_operation *operation) {
    if (warp_op_is_access(operation->op)) {
        json_put(object, "width", json_int(lane_width_first(operation)));
        return;
    }
    if (!warp_op_info(operation->op)->is_shuffle) {
        json_put(object, "width", NULL);
        return;
    }
    json_put(object, "width", json_int(lane_width_first(operation)));
    if (!lane_widths_differ(operation))
        return;
    json_object *widths = json_list();
    for (int i = 0; i < WARP_LANES; i++)
        json_append(widths, operation->present >> i & 1 ? json_int(operation->width[i]) : NULL);
    json_put(object, "widths", widths);
}

/* A whole step except its lanes. */
static json_object *step_object(const struct trace *trace, const struct trace_step *step) {
    const struct warp_operation *operation = &step->operation;
    json_object *object = json_new();
    json_put(object, "step", json_uint(step->number));
    json_put(object, "launch", json_int(step->launch));
    json_put(object, "block", json_triple(step->block_index));
    json_put(object, "warp", json_int(step->warp));
    json_put(object, "site", site(trace, step->site));
    json_put(object, "op", json_string(warp_op_info(operation->op)->name));
    json_put(object, "type", json_string(warp_type_info(operation->type)->name));
    put_width(object, operation);
    if (warp_op_is_shared(operation->op))
        json_put(object, "banks", banks(trace, operation));
    if (warp_op_is_global(operation->op))
        json_put(object, "sectors", sectors(trace, operation));
    json_object *registers = json_registers(trace_registers(trace, step->number));
    if (registers)
        json_put(object, "registers", registers);
    json_put(object, "members", json_mask(operation->members));
    json_put(object, "present", json_mask(operation->present));
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

/* Scripts read English, whatever language the user has. */
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
    json_object *object = json_new();
    char *words = english_words(finding);
    json_put(object, "rule", json_string(finding->rule));
    json_put(object, "step", finding->step ? json_uint(finding->step->number) : NULL);
    json_put(object, "lanes", finding->step ? json_mask(finding->found.lanes) : NULL);
    json_put(object, "message", json_string(words));
    free(words);
    fputs(list->any ? list->separator : "", list->out);
    json_write(list->out, object);
    list->any = true;
}

/* The program's output, if any. */
static void write_output(FILE *out, const struct trace *trace, const char *newline) {
    const char *separator = *newline ? ",\n" : ",";
    if (trace_output_count(trace) == 0)
        return;
    fprintf(out, ",%s\"output\":[%s", newline, newline);
    for (size_t i = 0; !ferror(out) && i < trace_output_count(trace); i++) {
        const struct trace_output *piece = trace_output(trace, i);
        json_object *object = json_new();
        json_put(object, "step", json_uint(piece->step));
        json_put(object, "launches", json_int(piece->launches));
        json_put(object, "stream", json_string(piece->stream == 2 ? "stderr" : "stdout"));
        json_put(object, "text", json_string(piece->text));
        fputs(i ? separator : "", out);
        json_write(out, object);
    }
    fprintf(out, "%s],%s\"output_cut\":%" PRIu64, newline, newline, printed_cut(trace));
}

/* Writes the findings, what is missing from the recording, and the program's output. */
static int write_tail(FILE *out, const struct trace *trace, uint64_t most, const char *newline,
                      struct error *err) {
    struct finding_list list = {.out = out, .separator = *newline ? ",\n" : ","};
    fprintf(out, "\"findings\":[%s", newline);
    if (findings_walk(trace, write_finding, &list, NULL, err) != 0)
        return -1;
    fprintf(out, "%s],%s\"dropped\":%" PRIu64 ",\"complete\":%s", list.any ? newline : "", newline,
            trace_dropped(trace), trace_is_complete(trace) ? "true" : "false");
    if (trace_step_count(trace) > most)
        fprintf(out, ",%s\"left_out\":%" PRIu64, newline, trace_step_count(trace) - most);
    write_output(out, trace, newline);
    return 0;
}

/* Writes a step as one object; `room` is a buffer for its lanes. */
static void write_step(FILE *out, const struct trace *trace, const struct trace_step *step,
                       struct text *room) {
    struct lane_outcome outcome[WARP_LANES];
    warp_outcome(&step->operation, outcome);
    text_clear(room);
    text_append(room, ",\"lanes\":");
    json_lanes(room, &step->operation, outcome);
    text_append_char(room, '}');
    json_write_open(out, step_object(trace, step));
    fwrite(room->data, 1, room->length, out);
}

static int write_steps(FILE *out, const struct trace *trace, uint64_t most, const char *separator,
                       struct error *err) {
    const uint64_t steps = trace_step_count(trace), count = steps < most ? steps : most;
    struct trace_step step;
    struct text room = TEXT_INIT;
    int status = 0;
    for (uint64_t number = 0; status == 0 && !ferror(out) && number < count; number++) {
        progress_line_part(number, count);
        status = trace_step(trace, number, &step, err);
        if (status != 0)
            break;
        fputs(number ? separator : "", out);
        write_step(out, trace, &step, &room);
    }
    text_release(&room);
    return status;
}

int export_json(FILE *out, const struct trace *trace, uint64_t most, struct error *err) {
    fputs("{", out);
    json_write_head(out, trace);
    fputs(",\n\"steps\":[\n", out);
    if (write_steps(out, trace, most, ",\n", err) != 0)
        return -1;
    fputs("\n],\n", out);
    if (most && trace_has_lines(trace)) {
        fputs("\"lines\":[\n", out);
        if (export_lines_json(out, trace, NULL, ",\n", err) != 0)
            return -1;
        fprintf(out, "\n],\n\"lines_cut\":%" PRIu64 ",\n", export_lines_cut(trace));
    }
    if (write_tail(out, trace, most, "\n", err) != 0)
        return -1;
    fputs("}\n", out);
    return 0;
}

int export_jsonl(FILE *out, const struct trace *trace, uint64_t most, struct error *err) {
    fputs("{", out);
    json_write_head(out, trace);
    fputs("}\n", out);
    if (write_steps(out, trace, most, "\n", err) != 0)
        return -1;
    const bool lines = most && trace_has_lines(trace), steps = most && trace_step_count(trace);
    fputs(lines && steps ? "\n" : "", out);
    if (lines && export_lines_json(out, trace, NULL, "\n", err) != 0)
        return -1;
    fputs(steps || lines ? "\n{" : "{", out);
    if (lines)
        fprintf(out, "\"lines_cut\":%" PRIu64 ",", export_lines_cut(trace));
    if (write_tail(out, trace, most, "", err) != 0)
        return -1;
    fputs("}\n", out);
    return 0;
}
