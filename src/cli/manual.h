/*
 * manual.h - the program's documentation of itself: help, manual page, shell completions. All of
 * it is made from the tables of commands, options, actions and programs.
 */
#ifndef SHFLVIZ_CLI_MANUAL_H
#define SHFLVIZ_CLI_MANUAL_H

#include "cli/command.h"
#include "cli/option.h"

#include <stdio.h>

/* Set by the build to the project's version. */
#ifndef SHFLVIZ_VERSION
#define SHFLVIZ_VERSION "unknown"
#endif

/* Prints a text in lines of 80 columns, all of which begin at column `indent`. */
void print_paragraph(FILE *out, const char *string, int indent);
void print_front(FILE *out); /* the six commands to begin with */
void print_usage(FILE *out); /* the list of commands */
void print_command_help(FILE *out, const struct command *command); /* `xor --help` */
void print_manual(FILE *out);                                      /* shflviz.1 in roff */
void print_completion(FILE *out, enum shell shell);

#endif
