/*
 * This file parses the question and looks the values up in the recording; explain/origins.h works
 * out their counts, so that text and screen give the same answer.
 */
#include "explain/whose.h"

#include "base/memory.h"
#include "base/message.h"
#include "explain/origins.h"
#include "trace/lines/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the question ---- */

static void add_value(struct whose_answer *answer, const struct trace_origins *origins,
                      const char *name, uint32_t node) {
    answer->value = memory_room(answer->value, answer->count, &answer->room, sizeof *answer->value);
    struct whose_value *value = &answer->value[answer->count++];
    snprintf(value->name, sizeof value->name, "%s", name);
    value->node = node;
    origins_collect(origins, node, &value->terms);
}

static bool is_named(const char *asked, size_t length, const char *name) {
    return strlen(name) == length && strncmp(name, asked, length) == 0;
}

static int refuse(const char *asked, const struct trace *trace, const struct trace_origins *origins,
                  struct error *err) {
    struct text known = TEXT_INIT;
    bool *seen = memory_zeroed(origins->text_count + 1, sizeof *seen);
    for (size_t i = 0; i < origins->element_count; i++) {
        const uint32_t array = origins->elements[i].array;
        if (!seen[array])
            text_append_format(&known, "%s%s[...]", known.length ? ", " : "",
                               origins->texts[array]);
        seen[array] = true;
    }
    for (size_t f = 0; f < trace_function_count(trace); f++) {
        const struct trace_function *function = trace_function(trace, f);
        for (uint32_t v = 0; v < function->variable_count && v < 16; v++)
            text_append_format(&known, "%s%s@LINE", known.length ? ", " : "",
                               function->variables[v].name);
    }
    free(seen);
    const int status = error_set(err, ERROR_USAGE,
                                 _("--whose '%s': the recording has no such value\n"
                                   "allowed: %s"),
                                 asked, known.data);
    text_release(&known);
    return status;
}

/* Finds the elements of the last launch that wrote the array. */
static int find_elements(const struct trace *trace, const struct trace_origins *origins,
                         const char *asked, struct whose_answer *answer, struct error *err) {
    const char *bracket = strchr(asked, '[');
    const size_t length = bracket ? (size_t)(bracket - asked) : strlen(asked);
    char *end = NULL, name[80];
    const uint64_t index = bracket ? strtoull(bracket + 1, &end, 0) : 0;
    uint32_t launch = 0;
    if (bracket && (end == bracket + 1 || strcmp(end, "]") != 0))
        return refuse(asked, trace, origins, err);
    for (size_t i = 0; i < origins->element_count; i++)
        if (is_named(asked, length, origins->texts[origins->elements[i].array]) &&
            origins->elements[i].launch > launch)
            launch = origins->elements[i].launch;
    for (size_t i = 0; i < origins->element_count; i++) {
        const struct trace_origin_element *element = &origins->elements[i];
        if (element->launch != launch || (bracket && element->index != index) ||
            !is_named(asked, length, origins->texts[element->array]))
            continue;
        snprintf(name, sizeof name, "%.48s[%" PRIu64 "]", origins->texts[element->array],
                 element->index);
        add_value(answer, origins, name, element->node);
        answer->array = element->array;
        answer->index = bracket ? index : UINT64_MAX;
    }
    answer->launch = launch;
    return answer->count ? 0 : refuse(asked, trace, origins, err);
}

/* The position after the lane's last run of that line; SIZE_MAX if the lane never ran it. */
static size_t after_line(const struct trace_lines *lines, const struct trace_function *function,
                         unsigned lane, uint32_t number) {
    for (size_t i = lines->count; i-- > 0;) {
        const struct trace_line *line = &lines->lines[i];
        const struct trace_function *of = trace_function(lines->trace, line->function);
        if (of == function && of->lines[line->line] == number && line->lanes >> lane & 1)
            return i + 1;
    }
    return SIZE_MAX;
}

static void find_lanes(const struct trace_origins *origins, const struct trace_lines *lines,
                       struct trace_origin_value wanted, uint32_t line, long only,
                       struct whose_answer *answer) {
    const struct trace_function *function = trace_function_of(lines->trace, wanted.variable);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        char name[80];
        const size_t done = after_line(lines, function, lane, line);
        if (done == SIZE_MAX || (only >= 0 && (long)lane != only))
            continue;
        wanted.lane = lane;
        wanted.line = done;
        snprintf(name, sizeof name, _("lane %u"), lane);
        add_value(answer, origins, name, trace_origins_value(origins, &wanted));
    }
}

/* Looks in the first warp of the last launch that has lines. */
static int find_variables(const struct trace *trace, const struct trace_origins *origins,
                          const char *asked, const char *at, struct whose_answer *answer,
                          struct error *err) {
    const struct trace_origin_value *found = NULL;
    char *end = NULL;
    const uint32_t line = (uint32_t)strtoul(at + 1, &end, 10);
    const long lane = *end == ':' ? strtol(end + 1, &end, 10) : -1;
    if (*end || end == at + 1)
        return refuse(asked, trace, origins, err);
    for (size_t i = 0; i < origins->value_count; i++) {
        const struct trace_origin_value *value = &origins->values[i];
        const struct trace_function *function = trace_function_of(trace, value->variable);
        const char *name = function->variables[value->variable - function->first].name;
        if (is_named(asked, (size_t)(at - asked), name) &&
            (!found || value->launch > found->launch))
            found = value;
    }
    const struct trace_lines *lines =
        found ? trace_lines_of(trace, found->launch, found->block, found->warp) : NULL;
    answer->launch = found ? found->launch : 0;
    if (lines)
        find_lanes(origins, lines, *found, line, lane, answer);
    return answer->count ? 0 : refuse(asked, trace, origins, err);
}

/* ---- the answer ---- */

/* The most elements of one array shown side by side. */
#define COLUMNS_MOST 96u

static void append_matrix(struct text *text, const struct trace_origins *origins,
                          const struct whose_answer *answer) {
    struct origin_columns columns;
    struct origin_terms *terms = memory_zeroed(answer->count, sizeof *terms);
    for (size_t i = 0; i < answer->count; i++)
        terms[i] = answer->value[i].terms;
    const bool has = origins_columns(terms, answer->count, &columns) &&
                     columns.last - columns.first < COLUMNS_MOST;
    free(terms);
    if (!has)
        return;
    text_append_format(text, "\n%-9s%s[%" PRIu64 "..%" PRIu64 "]\n", "",
                       origins->texts[columns.array], columns.first, columns.last);
    text_append_format(text, "%-9s", "");
    for (uint64_t i = columns.first; i <= columns.last; i++)
        text_append_char(text, i % 10 == 0 ? (char)('0' + i / 10 % 10) : i % 5 == 0 ? '+' : '-');
    text_append_char(text, '\n');
    for (size_t r = 0; r < answer->count; r++) {
        text_append_format(text, "%-8s ", answer->value[r].name);
        for (uint64_t i = columns.first; i <= columns.last; i++)
            text_append_char(text, origins_cell(&answer->value[r].terms, columns.array, i, i));
        text_append_char(text, '\n');
    }
    text_append(text, _("Digits are counts; # is a larger count or a fraction; - means subtracted, "
                        "? otherwise used, . not used.\n"));
}

/* The most ranges of elements in a sentence. */
#define PARTS_MOST 6

static void append_answer(struct text *text, const struct trace_origins *origins,
                          const struct whose_answer *answer) {
    for (size_t r = 0; r < answer->count; r++) {
        text_append_format(text, "%s = ", answer->value[r].name);
        origins_append_terms(text, origins, &answer->value[r].terms);
        text_append(text, _(".\n"));
    }
    for (size_t i = 0; i < answer->miscounts.count; i++) {
        miscount_append(text, origins, &answer->miscounts.item[i], PARTS_MOST);
        text_append(text, _(".\n"));
    }
    if (answer->count == 1) {
        origins_append_warning(text, origins, &answer->value[0].terms);
        origins_append_path(text, &answer->value[0].terms);
    } else {
        append_matrix(text, origins, answer);
    }
}

int whose_find(const struct trace *trace, const char *asked, struct whose_answer *answer,
               struct error *err) {
    const struct trace_origins *origins = trace_origins_of(trace);
    const char *at = strchr(asked, '@');
    *answer = (struct whose_answer){.array = UINT32_MAX, .index = UINT64_MAX};
    if (trace_note(trace, TRACE_NOTE_ORIGINS_CUT))
        return error_set(err, ERROR_USAGE,
                         _("--whose '%s': this run computes too many values to say what each is "
                           "made of\ntry: fewer blocks, or less data"),
                         asked);
    if (!origins)
        return error_set(err, ERROR_USAGE,
                         _("--whose '%s': this recording does not say what its values are made "
                           "of\n"
                           "try: shflviz run FILE.cu --whose '%s', with -o to keep it"),
                         asked, asked);
    const int status = at ? find_variables(trace, origins, asked, at, answer, err)
                          : find_elements(trace, origins, asked, answer, err);
    if (status == 0)
        miscounts_find(trace, answer->launch, answer->array, answer->index, &answer->miscounts);
    return status;
}

void whose_release(struct whose_answer *answer) {
    for (size_t i = 0; i < answer->count; i++)
        origins_terms_release(&answer->value[i].terms);
    free(answer->value);
    miscounts_release(&answer->miscounts);
}

int whose_answer(const struct trace *trace, const char *asked, struct text *text,
                 struct error *err) {
    struct whose_answer answer;
    const int status = whose_find(trace, asked, &answer, err);
    if (status == 0)
        append_answer(text, trace_origins_of(trace), &answer);
    whose_release(&answer);
    return status;
}
