/*
 * require.h - the message of a fuzz target before it aborts, and the rules for every text that is
 * shown.
 */
#ifndef SHFLVIZ_TESTS_REQUIRE_H
#define SHFLVIZ_TESTS_REQUIRE_H

#include "base/text/utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void require(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "fuzzing: %s\n", what);
    abort();
}

/* Whole characters, and nothing that a terminal would act on except line ends ("\n", "\r\n") and
 * tabs. */
static inline void require_shown(const char *text, size_t length) {
    struct utf8_character character;
    for (size_t i = 0; i < length; i += character.bytes) {
        character = utf8_decode(text + i, length - i);
        bool space = character.code == '\n' || character.code == '\t' ||
                     (i + 1 < length && text[i] == '\r' && text[i + 1] == '\n');
        require(character.valid, "a part of a character is shown");
        require(space || !utf8_is_hidden(character.code), "what a terminal obeys is shown");
    }
}

/* The input as a separate string. The caller frees it. */
static inline char *string_of(const unsigned char *data, size_t size) {
    char *string = malloc(size + 1);
    require(string != NULL, "no memory");
    if (size)
        memcpy(string, data, size);
    string[size] = '\0';
    return string;
}

#endif
