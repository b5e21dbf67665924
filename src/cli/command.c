/*
 * The table, and the checks that are the same for all commands, so that every wrong command
 * line fails in the same way.
 */
#include "cli/command.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "base/text/suggest.h"
#include "cli/language.h"
#include "launch/program/user_run.h"

#include <stdlib.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_idx,   &command_up,       &command_down,     &command_xor,       &command_kernel,
    &command_run,   &command_lesson,   &command_exercise, &command_grade,     &command_report,
    &command_quiz,  &command_replay,   &command_check,    &command_diff,      &command_export,
    &command_mma,   &command_ldmatrix, &command_stmatrix, &command_movmatrix, &command_which,
    &command_bench, &command_doctor,   &command_help,
};

const struct command *const *command_table(size_t *count) {
    *count = sizeof(commands) / sizeof(commands[0]);
    return commands;
}

const struct command *command_find(const char *name) {
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* Our name for a command that users know by another name. */
static const char *command_alias(const char *name) {
    static const char *const words[][2] = {
        {"-V", "--version"},   {"-v", "--version"},      {"version", "--version"},
        {"list", "help"},      {"ls", "help"},           {"lessons", "lesson"},
        {"kernels", "kernel"}, {"recordings", "replay"}, {"record", "xor --mask 3 -o xor.svt"},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i][0], name) == 0)
            return words[i][1];
    return NULL;
}

int command_program(const char *name, struct error *err) {
    return error_set(
        err, ERROR_USAGE,
        _("%s: this is a CUDA program; 'shflviz run' builds and runs it\ntry: shflviz run %s"),
        name, name);
}

int command_unknown(const char *name, struct error *err) {
    const char *known = command_alias(name);
    if (known)
        return error_set(err, ERROR_USAGE, _("%s: no command of that name\ntry: shflviz %s"), name,
                         known);
    if (is_cuda_source(name))
        return command_program(name, err);
    if (strchr(name, '('))
        return error_set(err, ERROR_USAGE,
                         _("%s: no warp function is called here\n"
                           "allowed: __shfl_sync, __shfl_up_sync, __shfl_down_sync, "
                           "__shfl_xor_sync, votes, matches, reductions, __syncwarp, __activemask, "
                           "and the members of a group of lanes, such as tile.shfl\n"
                           "try: shflviz '__shfl_up_sync(0xffffffff, value, 2, 16)'"),
                         name);
    struct choice choice = CHOICE_INIT(name);
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        choice_add(&choice, commands[i]->name);
    return choice_refuse(&choice,
                         *name == '-' ? _("%s: options come after a command%s\nallowed: %s\n"
                                          "try: shflviz help")
                                      : _("%s: no command of that name%s\nallowed: %s\n"
                                          "try: shflviz help"),
                         err);
}

/* ---- errors in a command line ---- */

static enum launch_option argument_of(const struct command *command) {
    const struct program *program = device_program_find(command->name);
    return program ? launch_argument(program) : LAUNCH_OPTION_COUNT;
}

/* Reports an option that only other commands have: which commands, and the option to use
 * instead. */
static int misplaced_option(const struct option_reader *reader, int id, struct error *err) {
    const struct command *command = reader->context;
    const enum launch_option argument = argument_of(command);
    struct text owners = TEXT_INIT, allowed = TEXT_INIT;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (commands[i]->options & OPTION_BIT(id))
            text_append_format(&owners, "%s%s", owners.length ? ", " : "", commands[i]->name);
    options_list(&allowed, reader, reader->allowed);
    if (argument != LAUNCH_OPTION_COUNT && id <= LAUNCH_MASK)
        launch_refuse_argument(device_program_find(command->name), (enum launch_option)id, err);
    else
        error_set(err, ERROR_USAGE,
                  _("%s: --%s belongs to %s\nallowed: %s\ntry: shflviz %s --help"), command->name,
                  option_at(id)->name, owners.data, allowed.data, command->name);
    text_release(&owners);
    text_release(&allowed);
    return -1;
}

/* Refuses a word that is neither an option nor expected, or reports one that is missing. */
static int check_operands(const struct options *options, const struct command *command,
                          struct error *err) {
    int most = command->operands_most ? command->operands_most : command->operand ? 1 : 0;
    int count =
        command->operand_kinds & OPERAND_PROGRAMS ? options->own_operands : options->operand_count;
    if (count > most) {
        const char *stray = options->operands[most];
        const enum launch_option argument = argument_of(command);
        if (argument != LAUNCH_OPTION_COUNT)
            return error_set(err, ERROR_USAGE,
                             _("%s: %s: a word that belongs to no option\n"
                               "try: shflviz %s --%s %s"),
                             command->name, stray, command->name, option_at(argument)->name, stray);
        return error_set(err, ERROR_USAGE, _("%s: %s: one word too many\nallowed: shflviz %s%s%s"),
                         command->name, stray, command->name, command->operand ? " " : "",
                         command->operand ? command->operand : "");
    }
    if (count < command->operands_needed)
        return error_set(err, ERROR_USAGE, _("%s: %s is missing\ntry: shflviz %s --help"),
                         command->name, command->operand, command->name);
    return 0;
}

static int check_required(const struct options *options, const struct command *command,
                          struct error *err) {
    for (int id = 0; id < OPTION_COUNT; id++)
        if (command->required & ~options->given & OPTION_BIT(id))
            return error_set(err, ERROR_USAGE, _("%s: --%s %s is missing: %s\ntry: shflviz %s"),
                             command->name, option_at(id)->name, option_at(id)->argument,
                             _(option_at(id)->help), command->examples[0]);
    return 0;
}

/* ---- reading it ---- */

int options_parse(struct options *options, const struct command *command, int argc, char **argv,
                  struct error *err) {
    struct text help = TEXT_INIT;
    *options = (struct options){.format = FORMAT_AUTO};
    launch_init(&options->launch, NULL, command->name);
    options->operands = memory_zeroed((size_t)argc + 1, sizeof(options->operands[0]));
    text_append_format(&help, "shflviz %s --help", command->name);
    struct option_reader reader = {.name = command->name,
                                   .help = help.data,
                                   .option = option_at,
                                   .count = OPTION_COUNT,
                                   .allowed = command->options | OPTIONS_ALWAYS,
                                   .misplaced = misplaced_option,
                                   .context = command,
                                   .target = options,
                                   .typed = options->text,
                                   .operands = options->operands};
    language_look_ahead(argc, argv);
    int status = options_read(&reader, argc, argv, err);
    text_release(&help);
    options->given = reader.given;
    options->taken = command->options;
    options->operand_count = reader.operand_count;
    options->own_operands = reader.dashes;
    memcpy(options->launch.typed, options->text, sizeof(options->launch.typed));
    if (status != 0)
        return -1;
    if (language_settle(options->text[OPTION_LANG], err) != 0)
        return error_prefix(err, "%s", command->name);
    if (options->given & OPTION_BIT(OPTION_HELP))
        return 0;
    return check_operands(options, command, err) != 0 ? -1 : check_required(options, command, err);
}

int command_run_on(const struct command *command, const char *operand, struct error *err) {
    struct options options;
    char *word = memory_string(operand), *words[] = {word};
    int status = options_parse(&options, command, 1, words, err);
    if (status == 0)
        status = command->run(command, &options, err);
    options_release(&options);
    free(word);
    return status;
}
