/* language.h - chooses the language of the program, and checks that the terminal can show it. */
#ifndef SHFLVIZ_CLI_LANGUAGE_H
#define SHFLVIZ_CLI_LANGUAGE_H

#include "base/error.h"

/*
 * Sets the character locale (LC_CTYPE) and the language, both from the environment: a locale
 * that is not installed, such as zh_CN.UTF-8 in a container, still means Chinese and UTF-8.
 */
void language_begin(void);

/* Call it before the command line is read: applies a --lang anywhere in it, so that errors about
 * the other words are in that language. */
void language_look_ahead(int argc, char **argv);

/*
 * Call it after the command line has been read. `wanted` is the value of --lang, or NULL. Languages
 * other than English need UTF-8. If the environment names another character set (zh_CN.GB18030), a
 * language requested by --lang is an error (ERROR_USAGE); one from the environment becomes English,
 * with a line on standard error. If it names none, --lang selects UTF-8.
 */
int language_settle(const char *wanted, struct error *err);

#endif
