/*
 * preprocessed.h - small pieces of what the compiler's preprocessor writes: C++ with line markers.
 */
#ifndef SHFLVIZ_DEVICE_OWN_PREPROCESSED_H
#define SHFLVIZ_DEVICE_OWN_PREPROCESSED_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

bool is_name(char c);
bool is_blank(char c);

/* Up to the end of the line that begins at `at`, with its end. */
size_t line_length(const char *at, const char *end);

/* Whether a marker is in the text: macros of system headers bring them into the middle of a line.
 */
bool has_marker(const char *from, size_t length);

/* Appends the text in one line and without markers; its ends of lines alone; as it is written
 * between quotation marks. */
void append_in_line(struct text *text, const char *from, size_t length);
void append_line_ends(struct text *text, const char *from, size_t length);
void append_quoted(struct text *text, const char *from, size_t length);

/* Behind an attribute or alignas with its brackets, at `from`; `from` itself if there is none. */
const char *skip_attribute(const char *from, const char *end);

/* Behind a name at `from`, with its owners and the arguments of a template; `from` if there is
 * none.
 */
const char *skip_name(const char *from, const char *end);

/* How long a string or character is, with its quotation marks, the first of which is at `from`; and
 * R"delimiter( ... )delimiter", from the quotation mark on. */
size_t quoted_length(const char *from, const char *end);
size_t raw_string_length(const char *from, const char *end);

/* "<<<" or ">>>", also as "<< <": how long it is, 0 if `from` begins none. */
size_t angles_length(const char *from, const char *end, char angle);

/* Behind blanks within a line. */
const char *skip_spaces(const char *at, const char *end);

/* Behind `(void *)` or `(const void *)` and the blanks that follow; NULL if neither comes. */
const char *skip_cast(const char *from, const char *end);

/* Whether a word may follow the parameters of a function. */
bool is_qualifier(const char *name, size_t length);

#endif
