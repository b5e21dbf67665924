/*
 * utf8.h - characters as bytes, their width on a terminal, and text from elsewhere made safe to
 * show.
 *
 * Strict (RFC 3629): overlong forms, surrogates and numbers beyond U+10FFFF are refused. A bad
 * sequence counts as one bad character: a lead byte together with the continuation bytes that
 * follow, at most as many as it announced; any other byte that cannot begin a character counts by
 * itself.
 *
 * Widths come from the Unicode Character Database (utf8_ranges.inc, written by unicode/ranges.py),
 * because the C library's wcwidth() depends on the locale and a screen must not:
 *   2  East Asian Wide and Fullwidth, which includes emoji that are drawn as pictures by default
 *   0  marks that are drawn onto the character before (categories Mn and Me, so variation selectors
 *      too), the joiners U+200C and U+200D, vowels and finals of decomposed Hangul
 *   1  all others, and each character that must not be shown, because a sign is shown instead
 * A sequence is as wide as its characters together: an emoji of four joined ones takes eight
 * columns, and U+FE0F widens nothing. Terminals that do not join (tmux before 3.4, xterm) agree.
 */
#ifndef SHFLVIZ_BASE_UTF8_H
#define SHFLVIZ_BASE_UTF8_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define UTF8_MAX         4 /* bytes of the longest character */
#define UTF8_REPLACEMENT 0xfffdu

/* Writes a character's bytes, without a NUL, and returns how many. Numbers that are
 * not characters (surrogates, those beyond U+10FFFF) are written as U+FFFD. */
size_t utf8_encode(uint32_t code, char bytes[UTF8_MAX]);

struct utf8_character {
    uint32_t code; /* U+FFFD for a bad sequence */
    size_t bytes;  /* at least 1 */
    bool valid;
};
/* The first character of `bytes`; `length` is at least 1. */
struct utf8_character utf8_decode(const char *bytes, size_t length);
/* The first character of a string that is not empty; moves *string past it. */
uint32_t utf8_next(const char **string);
/* The offset of the last character of `bytes`: the length that remains when it is deleted. */
size_t utf8_last(const char *bytes, size_t length);
/* The number of bytes at the end of `bytes` that begin a character but do not complete it; `length`
 * is at least 1. */
size_t utf8_incomplete(const char *bytes, size_t length);

extern const char utf8_unicode_version[]; /* of the table: "15.0.0" */
/* Columns of a character: 0, 1 or 2. */
int utf8_width(uint32_t code);
/* True if a terminal could act on the character, or if it could change how others are shown while
 * being invisible: controls (C0, DEL, C1), bidirectional controls, line and paragraph separators,
 * U+FEFF and other format characters, numbers beyond U+10FFFF. The joiners are not hidden: words of
 * some languages need them. */
bool utf8_is_hidden(uint32_t code);
/* Columns of a string on a screen, where a sign replaces a bad or hidden character. */
int utf8_columns(const char *string);

/* The number of bytes of a string that fit into `most` bytes or columns without splitting a
 * character, or separating it from the marks after it. */
size_t utf8_cut_bytes(const char *string, size_t most);
size_t utf8_cut_columns(const char *string, int most);
/* Like snprintf(), with a `size` of at least 1, but cuts the text between two characters. */
void utf8_format(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void utf8_vformat(char *buffer, size_t size, const char *format, va_list arguments);

enum utf8_layout {
    UTF8_LINE,  /* line ends and tabs become blanks: a name cannot begin a line of its own */
    UTF8_LINES, /* they are kept; "\r\n" and "\r" become "\n" */
};
/*
 * The only way in which bytes from outside (file names, recordings, lessons, what programs print,
 * the environment) may reach a terminal: each hidden character and each byte of a bad sequence
 * becomes '?'.
 * Writes at most `count` bytes, no NUL, and returns how many; `to` may be `bytes`.
 * text_append_visible() (base/text.h) is the same for a text.
 */
size_t utf8_visible(char *to, const char *bytes, size_t count, enum utf8_layout layout);
void utf8_print(FILE *out, const char *string, enum utf8_layout layout);
/* Replaces with blanks the line ends in a message that belong to one of the names in it (as given
 * on the command line), so that a name cannot begin a line that reads as ours. */
void utf8_join_names(char *message, const char *const *names, size_t count);
/* A name within a message: one visible line that lives as long as the enclosing block. A longer one
 * ends in "...". */
#define UTF8_NAME_SIZE  512
#define utf8_name(name) utf8_name_in((char[UTF8_NAME_SIZE]){0}, name)
const char *utf8_name_in(char buffer[UTF8_NAME_SIZE], const char *name);

#endif
