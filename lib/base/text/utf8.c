/*
 * Decoding refuses everything that RFC 3629 forbids. Widths come from a table made from Unicode's
 * data, with a shortcut for the characters in most cells.
 */
#include "base/text/utf8.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters as bytes ---- */

size_t utf8_encode(uint32_t code, char bytes[UTF8_MAX]) {
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        code = UTF8_REPLACEMENT;
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    size_t count = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = count - 1; i > 0; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3f));
    bytes[0] = (char)((0xf00u >> count & 0xf0) | code);
    return count;
}

static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

struct utf8_character utf8_decode(const char *bytes, size_t length) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char lead = (unsigned char)bytes[0];
    size_t wanted = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 1;
    if (wanted == 1)
        return lead < 0x80 ? (struct utf8_character){lead, 1, true}
                           : (struct utf8_character){UTF8_REPLACEMENT, 1, false};
    uint32_t code = lead & (0x7fu >> wanted);
    size_t count = 1;
    for (; count < wanted && count < length && is_continuation(bytes[count]); count++)
        code = code << 6 | ((unsigned char)bytes[count] & 0x3f);
    if (count < wanted || code < least[wanted] || code > 0x10ffff ||
        (code >= 0xd800 && code < 0xe000))
        return (struct utf8_character){UTF8_REPLACEMENT, count, false};
    return (struct utf8_character){code, count, true};
}

uint32_t utf8_next(const char **string) {
    if ((unsigned char)**string < 0x80)
        return (uint32_t) * (*string)++;
    /* A NUL never continues a character, so nothing after it is read. */
    struct utf8_character character = utf8_decode(*string, UTF8_MAX);
    *string += character.bytes;
    return character.code;
}

size_t utf8_last(const char *bytes, size_t length) {
    size_t most = length < UTF8_MAX ? length : UTF8_MAX;
    for (size_t back = most; back > 1; back--)
        if (utf8_decode(bytes + length - back, back).bytes == back)
            return length - back;
    return length > 0 ? length - 1 : 0;
}

size_t utf8_incomplete(const char *bytes, size_t length) {
    const size_t last = utf8_last(bytes, length), count = length - last;
    const unsigned char lead = (unsigned char)bytes[last];
    const size_t wanted = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    return count < wanted ? count : 0;
}

/* ---- width ---- */

enum range_kind { ZERO, WIDE, HIDDEN, OTHER };
static const struct range {
    uint32_t first, last;
    enum range_kind kind;
} ranges[] = {
#include "base/text/utf8_ranges.inc"
};
const char utf8_unicode_version[] = UTF8_UNICODE_VERSION;

/* The characters of most cells, found without a search: ASCII, lines, blocks and braille.
 * The table has no entries for these (lib/base/tests/test_utf8.c). */
static bool is_common(uint32_t code) {
    return (code >= 0x20 && code < 0x7f) || (code >= 0x2500 && code < 0x25fd) ||
           (code >= 0x2800 && code < 0x2900);
}

static enum range_kind kind_of(uint32_t code) {
    if (is_common(code))
        return OTHER;
    if (code > 0x10ffff)
        return HIDDEN;
    size_t low = 0, high = sizeof ranges / sizeof *ranges;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else if (code < ranges[middle].first)
            high = middle;
        else
            return ranges[middle].kind;
    }
    return OTHER;
}

int utf8_width(uint32_t code) {
    enum range_kind kind = kind_of(code);
    return kind == ZERO ? 0 : kind == WIDE ? 2 : 1;
}

bool utf8_is_hidden(uint32_t code) {
    return kind_of(code) == HIDDEN;
}

int utf8_columns(const char *string) {
    int columns = 0;
    while (*string)
        columns += utf8_width(utf8_next(&string));
    return columns;
}

/* ---- cutting ---- */

/* Returns the longest prefix of whole characters, each with its marks, within both limits. */
static size_t cut(const char *string, size_t most_bytes, long most_columns) {
    const char *at = string, *end = string;
    long columns = 0;
    while (*at) {
        const char *next = at;
        int width = utf8_width(utf8_next(&next));
        if (width > 0)
            end = at;
        columns += width;
        if ((size_t)(next - string) > most_bytes || columns > most_columns)
            return (size_t)(end - string);
        at = next;
    }
    return (size_t)(at - string);
}

size_t utf8_cut_bytes(const char *string, size_t most) {
    return cut(string, most, LONG_MAX);
}

size_t utf8_cut_columns(const char *string, int most) {
    return cut(string, SIZE_MAX, most);
}

void utf8_vformat(char *buffer, size_t size, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(buffer, size, format, again);
    va_end(again);
    if (length < 0)
        buffer[0] = '\0';
    if (length < 0 || (size_t)length < size)
        return;
    char *whole = memory_alloc((size_t)length + 1);
    vsnprintf(whole, (size_t)length + 1, format, arguments);
    size_t fits = utf8_cut_bytes(whole, size - 1);
    memcpy(buffer, whole, fits);
    buffer[fits] = '\0';
    free(whole);
}

void utf8_format(char *buffer, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    utf8_vformat(buffer, size, format, arguments);
    va_end(arguments);
}

/* ---- text from elsewhere ---- */

size_t utf8_visible(char *to, const char *bytes, size_t count, enum utf8_layout layout) {
    char *end = to;
    struct utf8_character character;
    for (size_t i = 0; i < count; i += character.bytes) {
        character = utf8_decode(bytes + i, count - i);
        bool space = character.code == '\n' || character.code == '\t' || character.code == '\r';
        if (space && layout == UTF8_LINE) {
            *end++ = ' ';
        } else if (character.code == '\r') {
            if (i + 1 == count || bytes[i + 1] != '\n')
                *end++ = '\n';
        } else if (!character.valid) {
            memset(end, '?', character.bytes);
            end += character.bytes;
        } else if (!space && utf8_is_hidden(character.code)) {
            *end++ = '?';
        } else {
            memmove(end, bytes + i, character.bytes);
            end += character.bytes;
        }
    }
    return (size_t)(end - to);
}

void utf8_print(FILE *out, const char *string, enum utf8_layout layout) {
    char *shown = memory_string(string);
    fwrite(shown, 1, utf8_visible(shown, shown, strlen(shown), layout), out);
    free(shown);
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

/* True if the line end at `at` belongs to the name: the name has the same line end, followed by the
 * same character; or, as its last character, preceded by the same one (a line end before it has
 * already become a blank). Only a neighbour is compared, since a message may show only part of the
 * name. */
static bool has_line_end(const char *name, const char *message, const char *at) {
    for (const char *c = name; *c; c++) {
        if (*c != *at)
            continue;
        const char before = c > name && !is_line_end(c[-1]) ? c[-1] : ' ';
        if (c[1] ? c[1] == at[1] : c == name || (at > message && before == at[-1]))
            return true;
    }
    return false;
}

void utf8_join_names(char *message, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!strpbrk(names[i], "\n\r"))
            continue;
        for (char *at = message; *at; at++)
            if (is_line_end(*at) && has_line_end(names[i], message, at))
                *at = ' ';
    }
}

const char *utf8_name_in(char buffer[UTF8_NAME_SIZE], const char *name) {
    size_t length = strlen(name), fits = length;
    if (length >= UTF8_NAME_SIZE)
        fits = utf8_cut_bytes(name, UTF8_NAME_SIZE - 4);
    size_t end = utf8_visible(buffer, name, fits, UTF8_LINE);
    strcpy(buffer + end, fits < length ? "..." : "");
    return buffer;
}
