/* watched.c - expressions over local variables that the user wants to see beside them. */
#include "replay/keys/handlers.h"
#include "replay/lines.h"

#include "base/message.h"
#include "base/text.h"
#include "base/text/c_expression.h"
#include "base/text/utf8.h"
#include "base/unused.h"
#include "explain/variable_expression.h"
#include "replay/changes.h"
#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

void replay_set_watched(struct replay *replay, const char *expressions) {
    line_set(replay->watched, sizeof replay->watched, expressions);
}

bool watched_open(struct replay *replay, long argument) {
    if (!replay_moves_by_line(replay))
        return play_faster(replay, argument);
    replay->playing = false;
    replay->live.choices[0] = '\0';
    input_open(&replay->input, PROMPT_WATCH);
    input_set(&replay->input, replay->watched);
    return true;
}

/* True if the expressions can be read and their variables exist; else reports the error. */
static bool are_valid(struct replay *replay, const char *text) {
    struct expression_list list;
    struct error err = ERROR_INIT;
    char *name = NULL;
    const int status = expression_list_parse(&list, text, &err);
    for (size_t i = 0; status == 0 && i < list.count && !name; i++)
        name = expression_unknown_name(&list.item[i], replay->cursor.trace);
    if (status != 0)
        replay_set_message(replay, "%.*s", (int)strcspn(err.text, "\n"), err.text);
    else if (name)
        replay_set_message(replay, _("no function has a variable %s"), utf8_name(name));
    expression_list_release(&list);
    const bool known = status == 0 && !name;
    free(name);
    return known;
}

bool watched_accept(struct replay *replay, long argument UNUSED) {
    struct input *input = &replay->input;
    if (input->text[0] && !are_valid(replay, input->text))
        return false;
    replay_set_watched(replay, input->text);
    input_close(input);
    return true;
}

/* ---- completion ---- */

/* The start of the name at the end of the line: "mi" in "sum + mi", "a[3]" in "a[3]". */
static size_t name_begin(const char *line) {
    size_t at = strlen(line);
    while (at > 0 && (c_word_length(line + at - 1) || strchr(".[]", line[at - 1])))
        at--;
    return at;
}

/* Shortens `common` to the common prefix. */
static void common_prefix(struct text *common, const char *name) {
    size_t length = 0;
    while (common->data[length] && common->data[length] == name[length])
        length++;
    common->data[common->length = length] = '\0';
}

bool watched_complete(struct replay *replay) {
    const struct trace_lines *lines = replay_lines(replay);
    const char *typed = replay->input.text;
    const size_t begin = name_begin(typed), length = strlen(typed) - begin;
    struct text common = TEXT_INIT, choices = TEXT_INIT, line = TEXT_INIT;
    size_t count = 0;
    if (!lines)
        return false;
    const struct trace_line *here = &lines->lines[replay_line(replay)];
    const struct trace_function *function = trace_function(lines->trace, here->function);
    for (uint32_t i = 0; i < function->variable_count; i++) {
        const char *name = function->variables[i].name;
        if (strncmp(name, typed + begin, length) != 0 ||
            !trace_line_shows(lines, here, function->first + i))
            continue;
        if (count++ == 0)
            text_append(&common, name);
        else
            common_prefix(&common, name);
        text_append_format(&choices, "%s%s", choices.length ? " " : "", name);
    }
    text_append_bytes(&line, typed, begin);
    text_append(&line, count ? common.data : typed + begin);
    replay_set_completion(replay, line.data, count > 1 ? choices.data : "");
    if (count == 0)
        replay_set_message(replay, _("no variable here begins with %s"), utf8_name(typed + begin));
    text_release(&common);
    text_release(&choices);
    text_release(&line);
    return true;
}
