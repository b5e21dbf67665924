/*
 * word_list.h - splits a line of options as a shell would: blanks separate, '...' and "..." keep
 * words together, a backslash keeps the next character. Nothing is expanded and nothing is run.
 */
#ifndef SHFLVIZ_LAUNCH_WORD_LIST_H
#define SHFLVIZ_LAUNCH_WORD_LIST_H

#include "base/error.h"

struct word_list {
    int count;
    char **word; /* ends with NULL; NULL itself if there are no words */
};

/* Fails (ERROR_USAGE) on a quote that is not closed. Release the list even then. */
int words_split(struct word_list *words, const char *line, struct error *err);
/* Appends a copy of a word. */
void words_add(struct word_list *words, const char *word);
void words_release(struct word_list *words);

#endif
