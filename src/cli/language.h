/*
 * language.h - which language the program speaks, and whether the terminal can show it.
 */
#ifndef SHFLVIZ_CLI_LANGUAGE_H
#define SHFLVIZ_CLI_LANGUAGE_H

#include "base/error.h"

/*
 * Sets the locale of characters (LC_CTYPE) and the language, both from the environment's words: a
 * locale that is not installed, as zh_CN.UTF-8 in a container, still means Chinese and UTF-8.
 */
void language_begin(void);

/* Before the command line is read: takes up what a --lang in it names, wherever it is, so that
 * errors in other words are in that language. */
void language_look_ahead(int argc, char **argv);

/*
 * After the command line was read. `wanted` is what --lang named, or NULL. Languages other than
 * English need UTF-8. Where the environment names another character set (zh_CN.GB18030), a language
 * asked for by --lang is an error (ERROR_USAGE), one asked for by the environment becomes English
 * with a line on standard error. Where it names none, --lang takes up UTF-8.
 */
int language_settle(const char *wanted, struct error *err);

#endif
