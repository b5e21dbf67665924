#include "replay/keys/bind.h"

#include "base/message.h"
#include "base/text.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"
#include "replay/keys/action.h"

#include <stdio.h>
#include <string.h>

#define WORDS     4
#define WORD_SIZE 48
#define LINE_SIZE 256

struct line {
    const char *file;
    unsigned number;
    char words[WORDS][WORD_SIZE];
};

/* ---- one word ---- */

/* `wrong` is a complete message for each kind of word, so that it can be translated as a
 * sentence. */
static int refuse(const struct line *line, const char *wrong, struct choice *choice,
                  struct error *err) {
    char hint[SUGGESTION_TEXT];
    error_set(err, ERROR_USAGE, "%s:%u: ", line->file, line->number);
    error_append(err, wrong, utf8_name(choice->near.typed));
    error_append(err, "%s\n", suggestion_format(&choice->near, hint));
    error_append(err, _("allowed: %s"), choice->allowed.data);
    text_release(&choice->allowed);
    return -1;
}

static int read_mode(const struct line *line, enum action_mode *mode, struct error *err) {
    struct choice choice = CHOICE_INIT(line->words[1]);
    for (int i = 0; i < ACTION_MODE_COUNT; i++) {
        *mode = (enum action_mode)i;
        if (strcmp(action_mode_name(*mode), line->words[1]) == 0) {
            text_release(&choice.allowed);
            return 0;
        }
        choice_add(&choice, action_mode_name(*mode));
    }
    return refuse(line, _("'%s' is not a mode with keys"), &choice, err);
}

static int read_key(const struct line *line, struct error *err) {
    struct choice choice = CHOICE_INIT(line->words[2]);
    if (action_key_exists(line->words[2]))
        return 0;
    text_append(&choice.allowed, _("a character, Ctrl-A to Ctrl-Z,"));
    for (size_t i = 0; action_key_name(i); i++)
        choice_add(&choice, action_key_name(i));
    return refuse(line, _("'%s' is not a key"), &choice, err);
}

/* *info is NULL for the word "none". */
static int read_action(const struct line *line, enum action_mode mode,
                       const struct action_info **info, struct error *err) {
    const char *word = line->words[3];
    const struct action_info *list[ACTION_ROWS_MAX];
    struct choice choice = CHOICE_INIT(word);
    size_t count = action_list(mode, list), i;
    for (i = 0; i < count && strcmp(list[i]->name, word) != 0; i++)
        choice_add(&choice, list[i]->name);
    *info = i < count ? list[i] : NULL;
    if (!*info && strcmp(word, "none") != 0) {
        choice_add(&choice, "none");
        return refuse(line, _("'%s' is not an action of this mode"), &choice, err);
    }
    text_release(&choice.allowed);
    return 0;
}

/* ---- one line ---- */

/* The words of a line, up to a comment; at most one more than allowed is counted. */
static size_t split(const char *at, struct line *line) {
    size_t count = 0;
    for (at += strspn(at, " \t\r"); *at && count <= WORDS; at += strspn(at, " \t\r")) {
        size_t length = strcspn(at, " \t\r");
        if (*at == '#' && count != 2) /* as the third word it is a key */
            break;
        if (count < WORDS)
            snprintf(line->words[count], WORD_SIZE, "%.*s", (int)length, at);
        count++;
        at += length;
    }
    return count;
}

static int read_line(const char *text, struct line *line, struct error *err) {
    enum action_mode mode;
    const struct action_info *info;
    size_t count = split(text, line);
    if (count == 0)
        return 0;
    if (count != WORDS || strcmp(line->words[0], "bind") != 0)
        return error_set(err, ERROR_USAGE,
                         _("%s:%u: not a binding\n"
                           "allowed: bind MODE KEY ACTION, as in: bind replay x phase-next"),
                         line->file, line->number);
    if (read_mode(line, &mode, err) != 0 || read_key(line, err) != 0 ||
        read_action(line, mode, &info, err) != 0)
        return -1;
    if (!action_bind(mode, line->words[2], info))
        return error_set(err, ERROR_USAGE, _("%s:%u: too many bindings: at most %d are allowed"),
                         line->file, line->number, ACTION_BOUND_MAX);
    return 0;
}

int bind_read(const char *text, const char *file, struct error *err) {
    unsigned wrong = 0;
    struct line line = {.file = file};
    while (*text) {
        char whole[LINE_SIZE];
        struct error why = ERROR_INIT;
        size_t length = strcspn(text, "\n");
        snprintf(whole, sizeof whole, "%.*s", (int)length, text);
        line.number++;
        if (read_line(whole, &line, wrong ? &why : err) != 0)
            wrong++;
        text += length + (text[length] == '\n');
    }
    if (wrong > 1)
        error_append(
            err, message_plural("\n%u more line is wrong", "\n%u more lines are wrong", wrong - 1),
            wrong - 1);
    return wrong ? -1 : 0;
}
