/*
 * text.h - a growing string. `data` is always NUL-terminated and never NULL (an empty text points
 * to a shared empty string that must not be written). `length` does not count the NUL. Its owner
 * releases it.
 */
#ifndef SHFLVIZ_BASE_TEXT_H
#define SHFLVIZ_BASE_TEXT_H

#include "base/text/utf8.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data;
    size_t length;
    size_t capacity; /* bytes owned; 0 while data is the shared empty string */
};

extern char text_empty[1];
#define TEXT_INIT                                                                                  \
    { text_empty, 0, 0 }

void text_init(struct text *text);
void text_release(struct text *text); /* frees and makes it empty again */
void text_clear(struct text *text);   /* makes it empty, keeps the memory */
void text_append(struct text *text, const char *string);
void text_append_bytes(struct text *text, const void *bytes, size_t count);
void text_append_char(struct text *text, char c);
void text_append_format(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_append_vformat(struct text *text, const char *format, va_list arguments);

/* Appends a string padded to at least `columns` columns: left-aligned or, if `columns` is
 * negative, right-aligned in -columns. printf would count bytes. */
void text_append_column(struct text *text, const char *string, int columns);
/* One character as UTF-8. */
void text_append_utf8(struct text *text, uint32_t code);
/* Bytes from outside, filtered by utf8_visible(). */
void text_append_visible(struct text *text, const char *string, enum utf8_layout layout);

bool string_ends_with(const char *string, const char *end);
/* True if the first `count` bytes contain the word; the case of ASCII letters does not matter. */
bool bytes_contain(const char *bytes, size_t count, const char *word, size_t length);
bool string_contains(const char *string, const char *word);

/* Passes the string to the caller, who frees it; the text becomes empty. Never NULL. */
char *text_detach(struct text *text);

#endif
