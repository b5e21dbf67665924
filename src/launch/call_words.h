/*
 * call_words.h - translates an argument of a call from C++ into the grammar of expression.h; for
 * call.c.
 */
#ifndef SHFLVIZ_LAUNCH_CALL_WORDS_H
#define SHFLVIZ_LAUNCH_CALL_WORDS_H

#include "base/text.h"
#include "bring/cpp_text.h"
#include "launch/word_list.h"

#include <stdbool.h>

struct call_words {
    struct text *assumed;           /* "value = lane, i = 16"; assumptions are appended */
    const struct word_list *values; /* "NAME=VALUE" each; NULL for none */
};

/* Adds an assumption, once. */
void call_assume(struct text *assumed, const char *name, const char *value);

/* The conventional meaning of a name such as "laneId" or "warpSize"; NULL if it may be anything. */
const char *call_known_word(const struct cpp_token *token);
/* threadIdx.x, blockIdx.x, blockDim.x, gridDim.x, which take three tokens; NULL if it is none of
 * them. */
const char *call_built_in(const struct cpp_token *token, struct cpp_reader *reader);

/*
 * Appends the argument; unknown names become `unknown`, which is then an assumption. If `unknown`
 * contains "lane", it also replaces whole array elements and members. False, with no assumption, if
 * the argument needs more C++ than an expression has: calls, casts, pointers.
 */
bool call_translate(const struct call_words *words, const char *argument, const char *unknown,
                    struct text *to);

#endif
