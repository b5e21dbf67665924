/* suggest.h - finds the name that a mistyped one may have meant. */
#ifndef SHFLVIZ_BASE_SUGGEST_H
#define SHFLVIZ_BASE_SUGGEST_H

#include "base/error.h"
#include "base/text.h"

#include <stddef.h>

/* Keeps the nearest of the names passed to it. Initialise it with { name, NULL, 0 }. */
struct suggestion {
    const char *typed;
    const char *nearest; /* NULL until a name is near enough to be suggested */
    size_t distance;
};
void suggestion_consider(struct suggestion *suggestion, const char *name);

/* Letters to insert, delete, replace or swap with their neighbour to turn one name into another. */
size_t name_distance(const char *a, const char *b);

/* "; did you mean 'xor'?" in the language in use, or "" if no name was near enough. */
#define SUGGESTION_TEXT 128
char *suggestion_format(const struct suggestion *suggestion, char buffer[SUGGESTION_TEXT]);

/* The names that would have been accepted, for a message. Begin with CHOICE_INIT(typed);
 * choice_refuse() releases it; otherwise call text_release(&choice.allowed). */
struct choice {
    struct suggestion near;
    struct text allowed; /* the names, separated by blanks */
};
#define CHOICE_INIT(typed)                                                                         \
    { {typed, NULL, 0}, TEXT_INIT }
void choice_add(struct choice *choice, const char *name);

/*
 * Fills err (ERROR_USAGE), releases the choice and returns -1. `format` takes three strings, for
 * example "%s: no kernel of that name%s\nallowed: %s": the typed name, "; did you mean ...?" or "",
 * and the names.
 */
int choice_refuse(struct choice *choice, const char *format, struct error *err);

#endif
