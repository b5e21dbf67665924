/* exercise_command.h - functions shared by `exercise` and `grade`. */
#ifndef SHFLVIZ_CLI_EXERCISE_COMMAND_H
#define SHFLVIZ_CLI_EXERCISE_COMMAND_H

#include "cli/option.h"
#include "exercise/judge.h"

/* Finds a built-in exercise by its name, or reads one from a folder; *opened then owns it (else it
 * is NULL). */
int exercise_command_find(const char *name, const struct exercise **exercise,
                          struct exercise **opened, struct error *err);

/* Judges a file with the given options: the exercise is that of --name, else the one that the file
 * is named after. *name gets its name, to be freed, and *verdict is to be released, even after a
 * failure. */
int exercise_command_judge(const char *path, const struct options *options, char **name,
                           struct verdict *verdict, struct error *err);

#endif
