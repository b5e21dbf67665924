#include "cudacpu/frontend/preprocessed.h"

#include <ctype.h>
#include <string.h>

bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t line_length(const char *at, const char *end) {
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    return line_end ? (size_t)(line_end - at) + 1 : (size_t)(end - at);
}

/* Whether a marker is in the text: macros of system headers bring them into the middle of a line.
 */
bool has_marker(const char *from, size_t length) {
    for (size_t i = 0; i + 1 < length; i++)
        if (from[i] == '\n' && from[i + 1] == '#')
            return true;
    return false;
}

/* In one line and without markers. */
void append_in_line(struct text *text, const char *from, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (from[i] != '\n') {
            text_append_char(text, from[i]);
        } else {
            text_append_char(text, ' ');
            while (i + 1 < length && from[i + 1] == '#')
                i += line_length(from + i + 1, from + length);
        }
}

void append_line_ends(struct text *text, const char *from, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (from[i] == '\n')
            text_append_char(text, '\n');
}

void append_quoted(struct text *text, const char *from, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (from[i] == '"' || from[i] == '\\')
            text_append_char(text, '\\');
        text_append_char(text, from[i]);
    }
}

size_t angles_length(const char *from, const char *end, char angle) {
    const char *at = from;
    if (end - at < 3 || at[0] != angle || at[1] != angle)
        return 0;
    for (at += 2; at < end && is_blank(*at); at++)
        ;
    return at < end && *at == angle ? (size_t)(at - from) + 1 : 0;
}

/* Behind an attribute or alignas with its brackets, at `from`; `from` itself if there is none. */
const char *skip_attribute(const char *from, const char *end) {
    static const char *const words[] = {"__attribute__", "alignas", "_Alignas"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - from) <= length || memcmp(from, words[i], length) != 0)
            continue;
        const char *at = from + length;
        int depth = 0;
        do {
            depth += at < end && *at == '(';
            depth -= at < end && *at == ')';
            at++;
        } while (at < end && (depth > 0 || at[-1] != ')'));
        return at;
    }
    return from;
}

bool is_qualifier(const char *name, size_t length) {
    static const char *const words[] = {"const", "noexcept", "override", "final", "volatile"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (length == strlen(words[i]) && strncmp(name, words[i], length) == 0)
            return true;
    return false;
}

size_t quoted_length(const char *from, const char *end) {
    const char *at = from + 1;
    while (at < end && *at != *from && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return (size_t)(at - from) + (at < end && *at == *from);
}

size_t raw_string_length(const char *from, const char *end) {
    const char *open = memchr(from, '(', (size_t)(end - from));
    if (!open || open - from > 17)
        return quoted_length(from, end);
    struct text close = TEXT_INIT;
    text_append_char(&close, ')');
    text_append_bytes(&close, from + 1, (size_t)(open - from - 1));
    text_append_char(&close, '"');
    const char *found = open; /* the text may hold any byte, also a NUL */
    while (found &&
           ((size_t)(end - found) < close.length || memcmp(found, close.data, close.length) != 0))
        found = memchr(found + 1, ')', (size_t)(end - found - 1));
    size_t length = found ? (size_t)(found - from) + close.length : (size_t)(end - from);
    text_release(&close);
    return length;
}

const char *skip_name(const char *from, const char *end) {
    const char *at = from;
    int angles_open = 0;
    while (at < end && (is_name(*at) || *at == ':'))
        at++;
    if (at == from || isdigit((unsigned char)*from) || at == end || *at != '<')
        return isdigit((unsigned char)*from) ? from : at;
    for (const char *inside = at; inside < end && !strchr("();{}\n\"", *inside); inside++) {
        angles_open += (*inside == '<') - (*inside == '>');
        if (angles_open == 0)
            return inside + 1;
    }
    return from;
}

const char *skip_spaces(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

const char *skip_cast(const char *from, const char *end) {
    static const char *const parts[] = {"(", "const ", "void", "*", ")"};
    const char *at = from;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        size_t length = strlen(parts[i]);
        if ((size_t)(end - at) > length && strncmp(at, parts[i], length) == 0)
            at = skip_spaces(at + length, end);
        else if (i != 1)
            return NULL;
    }
    return at;
}
