/*
 * cpp_text.h - the words of a C++ text, without reading the language.
 *
 * Comments are stepped over; a string is one token, whatever is in it, and so is a line that begins
 * with #, with the lines that it is continued on.
 */
#ifndef SHFLVIZ_BRING_CPP_TEXT_H
#define SHFLVIZ_BRING_CPP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum cpp_kind { CPP_END, CPP_WORD, CPP_NUMBER, CPP_STRING, CPP_SYMBOL, CPP_DIRECTIVE };

struct cpp_token {
    enum cpp_kind kind;
    const char *at;
    size_t length;  /* of a symbol 1: "->" is two of them */
    bool is_joined; /* nothing stands between it and the token before */
};

/* Begins as {text}; the text ends with a NUL and must outlive the tokens. */
struct cpp_reader {
    const char *at;
    bool in_line; /* something else stands in this line already */
};

/* The next token; at the end CPP_END, again and again. */
struct cpp_token cpp_next(struct cpp_reader *reader);

/* Whether the token is this word or symbol. */
bool cpp_is(const struct cpp_token *token, const char *text);

/* Line and column, from 1, of a place in a text; columns are characters. */
struct cpp_place {
    unsigned long line, column;
};
struct cpp_place cpp_place(const char *text, const char *at);

/* How many lanes a cooperative group has by the number that its name ends with, 16 of "tile16"; 32
 * where it says none that a tile can have. */
int cpp_group_size(const char *name, size_t length);

#endif
