/*
 * command.h - the program's commands: one file each, listed in one table.
 *
 * Help, the manual page, completions and the suggestion for a mistyped name are made from the
 * table.
 */
#ifndef SHFLVIZ_CLI_COMMAND_H
#define SHFLVIZ_CLI_COMMAND_H

#include "base/error.h"
#include "cli/option.h"

#include <stddef.h>
#include <stdio.h>

#define COMMAND_EXAMPLES_MAX 4

/* The kinds of operands, for completion in a shell. */
enum operand_kind {
    OPERAND_COMMANDS = 1,
    OPERAND_SHUFFLES = 2, /* the kernels of one shuffle, which are commands, too */
    OPERAND_KERNELS = 4,  /* the others */
    OPERAND_LESSONS = 8,
    OPERAND_CHECK = 16, /* the word "check" */
    OPERAND_RECORDINGS = 32,
    OPERAND_BENCHMARKS = 64,
    OPERAND_FILES = 128,
    OPERAND_PROGRAMS = 256, /* CUDA source files and folders of them */
    OPERAND_EXERCISES = 512,
    OPERAND_WRITING = 1024, /* the words "new" and "watch" */
};

struct command {
    const char *name;
    const char *summary;    /* half a line, for the list of commands */
    const char *about;      /* a paragraph for help and manual, plain sentences */
    const char *operand;    /* the operands: "TRACE", "[NAME]"; NULL for none */
    unsigned operand_kinds; /* OPERAND_...: their possible kinds */
    int operands_needed;    /* how many are required */
    int operands_most;      /* how many are allowed, not counting a program's arguments; 0 means
                               one if `operand` is set, else none */
    option_set options;     /* the options it takes in addition to OPTIONS_ALWAYS */
    option_set required;    /* required, unless --help is given */
    const char *examples[COMMAND_EXAMPLES_MAX]; /* without "shflviz ", NULL after the last */
    /* Prints the help on the given operand; NULL if there is none. */
    void (*help)(FILE *out, const struct options *options);
    /*
     * Runs it. Returns 0, or -1 with err filled: the error's kind becomes the exit status, and its
     * text, if any, is printed.
     */
    int (*run)(const struct command *command, const struct options *options, struct error *err);
};

/* All commands in the order of the list; *count gets their number. */
const struct command *const *command_table(size_t *count);
const struct command *command_find(const char *name); /* NULL if there is none */

/* For a CUDA source file, a kernel's name or a recording given in place of a command: fills err
 * (ERROR_USAGE) with the right command and returns -1. */
int command_program(const char *name, struct error *err);

/* Fills err (ERROR_USAGE) for an unknown name, with the nearest command; returns -1. */
int command_unknown(const char *name, struct error *err);

/*
 * Reads the words argv[0 .. argc-1] that follow the command's name. On failure (ERROR_USAGE) err
 * names what was given, what is allowed and what to try; the caller still releases the options.
 */
int options_parse(struct options *options, const struct command *command, int argc, char **argv,
                  struct error *err);

/* Runs a command on one operand, as if both had been typed. */
int command_run_on(const struct command *command, const char *operand, struct error *err);

/* The names of the measurements of `bench`; NULL after the last. */
const char *benchmark_name(size_t index);

/* One per file, commands/NAME.c; the four shuffles are in commands/shuffle.c. */
extern const struct command command_idx;
extern const struct command command_up;
extern const struct command command_down;
extern const struct command command_xor;
extern const struct command command_kernel;
extern const struct command command_run;
extern const struct command command_lesson;
extern const struct command command_exercise;
extern const struct command command_grade;
extern const struct command command_report;
extern const struct command command_quiz;
extern const struct command command_replay;
extern const struct command command_check;
extern const struct command command_diff;
extern const struct command command_export;
extern const struct command command_which;
extern const struct command command_mma;
extern const struct command command_ldmatrix;
extern const struct command command_stmatrix;
extern const struct command command_movmatrix;
extern const struct command command_bench;
extern const struct command command_doctor;
extern const struct command command_help;
extern const struct command command_front; /* `shflviz --help`; not in the table */

#endif
