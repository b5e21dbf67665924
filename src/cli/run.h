/*
 * run.h - a program of kernels/, run as the command line asks, recorded and shown.
 */
#ifndef SHFLVIZ_CLI_RUN_H
#define SHFLVIZ_CLI_RUN_H

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/option.h"
#include "device/device.h"

/*
 * Checks every option against what the program takes, and only then opens the file of -o, runs,
 * and shows the recording. `argument` is the option that gives the lanes' argument (OPTION_SRC,
 * OPTION_DELTA or OPTION_MASK), or OPTION_COUNT. `name` is what messages begin with: "xor",
 * "kernel scan".
 *
 * Where the kernel does not finish, what was recorded is saved and shown all the same, and err
 * (ERROR_RUN) says why.
 */
int run_program(const struct program *program, const char *name, enum option_id argument,
                const struct options *options, struct error *err);

/*
 * The same up to where the recording would be shown: gives it instead, for a lesson or a quiz; the
 * caller closes it. *failed: the kernel did not finish, and err says why although 0 is returned.
 */
int run_program_quietly(const struct program *program, const char *name, enum option_id argument,
                        const struct options *options, struct trace **trace, bool *failed,
                        struct error *err);

/* Appends the options that mean something to the program: "--threads --type". `argument` as above.
 */
void run_options_taken(struct text *text, const struct program *program, enum option_id argument);

#endif
