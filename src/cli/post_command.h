/*
 * post_command.h - `run` for a Markdown text or standard input: runs its code blocks.
 */
#ifndef SHFLVIZ_CLI_POST_COMMAND_H
#define SHFLVIZ_CLI_POST_COMMAND_H

#include "base/error.h"
#include "cli/option.h"

#include <stdbool.h>

/* True if the operands of `run` are such a text: "-", or one file called *.md, *.markdown,
 * *.txt. */
bool post_command_matches(const struct options *options);

/* Shows the list of its blocks, to choose from on a terminal; runs one of them with --block.
 * Standard input may also be just a program, a kernel or a call. */
int post_command_run(const struct options *options, struct error *err);

/* Does the same for a text that was pasted into a terminal. Sets `*printed` if the answer is text,
 * which the next screen would cover. */
int post_command_text(const char *text, bool *printed, struct error *err);

/* Reads a user's text of at most 1 MiB; "-" is standard input, and keys then come from the
 * terminal. Fails (ERROR_USAGE) for one that is empty, larger, or not text. */
int post_command_read(const char *name, struct text *text, struct error *err);

#endif
