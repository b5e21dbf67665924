#include "base/text.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char text_empty[1];

void text_init(struct text *text) {
    text->data = text_empty;
    text->length = text->capacity = 0;
}

void text_release(struct text *text) {
    if (text->capacity)
        free(text->data);
    text_init(text);
}

void text_clear(struct text *text) {
    text->length = 0;
    if (text->capacity)
        text->data[0] = '\0';
}

/* Makes room for `extra` more bytes and the NUL. */
static void text_reserve(struct text *text, size_t extra) {
    size_t needed = text->length + extra + 1;
    if (needed <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity * 2 : 64;
    if (capacity < needed)
        capacity = needed;
    text->data = memory_grow(text->capacity ? text->data : NULL, capacity, 1);
    text->capacity = capacity;
}

void text_append_bytes(struct text *text, const void *bytes, size_t count) {
    if (count == 0)
        return;
    text_reserve(text, count);
    memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void text_append(struct text *text, const char *string) {
    text_append_bytes(text, string, strlen(string));
}

void text_append_char(struct text *text, char c) {
    text_reserve(text, 1);
    text->data[text->length++] = c;
    text->data[text->length] = '\0';
}

void text_append_vformat(struct text *text, const char *format, va_list arguments) {
    /* Most formatted texts are short: with a little room reserved, they are formatted once. */
    va_list again;
    text_reserve(text, 32);
    size_t room = text->capacity - text->length;
    va_copy(again, arguments);
    int wanted = vsnprintf(text->data + text->length, room, format, again);
    va_end(again);
    if (wanted >= 0 && (size_t)wanted >= room) {
        text_reserve(text, (size_t)wanted);
        vsnprintf(text->data + text->length, (size_t)wanted + 1, format, arguments);
    }
    text->length += wanted > 0 ? (size_t)wanted : 0;
    text->data[text->length] = '\0';
}

void text_append_format(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_append_vformat(text, format, arguments);
    va_end(arguments);
}

void text_append_column(struct text *text, const char *string, int columns) {
    int blanks = abs(columns) - utf8_columns(string);
    text_append_format(text, "%*s", columns < 0 && blanks > 0 ? blanks : 0, "");
    text_append(text, string);
    text_append_format(text, "%*s", columns > 0 && blanks > 0 ? blanks : 0, "");
}

void text_append_utf8(struct text *text, uint32_t code) {
    text_reserve(text, UTF8_MAX);
    text->length += utf8_encode(code, text->data + text->length);
    text->data[text->length] = '\0';
}

void text_append_visible(struct text *text, const char *string, enum utf8_layout layout) {
    size_t start = text->length, count = strlen(string);
    text_append_bytes(text, string, count);
    if (count == 0)
        return;
    text->length = start + utf8_visible(text->data + start, text->data + start, count, layout);
    text->data[text->length] = '\0';
}

bool string_ends_with(const char *string, const char *end) {
    const size_t length = strlen(string), tail = strlen(end);
    return length >= tail && memcmp(string + length - tail, end, tail) == 0;
}

bool bytes_contain(const char *bytes, size_t count, const char *word, size_t length) {
    for (size_t at = 0; at + length <= count; at++)
        if (strncasecmp(bytes + at, word, length) == 0)
            return true;
    return false;
}

bool string_contains(const char *string, const char *word) {
    return bytes_contain(string, strlen(string), word, strlen(word));
}

char *text_detach(struct text *text) {
    char *string = text->capacity ? text->data : memory_string("");
    text_init(text);
    return string;
}
