/*
 * Reads words by a table and stores each value in its field. It does not know any option by name,
 * so that commands and lessons can have tables of their own.
 */
#include "launch/option.h"

#include "base/complaint.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text/suggest.h"
#include "launch/number.h"
#include "launch/word_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding ---- */

int option_find(const struct option_reader *reader, const char *name, size_t length) {
    int found = -1;
    for (int id = 0; id < reader->count; id++) {
        const char *known = reader->option(id)->name;
        if (strlen(known) != length || memcmp(known, name, length) != 0)
            continue;
        if (reader->allowed & OPTION_BIT(id))
            return id;
        found = found < 0 ? id : found;
    }
    return found;
}

static int find_letter(const struct option_reader *reader, char letter) {
    for (int id = 0; id < reader->count; id++)
        if (reader->option(id)->letter && reader->option(id)->letter == letter)
            return id;
    return -1;
}

void options_list(struct text *text, const struct option_reader *reader, option_set set) {
    for (int id = 0; id < reader->count; id++)
        if (set & OPTION_BIT(id) && !reader->option(id)->is_hidden)
            text_append_format(text, "%s--%s", text->length ? " " : "", reader->option(id)->name);
}

static int unknown_option(const struct option_reader *reader, const char *typed, const char *name,
                          struct error *err) {
    struct suggestion suggestion = {name, NULL, 0};
    for (int id = 0; id < reader->count; id++)
        if (reader->allowed & OPTION_BIT(id) && !reader->option(id)->is_hidden)
            suggestion_consider(&suggestion, reader->option(id)->name);
    char meant[SUGGESTION_TEXT] = "";
    if (suggestion.nearest)
        snprintf(meant, sizeof(meant), _("; did you mean --%s?"), suggestion.nearest);
    struct text allowed = TEXT_INIT;
    options_list(&allowed, reader, reader->allowed);
    error_set(err, ERROR_USAGE,
              _("%s: %s: no option of that name%s\nallowed: %s\n"
                "try: %s"),
              reader->name, typed, meant, allowed.data, reader->help);
    text_release(&allowed);
    return -1;
}

/* ---- values ---- */

int option_value_index(const char *values, const char *word) {
    size_t length = strlen(word);
    int index = 0;
    for (const char *at = values; *at; index++) {
        size_t at_length = strcspn(at, " ");
        if (at_length == length && memcmp(at, word, length) == 0)
            return index;
        at += at_length;
        at += strspn(at, " ");
    }
    return -1;
}

_Static_assert(sizeof(enum option_kind) == sizeof(unsigned), "enums are stored as unsigned");

static int store_choice(void *field, const struct option_info *option, const char *value,
                        struct error *err) {
    int index = option_value_index(option->values, value);
    if (index < 0)
        return complain(err, option->name, value, _("is not a value of this option"),
                        option->values, NULL);
    const unsigned number = (unsigned)(option->least + (unsigned)index);
    memcpy(field, &number, sizeof(number));
    return 0;
}

static int store(void *target, const struct option_info *option, const char *value,
                 struct error *err) {
    char dashed[32];
    if (option->kind == OPTION_PARSED)
        return option->parse(target, value, err);
    if (option->field == OPTION_NO_FIELD)
        return 0;
    void *field = (char *)target + option->field;
    snprintf(dashed, sizeof(dashed), "--%s", option->name);
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return 0;
    case OPTION_BITS:
        *(uint32_t *)field |= (uint32_t)option->least;
        return 0;
    case OPTION_CHOICE:
        return store_choice(field, option, value, err);
    case OPTION_U32:
        return number_parse_u32(dashed, value, (uint32_t)option->least, (uint32_t)option->most,
                                field, err);
    case OPTION_WORDS:
        words_add(field, value);
        return 0;
    case OPTION_U64:
        return number_parse_u64(dashed, value, option->least, option->most, field, err);
    default:
        *(const char **)field = value;
        return 0;
    }
}

/* ---- reading words ---- */

/* The words still to be read. */
struct words {
    int count;
    char **next;
};

/* True for a word that is meant as an option rather than a value: "--width", not "-1". */
static bool looks_like_option(const struct option_reader *reader, const char *word) {
    return word[0] == '-' && word[1] == '-' &&
           (word[2] == '\0' || option_find(reader, word + 2, strcspn(word + 2, "=")) >= 0);
}

/* Takes the option's value: the rest of the same word, or the next word. */
static int take_value(const struct option_reader *reader, const struct option_info *option,
                      const char *attached, struct words *words, const char **value,
                      struct error *err) {
    *value = attached;
    if (attached)
        return 0;
    if (words->count == 0)
        return error_set(err, ERROR_USAGE, _("%s: --%s needs a value, %s\ntry: %s"), reader->name,
                         option->name, option->argument, reader->help);
    if (looks_like_option(reader, *words->next))
        return error_set(err, ERROR_USAGE,
                         _("%s: --%s needs a value, %s, but the option %s follows\ntry: %s"),
                         reader->name, option->name, option->argument, *words->next, reader->help);
    *value = *words->next++;
    words->count--;
    return 0;
}

/* One option, found: its value is in `attached` or in the next word. */
static int read_option(struct option_reader *reader, int id, const char *attached,
                       struct words *words, struct error *err) {
    const struct option_info *option = reader->option(id);
    const char *value = "";
    if (!(reader->allowed & OPTION_BIT(id)))
        return reader->misplaced(reader, id, err);
    if (option->argument && take_value(reader, option, attached, words, &value, err) != 0)
        return -1;
    if (!option->argument && attached)
        return error_set(err, ERROR_USAGE, _("%s: --%s=%s: takes no value\ntry: --%s"),
                         reader->name, option->name, attached, option->name);
    if (store(reader->target, option, value, err) != 0)
        return error_prefix(err, "%s", reader->name);
    reader->given |= OPTION_BIT(id);
    reader->typed[id] = value;
    return 0;
}

static int read_word(struct option_reader *reader, struct words *words, struct error *err) {
    char *word = *words->next++;
    words->count--;
    if (strncmp(word, "--", 2) == 0) {
        size_t length = strcspn(word + 2, "=");
        int id = option_find(reader, word + 2, length);
        if (id >= 0)
            return read_option(reader, id, word[2 + length] ? word + 2 + length + 1 : NULL, words,
                               err);
        char *name = memory_string(word + 2);
        name[length] = '\0';
        int status = unknown_option(reader, word, name, err);
        free(name);
        return status;
    }
    if (word[0] == '-' && word[1] != '\0') {
        int id = find_letter(reader, word[1]);
        if (id < 0 || (!reader->option(id)->argument && word[2] != '\0'))
            return unknown_option(reader, word, word + 1, err);
        return read_option(reader, id, word[2] ? word + 2 : NULL, words, err);
    }
    reader->operands[reader->operand_count++] = word;
    return 0;
}

int options_read(struct option_reader *reader, int count, char **words, struct error *err) {
    struct words left = {count, words};
    while (left.count > 0 && strcmp(*left.next, "--") != 0)
        if (read_word(reader, &left, err) != 0)
            return -1;
    reader->dashes = reader->operand_count;
    for (int i = 1; i < left.count; i++)
        reader->operands[reader->operand_count++] = left.next[i];
    return 0;
}
