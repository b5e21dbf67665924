/*
 * suggest.h - which of some names a mistyped one may have meant.
 */
#ifndef SHFLVIZ_BASE_SUGGEST_H
#define SHFLVIZ_BASE_SUGGEST_H

#include <stddef.h>

/* Keeps the nearest of the names it is shown. Begin with { name, NULL, 0 }. */
struct suggestion {
    const char *typed;
    const char *nearest; /* NULL while nothing came near enough to be worth proposing */
    size_t distance;
};
void suggestion_consider(struct suggestion *suggestion, const char *name);

/* Letters to insert, delete, replace or swap with their neighbour to make one name of the other. */
size_t name_distance(const char *a, const char *b);

/* "; did you mean 'xor'?" in the language in use, or "" if nothing came near enough. */
#define SUGGESTION_TEXT 128
char *suggestion_format(const struct suggestion *suggestion, char buffer[SUGGESTION_TEXT]);

#endif
