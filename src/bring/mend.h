/*
 * mend.h - a program that was pasted, as it was before a page, a chat or a word processor had it.
 *
 * Mended are, outside of comments and strings: blanks that are none to C++ (U+00A0, U+3000, ...),
 * full-width punctuation, typographic quotes and dashes, byte-order marks; the fences of Markdown;
 * names of CUDA's that lack an underscore (_global__); a bracket that is not closed before the end
 * of its statement; a program that was pasted into itself. Lines keep their numbers.
 */
#ifndef SHFLVIZ_BRING_MEND_H
#define SHFLVIZ_BRING_MEND_H

#include "base/text.h"
#include "bring/cpp_text.h"

#include <stddef.h>
#include <stdio.h>

enum mend_kind {
    MEND_BLANK,   /* a blank that C++ does not have */
    MEND_MARK,    /* a full-width or typographic mark */
    MEND_NOTHING, /* a character that has no place here: a byte-order mark */
    MEND_FENCE,   /* ``` */
    MEND_WORD,    /* an underscore is missing */
    MEND_BRACKET, /* a bracket is not closed */
    MEND_TWICE    /* a second copy begins here */
};

/* The first of its kind in its line. */
struct mend_change {
    enum mend_kind kind;
    struct cpp_place place;
    char was[48], now[48]; /* "U+00A0"; what was meant */
    size_t more;           /* of this kind in this line */
};

struct mend {
    struct text text; /* mended */
    struct mend_change *changes;
    size_t count;
};

/* Nothing to do: count is 0. To be released. */
void mend_text(struct mend *mend, const char *text);
/* The same of a line: its blanks and marks alone. */
void mend_marks(struct mend *mend, const char *text);
void mend_release(struct mend *mend);

/* Appends a line a change, "NAME:3:14: U+00A0 is not a blank to C++: meant ' '", `most` of them. */
void mend_describe(const struct mend *mend, const char *name, size_t most, struct text *said);
/* The lines that differ, as `diff -u` has them, without context. */
void mend_print_difference(FILE *out, const struct mend *mend, const char *original,
                           const char *name);

/* What an ASCII text would have in the place of a character: 0 if nothing would, -1 if it is no
 * such character. */
int mend_character(unsigned code);

#endif
