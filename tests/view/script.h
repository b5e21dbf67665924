/*
 * script.h - a replay driven by a line of keys, as a user would type it.
 */
#ifndef SHFLVIZ_TESTS_SCRIPT_H
#define SHFLVIZ_TESTS_SCRIPT_H

#include "replay/replay.h"

/* Key names separated by blanks: "l l 3n Tab" is five keys, because a word that is not a key name
 * is typed letter by letter. "+500ms" lets time pass. */
void script_run(struct replay *replay, const char *keys);

#endif
