/*
 * Reads the lines of a file with their numbers, checks them for bytes that no text should have, and
 * reports errors in them. The parsers that use this reader only decide what a line means.
 */
#include "lesson/reader.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blanks out bytes that must not reach a terminal; the caller has already read them. */
static void clean(struct reader *reader, const char *source, size_t from, size_t bytes) {
    if (!reader->cleaned) {
        reader->cleaned = memory_string(source);
        reader->next = reader->cleaned + (reader->next - source);
    }
    memset(reader->cleaned + from, ' ', bytes);
}

int reader_open(struct reader *reader, const struct lesson_source *source,
                lesson_complain_fn *complain, void *context, struct error *err) {
    *reader = (struct reader){.path = source->path,
                              .next = source->text,
                              .text = TEXT_INIT,
                              .err = err,
                              .complain = complain,
                              .context = context};
    if (strncmp(reader->next, "\xef\xbb\xbf", 3) == 0) /* the mark with which some editors begin */
        reader->next += 3;
    int line = 1, told = 0;
    for (const char *c = reader->next; *c;) {
        struct utf8_character character = utf8_decode(c, UTF8_MAX);
        if (!character.valid)
            return reader_fail_at(reader, line,
                                  _("byte 0x%02x is not UTF-8\nallowed: text in UTF-8\n"
                                    "try: save the file as UTF-8"),
                                  (unsigned char)*c);
        bool line_end = *c == '\n' || (c[0] == '\r' && c[1] == '\n');
        if (utf8_is_hidden(character.code) && *c != '\t' && !line_end) {
            if (line > told)
                reader_fail_at(reader, line,
                               _("control character 0x%02x\nallowed: text, tabs and line ends\n"
                                 "try: delete it"),
                               character.code);
            if (line > told && !reader_may_continue(reader))
                return -1;
            told = line; /* once per line */
            clean(reader, source->text, (size_t)(c - source->text), character.bytes);
        }
        line += *c == '\n';
        c += character.bytes;
    }
    return 0;
}

bool reader_next(struct reader *reader) {
    text_clear(&reader->text);
    if (!*reader->next)
        return false;
    size_t length = strcspn(reader->next, "\n");
    const char *next = reader->next + length + (reader->next[length] == '\n');
    reader->last = reader->next;
    while (length > 0 && strchr(" \t\r", reader->next[length - 1]))
        length--;
    text_append_bytes(&reader->text, reader->next, length);
    reader->next = next;
    reader->line++;
    return true;
}

void reader_back(struct reader *reader) {
    reader->next = reader->last;
    reader->line--;
}

void reader_close(struct reader *reader) {
    text_release(&reader->text);
    free(reader->cleaned);
}

size_t reader_heading(const char *line) {
    size_t level = strspn(line, "#");
    return level > 0 && (line[level] == ' ' || line[level] == '\t' || !line[level]) ? level : 0;
}

bool reader_is_past_block(struct reader *reader) {
    const size_t level = reader_heading(reader->text.data);
    if (level < 2 || level > 3)
        return false;
    reader_back(reader);
    return true;
}

int reader_fail_at(struct reader *reader, int line, const char *format, ...) {
    struct text text = TEXT_INIT;
    va_list arguments;
    va_start(arguments, format);
    text_append_vformat(&text, format, arguments);
    va_end(arguments);
    error_set(reader->err, ERROR_USAGE, "%s:%d: %s", reader->path, line, text.data);
    text_release(&text);
    return -1;
}

bool reader_may_continue(struct reader *reader) {
    if (!reader->complain)
        return false;
    reader->complain(reader->context, reader->err->text);
    reader->faults++;
    return true;
}

const char *reader_quote(const char *given, char buffer[READER_QUOTE]) {
    size_t length = strlen(given);
    if (length >= READER_QUOTE) {
        length = utf8_cut_bytes(given, READER_QUOTE - 4);
    }
    snprintf(buffer, READER_QUOTE, "%.*s%s", (int)length, given, given[length] ? "..." : "");
    return buffer;
}

const char *reader_suggest(const char *given, const char *const *names, char buffer[READER_QUOTE]) {
    struct suggestion suggestion = {given, NULL, 0};
    for (; *names; names++)
        suggestion_consider(&suggestion, *names);
    buffer[0] = '\0';
    if (suggestion.nearest)
        snprintf(buffer, READER_QUOTE, _("\ndid you mean '%.40s'?"), suggestion.nearest);
    return buffer;
}

char *reader_trim(char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

bool reader_key(char *line, char **key, char **value) {
    static const char wide[] = "："; /* as typed on a Chinese keyboard */
    char *colon = strchr(line, ':'), *wide_colon = strstr(line, wide);
    size_t length = 1;
    if (wide_colon && (!colon || wide_colon < colon)) {
        colon = wide_colon;
        length = strlen(wide);
    }
    if (!colon)
        return false;
    *colon = '\0';
    *key = reader_trim(line);
    *value = reader_trim(colon + length);
    return true;
}

char *reader_word(char **rest) {
    static const char blanks[] = " \t,";
    char *word = *rest + strspn(*rest, blanks);
    if (!*word)
        return NULL;
    size_t length = strcspn(word, blanks);
    *rest = word + length + (word[length] != '\0');
    word[length] = '\0';
    return word;
}

bool reader_is_name(const char *text) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    return *text && text[strspn(text, allowed)] == '\0';
}

bool reader_number(const char *text, uint64_t most, uint64_t *number) {
    if (!*text || strlen(text) > 19 || text[strspn(text, "0123456789")])
        return false;
    *number = strtoull(text, NULL, 10);
    return *number <= most;
}

static bool read_lane(const char **text, int *lane) {
    size_t digits = strspn(*text, "0123456789");
    if (digits < 1 || digits > 2)
        return false;
    *lane = atoi(*text);
    *text += digits;
    return *lane < WARP_LANES;
}

bool reader_lanes(const char *text, uint32_t *lanes) {
    *lanes = strcmp(text, "all") == 0 ? WARP_FULL_MASK : 0;
    if (*lanes || strcmp(text, "none") == 0)
        return true;
    do {
        int first, last;
        text += strspn(text, " ,");
        if (!read_lane(&text, &first))
            return false;
        last = first;
        if (*text == '-' && (text++, !read_lane(&text, &last)))
            return false;
        for (int lane = first; lane <= last; lane++)
            *lanes |= 1u << lane;
        if (last < first || !(*text == '\0' || *text == ',' || *text == ' '))
            return false;
    } while (*text);
    return true;
}
