/*
 * catalog.h - the list of lessons on a screen: chapters, progress, search, a selection.
 */
#ifndef SHFLVIZ_TEACH_CATALOG_H
#define SHFLVIZ_TEACH_CATALOG_H

#include "lesson/lesson.h"
#include "lesson/progress.h"
#include "replay/keys/action.h"

#include <stdbool.h>
#include <stddef.h>

struct catalog_entry {
    const struct lesson *lesson;
    size_t language;                        /* of the lesson, nearest to the requested language */
    const struct lesson_progress *progress; /* NULL if never played */
    bool matches;                           /* the search */
};

struct catalog {
    struct catalog_entry *entries; /* in the order of the course */
    size_t count;
    size_t selected; /* index into entries; always one that matches, if any does */
    bool searching;  /* the search prompt is open */
    char search[64]; /* words in any language of a lesson, in upper or lower case */
    bool help;
    bool chosen; /* Enter: the selected lesson was chosen */
    bool quit;
    char message[160];
};

/* Borrows the lessons and the progress. */
void catalog_init(struct catalog *catalog, const struct lesson *const *lessons, size_t count,
                  const struct progress *progress, const char *language);
void catalog_release(struct catalog *catalog);

/* j k Up Down g G PageUp PageDown, / search, Enter, ? q. True if something changed. */
struct press catalog_press(const struct catalog *catalog, const char *key);
bool catalog_key(struct catalog *catalog, struct press press);
/* A click: ACTION_LESSON_GO with the entry's index selects it; a second one chooses it. */
bool catalog_apply(struct catalog *catalog, enum action action, long argument);
bool catalog_select(struct catalog *catalog, const char *name); /* false if it is not there */

#endif
