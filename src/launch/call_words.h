/*
 * call_words.h - an argument of a call, from C++ into the words of expression.h; for call.c.
 */
#ifndef SHFLVIZ_LAUNCH_CALL_WORDS_H
#define SHFLVIZ_LAUNCH_CALL_WORDS_H

#include "base/text.h"
#include "bring/cpp_text.h"
#include "launch/word_list.h"

#include <stdbool.h>

struct call_words {
    struct text *assumed;           /* "value = lane, i = 16": added to */
    const struct word_list *values; /* "NAME=VALUE" each; NULL: none */
};

/* Adds to what is assumed, once. */
void call_assume(struct text *assumed, const char *name, const char *value);

/* What a name means by custom, "laneId" or "warpSize"; NULL if it is anything. */
const char *call_known_word(const struct cpp_token *token);
/* threadIdx.x, blockIdx.x, blockDim.x, gridDim.x, which take three tokens; NULL if it is none. */
const char *call_built_in(const struct cpp_token *token, struct cpp_reader *reader);

/*
 * Appends the argument; names that say nothing become `unknown`, which is then assumed. False, and
 * nothing is assumed, if it takes more of C++ than an expression has: calls, casts, pointers.
 */
bool call_translate(const struct call_words *words, const char *argument, const char *unknown,
                    struct text *to);

#endif
