/*
 * words.h - a preprocessed text as words: what the person wrote, without what comes from headers of
 * the system or of ours.
 */
#ifndef SHFLVIZ_DEVICE_OWN_WORDS_H
#define SHFLVIZ_DEVICE_OWN_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum word_kind { WORD_NAME, WORD_SIGN, WORD_OTHER }; /* other: numbers, strings, characters */

struct word {
    const char *at; /* not NUL-terminated */
    const char *file;
    uint32_t length, file_length, line;
    uint32_t partner; /* of a bracket: the one that belongs to it */
    uint32_t inside;  /* the bracket that it stands in; WORDS_NONE: in none */
    uint32_t name;    /* a number for each name, from 0 */
    enum word_kind kind;
};

#define WORDS_NONE UINT32_MAX

struct words {
    struct word *word;
    uint32_t count;
    uint32_t names;            /* how many names there are */
    uint32_t *slot, slot_mask; /* names by their text: the first word plus one; 0: free */
    const char *source, *end;
    char *const *skipped;
};

/* Signs are single characters, but for "::" and "->". False if brackets do not belong together:
 * what has been read means nothing then. To be released either way. */
bool words_read(struct words *words, const char *source, size_t length, char *const *skipped);
void words_free(struct words *words);

/* Whether word `at` exists and is this. */
bool words_is(const struct words *words, uint32_t at, const char *text);

/* Whether the `count` words from `a` on, and those from `b` on, are the same. */
bool words_equal(const struct words *words, uint32_t a, uint32_t b, uint32_t count);

/* Whether the name is called or declared as a function, anything followed by a bracket, in the
 * parts that are not the person's. */
bool words_are_called_elsewhere(const struct words *words, const struct word *name);

#endif
