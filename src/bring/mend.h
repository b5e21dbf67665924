/*
 * mend.h - restores a pasted program that a web page, a chat or a word processor has changed.
 *
 * It repairs, outside comments and strings,
 * - blanks that C++ does not accept (U+00A0, U+3000, ...),
 * - full-width punctuation, typographic quotes and dashes, byte-order marks,
 * - the fences of Markdown,
 * - CUDA names that lack an underscore (_global__),
 * - a bracket that is not closed before the end of its statement, and
 * - a program that was pasted into itself.
 * Lines keep their numbers.
 */
#ifndef SHFLVIZ_BRING_MEND_H
#define SHFLVIZ_BRING_MEND_H

#include "base/text.h"
#include "bring/cpp_text.h"

#include <stddef.h>
#include <stdio.h>

enum mend_kind {
    MEND_BLANK,   /* a blank that C++ does not accept */
    MEND_MARK,    /* a full-width or typographic mark */
    MEND_NOTHING, /* a character that does not belong here: a byte-order mark */
    MEND_FENCE,   /* ``` */
    MEND_WORD,    /* an underscore is missing */
    MEND_BRACKET, /* a bracket is not closed */
    MEND_TWICE    /* a second copy begins here */
};

/* A change. Further ones of its kind on its line are only counted, but each word is listed. */
struct mend_change {
    enum mend_kind kind;
    struct cpp_position position;
    char was[48], now[48]; /* "U+00A0"; the intended text */
    size_t more;           /* of this kind on this line */
};

struct mend {
    struct text text; /* the repaired text */
    struct mend_change *changes;
    size_t count;
};

/* If there is nothing to do, count is 0. The caller releases the result in either case. */
void mend_text(struct mend *mend, const char *text);
/* The same for a single line, in which only blanks and marks are mended. */
void mend_punctuation(struct mend *mend, const char *text);
void mend_release(struct mend *mend);

/* Appends a line for each change, "NAME:3:14: U+00A0 is not a space to a compiler: ...", at most
 * `most` of them. */
void mend_describe(const struct mend *mend, const char *name, size_t most, struct text *said);
/* Prints the lines that differ, like `diff -u`, but without context. */
void mend_print_difference(FILE *out, const struct mend *mend, const char *original,
                           const char *name);

/* The ASCII replacement of a character: 0 if there is none, -1 if it is not such a character. */
int mend_character(unsigned code);

#endif
