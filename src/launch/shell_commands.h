/*
 * shell_commands.h - command lines of CUDA's tools, and the commands of shflviz that do the same.
 */
#ifndef SHFLVIZ_LAUNCH_SHELL_COMMANDS_H
#define SHFLVIZ_LAUNCH_SHELL_COMMANDS_H

#include "base/text.h"

#include <stdbool.h>

/* Appends the command for each line of nvcc, nsys, ncu and the like, and for each run of the
 * program they built, one per line and without repetitions. Sources, -I, -D, -std and the program's
 * arguments are kept. True if there are such lines and no others. */
bool shell_commands_answer(const char *text, struct text *answer);

#endif
