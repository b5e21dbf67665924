/*
 * language.h - which language the program speaks, and whether the terminal can show it.
 */
#ifndef SHFLVIZ_CLI_LANGUAGE_H
#define SHFLVIZ_CLI_LANGUAGE_H

#include "base/error.h"

#include <stdbool.h>

/* After setlocale(): what the environment asks for, if its character set can show it. */
void language_begin(void);

/* Before the command line is read: takes up what a --lang in it names, wherever it stands, so that
 * what is wrong with other words is told in that language. */
void language_look_ahead(int argc, char **argv);

/*
 * After the command line was read. `wanted` is what --lang named, or NULL. Other languages than
 * English need UTF-8 and more than ASCII. Asked for by name, an UTF-8 character set is taken up
 * where the locale has none (LC_CTYPE alone), and what still cannot be shown is an error
 * (ERROR_USAGE); asked for by the environment alone, it becomes English.
 */
int language_settle(const char *wanted, bool ascii, struct error *err);

#endif
