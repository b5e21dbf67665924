/*
 * direct_input.h - input in place of a command: a call, a declaration, or "-" for standard input,
 * which has one of these.
 */
#ifndef SHFLVIZ_CLI_DIRECT_INPUT_H
#define SHFLVIZ_CLI_DIRECT_INPUT_H

#include "base/error.h"

#include <stdbool.h>

/* True if the first word of a command line is such input rather than a command. */
bool direct_input_matches(const char *text);

/* Shows it; the words that follow are options of the command that is run for it. `moved` as for
 * call_read(). Fails (ERROR_USAGE) with a caret below the unreadable part. */
int direct_input_run(const char *text, int argc, char **argv, const char *moved, struct error *err);

/* Runs a line of words that begins with a command's name. */
int direct_input_run_line(const char *line, struct error *err);

/* Prints the page of a warp function: its effect, command, lesson and exercise. Returns false, with
 * nothing printed, if no function has that name. */
bool direct_input_print_function(const char *name);

#endif
