/*
 * keys.h - a screen driven by a line of keys, as a user would type it.
 */
#ifndef SHFLVIZ_TESTS_KEYS_H
#define SHFLVIZ_TESTS_KEYS_H

#include <stdbool.h>

/*
 * Key names separated by blanks: "Right 17 Enter" is four keys, because a word that is not the name
 * of a key is typed letter by letter. "+500ms" lets time pass.
 */
void keys_run(void *screen, bool (*key)(void *screen, const char *key),
              bool (*tick)(void *screen, long milliseconds), const char *keys);

#endif
