/*
 * One pass over the bytes of a .po file, line by line. An entry is kept only if all its forms take
 * the same arguments as the original, since a wrong conversion would crash printf().
 * Entries go into a hash table with open addressing: a screen looks up every text it draws.
 */
#include "base/catalogue.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the arguments of a format ---- */

enum { ARGUMENTS_MAX = 9 }; /* "%9$s" */

/* The conversion of each argument: length and letter, as in "lu"; "" if it is not converted. */
struct arguments {
    char type[ARGUMENTS_MAX][4];
    int next; /* for conversions without a number */
};

static bool take(struct arguments *arguments, int number, const char *type) {
    const int at = number ? number - 1 : arguments->next++;
    if (at >= ARGUMENTS_MAX)
        return false;
    if (arguments->type[at][0] && strcmp(arguments->type[at], type) != 0)
        return false;
    strcpy(arguments->type[at], type);
    return true;
}

/* For "2$" at *at, returns 2 and moves *at past it; otherwise returns 0. */
static int numbered(const char **at) {
    if ((*at)[0] < '1' || (*at)[0] > '9' || (*at)[1] != '$')
        return 0;
    const int number = (*at)[0] - '0';
    *at += 2;
    return number;
}

/* A width or a precision: digits, or '*' with an argument of its own. */
static bool read_size(struct arguments *arguments, const char **at) {
    if (**at == '*') {
        ++*at;
        return take(arguments, numbered(at), "d");
    }
    while (**at >= '0' && **at <= '9')
        ++*at;
    return true;
}

/* Reads a conversion after its '%'. */
static bool read_conversion(struct arguments *arguments, const char **at) {
    const int number = numbered(at);
    while (**at && strchr("-+ #0'", **at))
        ++*at;
    if (!read_size(arguments, at))
        return false;
    if (**at == '.') {
        ++*at;
        if (!read_size(arguments, at))
            return false;
    }
    char type[4] = "";
    size_t length = 0;
    while (**at && strchr("hljztL", **at) && length < 2)
        type[length++] = *(*at)++;
    if (!**at || !strchr("diouxXcsfFeEgGap", **at))
        return false;
    type[length] = *(*at)++;
    if (type[length] == 'i')
        type[length] = 'd';
    return take(arguments, number, type);
}

static bool read_arguments(const char *format, struct arguments *arguments) {
    memset(arguments, 0, sizeof *arguments);
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        at++;
        if (*at == '%')
            at++;
        else if (!read_conversion(arguments, &at))
            return false;
    }
    return true;
}

bool catalogue_formats_match(const char *english, const char *translation) {
    struct arguments wanted, taken;
    if (!read_arguments(english, &wanted))
        return true;
    return read_arguments(translation, &taken) &&
           memcmp(wanted.type, taken.type, sizeof wanted.type) == 0;
}

/* ---- plural forms ---- */

enum { FORMS_MAX = 2 };

/* The known rules, without blanks. A language that needs another one adds it here. */
static const struct plural_rule {
    const char *text;
    unsigned forms;
    bool none_is_one; /* 0 takes the form of 1 */
} plural_rules[] = {
    {"nplurals=1;plural=0;", 1, false},    {"nplurals=2;plural=(n!=1);", 2, false},
    {"nplurals=2;plural=n!=1;", 2, false}, {"nplurals=2;plural=(n>1);", 2, true},
    {"nplurals=2;plural=n>1;", 2, true},
};

static unsigned plural_form(const struct plural_rule *rule, unsigned long count) {
    return rule->forms == 2 && count != 1 && !(rule->none_is_one && count == 0);
}

/* ---- the entries ---- */

struct entry {
    char *english; /* NULL: an empty slot of the table */
    char *forms[FORMS_MAX];
};

struct catalogue {
    struct entry *table; /* open addressing; its size is a power of two, at least a third empty */
    size_t size;
    size_t count;
    const struct plural_rule *plural;
    char **left_out;
    size_t left_out_count;
};

static uint32_t hash(const char *text) { /* FNV-1a */
    uint32_t value = 2166136261u;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 16777619u;
    return value;
}

static struct entry *place_of(const struct catalogue *catalogue, const char *english) {
    size_t at = hash(english) & (catalogue->size - 1);
    while (catalogue->table[at].english && strcmp(catalogue->table[at].english, english) != 0)
        at = (at + 1) & (catalogue->size - 1);
    return &catalogue->table[at];
}

static void grow_table(struct catalogue *catalogue) {
    struct entry *old = catalogue->table;
    const size_t old_size = catalogue->size;
    catalogue->size = old_size ? 2 * old_size : 256;
    catalogue->table = memory_zeroed(catalogue->size, sizeof *catalogue->table);
    for (size_t i = 0; i < old_size; i++)
        if (old[i].english)
            *place_of(catalogue, old[i].english) = old[i];
    free(old);
}

static void entry_release(struct entry *entry) {
    free(entry->english);
    for (int i = 0; i < FORMS_MAX; i++)
        free(entry->forms[i]);
}

size_t catalogue_count(const struct catalogue *catalogue) {
    return catalogue->count;
}

const char *catalogue_left_out(const struct catalogue *catalogue, size_t index) {
    return index < catalogue->left_out_count ? catalogue->left_out[index] : NULL;
}

const char *catalogue_find(const struct catalogue *catalogue, const char *english) {
    return place_of(catalogue, english)->forms[0];
}

const char *catalogue_find_plural(const struct catalogue *catalogue, const char *one,
                                  unsigned long count) {
    const struct entry *entry = place_of(catalogue, one);
    return entry->english ? entry->forms[plural_form(catalogue->plural, count)] : NULL;
}

void catalogue_free(struct catalogue *catalogue) {
    if (!catalogue)
        return;
    for (size_t i = 0; i < catalogue->size; i++)
        entry_release(&catalogue->table[i]);
    for (size_t i = 0; i < catalogue->left_out_count; i++)
        free(catalogue->left_out[i]);
    free(catalogue->left_out);
    free(catalogue->table);
    free(catalogue);
}

/* ---- reading ---- */

/* The parts of the entry being read, and the part to which the next string belongs. */
enum part { PART_ID, PART_PLURAL, PART_FORM, PART_COUNT = PART_FORM + FORMS_MAX };

struct reader {
    struct catalogue *catalogue;
    struct text part[PART_COUNT];
    bool seen[PART_COUNT];
    int current; /* -1: a string is not allowed here */
    bool fuzzy;
    unsigned line;
    struct error *err;
};

static int syntax_error(struct reader *reader, const char *what) {
    return error_set(reader->err, ERROR_USAGE, "line %u: %s", reader->line, what);
}

static int use_header(struct reader *reader, const char *header) {
    const char *found = strstr(header, "Plural-Forms:");
    if (!found)
        return 0;
    struct text rule = TEXT_INIT;
    for (found += strlen("Plural-Forms:"); *found && *found != '\n'; found++)
        if (*found != ' ')
            text_append_char(&rule, *found);
    const struct plural_rule *known = NULL;
    for (size_t i = 0; i < sizeof plural_rules / sizeof *plural_rules; i++)
        if (strcmp(plural_rules[i].text, rule.data) == 0)
            known = &plural_rules[i];
    text_release(&rule);
    if (!known)
        return syntax_error(reader,
                            "Plural-Forms is not one of those that lib/base/catalogue.c knows");
    reader->catalogue->plural = known;
    return 0;
}

static void start_entry(struct reader *reader) {
    for (int i = 0; i < PART_COUNT; i++) {
        text_clear(&reader->part[i]);
        reader->seen[i] = false;
    }
    reader->current = -1;
    reader->fuzzy = false;
}

/* True if the entry may be used: all forms are there, none is empty, all take the same
 * arguments. */
static bool entry_is_good(const struct reader *reader) {
    const char *english = reader->part[reader->seen[PART_PLURAL] ? PART_PLURAL : PART_ID].data;
    const unsigned forms = reader->seen[PART_PLURAL] ? reader->catalogue->plural->forms : 1;
    for (unsigned i = 0; i < forms; i++) {
        const struct text *form = &reader->part[PART_FORM + i];
        if (form->length == 0 || !catalogue_formats_match(english, form->data))
            return false;
    }
    return !reader->fuzzy;
}

static int end_entry(struct reader *reader) {
    struct catalogue *catalogue = reader->catalogue;
    int status = 0;
    if (!reader->seen[PART_ID])
        return 0;
    if (!reader->seen[PART_FORM])
        return syntax_error(reader, "an entry ends without msgstr");
    if (reader->part[PART_ID].length == 0) {
        status = use_header(reader, reader->part[PART_FORM].data);
    } else if (place_of(catalogue, reader->part[PART_ID].data)->english) {
        status = syntax_error(reader, "the same msgid was there before");
    } else if (entry_is_good(reader)) {
        struct entry *entry = place_of(catalogue, reader->part[PART_ID].data);
        entry->english = text_detach(&reader->part[PART_ID]);
        for (int i = 0; i < FORMS_MAX; i++)
            if (reader->seen[PART_FORM + i])
                entry->forms[i] = text_detach(&reader->part[PART_FORM + i]);
        if (3 * ++catalogue->count > 2 * catalogue->size)
            grow_table(catalogue);
    } else if (reader->part[PART_FORM].length > 0) {
        catalogue->left_out =
            memory_grow(catalogue->left_out, catalogue->left_out_count + 1, sizeof(char *));
        catalogue->left_out[catalogue->left_out_count++] = text_detach(&reader->part[PART_ID]);
    }
    start_entry(reader);
    return status;
}

/* The conversions of integers of a fixed width: "<PRIu64>" in a .po file is "lu" on some machines
 * and "llu" on others. */
static const struct macro {
    const char *name, *value;
} macros[] = {
    {"<PRId32>", PRId32}, {"<PRIi32>", PRIi32}, {"<PRIu32>", PRIu32}, {"<PRIx32>", PRIx32},
    {"<PRId64>", PRId64}, {"<PRIi64>", PRIi64}, {"<PRIu64>", PRIu64}, {"<PRIx64>", PRIx64},
};

/* Appends the macro at `at` and returns its last character, or NULL if there is no macro. */
static const char *read_macro(struct text *part, const char *at, const char *end) {
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++) {
        const size_t length = strlen(macros[i].name);
        if ((size_t)(end - at) >= length && memcmp(at, macros[i].name, length) == 0) {
            text_append(part, macros[i].value);
            return at + length - 1;
        }
    }
    return NULL;
}

/* Appends the quoted string at `at` to the current part. Only blanks may follow it on the line. */
static int read_string(struct reader *reader, const char *at, const char *end) {
    if (reader->current < 0)
        return syntax_error(reader, "a string without a keyword");
    struct text *part = &reader->part[reader->current];
    if (at == end || *at != '"')
        return syntax_error(reader, "'\"' expected");
    for (at++; at < end && *at != '"'; at++) {
        const char *after = *at == '<' ? read_macro(part, at, end) : NULL;
        if (after) {
            at = after;
            continue;
        }
        if (*at != '\\') {
            text_append_char(part, *at);
            continue;
        }
        static const char letters[] = "nt\\\"", meanings[] = "\n\t\\\"";
        const char *letter = ++at < end ? strchr(letters, *at) : NULL;
        if (!letter)
            return syntax_error(reader, "after '\\' only n, t, \\ and \" are known");
        text_append_char(part, meanings[letter - letters]);
    }
    if (at == end)
        return syntax_error(reader, "the string does not end on its line");
    for (at++; at < end; at++)
        if (*at != ' ' && *at != '\t' && *at != '\r')
            return syntax_error(reader, "something follows the string");
    return 0;
}

static const struct keyword {
    const char *word;
    enum part part;
} keywords[] = {
    {"msgid", PART_ID},       {"msgid_plural", PART_PLURAL}, {"msgstr", PART_FORM},
    {"msgstr[0]", PART_FORM}, {"msgstr[1]", PART_FORM + 1},
};

static int read_keyword(struct reader *reader, const char *at, const char *end) {
    const size_t length = strcspn(at, " \t\n\"");
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        const struct keyword *keyword = &keywords[i];
        if (strlen(keyword->word) != length || memcmp(keyword->word, at, length) != 0)
            continue;
        /* If a comment precedes msgid, the previous entry has already ended. */
        if (keyword->part == PART_ID && reader->seen[PART_ID] && end_entry(reader) != 0)
            return -1;
        if (reader->seen[keyword->part])
            return syntax_error(reader, "the same keyword twice in an entry");
        if (keyword->part != PART_ID && !reader->seen[PART_ID])
            return syntax_error(reader, "the entry does not begin with msgid");
        reader->seen[keyword->part] = true;
        reader->current = (int)keyword->part;
        for (at += length; at < end && (*at == ' ' || *at == '\t');)
            at++;
        return read_string(reader, at, end);
    }
    return syntax_error(reader, "expected: msgid, msgid_plural, msgstr, a string or a comment");
}

static int read_line(struct reader *reader, const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    if (at == end)
        return 0;
    if (*at == '"')
        return read_string(reader, at, end);
    if (*at != '#')
        return read_keyword(reader, at, end);
    /* Comments precede an entry, so they end the previous one. */
    if (end_entry(reader) != 0)
        return -1;
    if (end - at >= 2 && at[1] == ',' && memmem(at, (size_t)(end - at), "fuzzy", 5))
        reader->fuzzy = true;
    return 0;
}

struct catalogue *catalogue_read(const char *po, struct error *err) {
    struct reader reader = {.catalogue = memory_zeroed(1, sizeof *reader.catalogue), .err = err};
    for (int i = 0; i < PART_COUNT; i++)
        text_init(&reader.part[i]);
    reader.catalogue->plural = &plural_rules[0];
    grow_table(reader.catalogue);
    start_entry(&reader);

    int status = 0;
    while (status == 0 && *po) {
        const char *end = po + strcspn(po, "\n");
        reader.line++;
        status = read_line(&reader, po, end);
        po = *end ? end + 1 : end;
    }
    if (status == 0)
        status = end_entry(&reader);

    for (int i = 0; i < PART_COUNT; i++)
        text_release(&reader.part[i]);
    if (status == 0)
        return reader.catalogue;
    catalogue_free(reader.catalogue);
    return NULL;
}
