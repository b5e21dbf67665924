/*
 * cpp_text.h - splits C++ source into tokens, without parsing the language.
 *
 * Comments are skipped; a string is one token, whatever is in it, and so is a line that begins with
 * #, including its continuation lines.
 */
#ifndef SHFLVIZ_BRING_CPP_TEXT_H
#define SHFLVIZ_BRING_CPP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum cpp_kind { CPP_END, CPP_WORD, CPP_NUMBER, CPP_STRING, CPP_SYMBOL, CPP_DIRECTIVE };

struct cpp_token {
    enum cpp_kind kind;
    const char *at;
    size_t length;  /* 1 for a symbol: "->" is two tokens */
    bool is_joined; /* nothing separates it from the previous token */
};

/* Initialise it with {text}; the text ends with a NUL and must outlive the tokens. */
struct cpp_reader {
    const char *at;
    bool in_line; /* this line already has a token */
};

/* The next token; always CPP_END at the end. */
struct cpp_token cpp_next(struct cpp_reader *reader);

/* True if the token is this word or symbol. */
bool cpp_is(const struct cpp_token *token, const char *text);

/* Line and column, from 1, of a position in a text; columns are characters. */
struct cpp_position {
    unsigned long line, column;
};
struct cpp_position cpp_position(const char *text, const char *at);

/* The number of lanes of a cooperative group, taken from the end of its name: 16 for "tile16".
 * 32 if the name does not end with a valid tile size. */
int cpp_group_size(const char *name, size_t length);

#endif
