#include "base/message.h"
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/show.h"

#include <stdio.h>

static int run(const struct command *command, const struct options *options, struct error *err) {
    if (options->given & OPTION_BIT(OPTION_MAN)) {
        print_manual(stdout);
    } else if (options->given & OPTION_BIT(OPTION_COMPLETION)) {
        print_completion(stdout, options->completion);
    } else if (options->operand_count > 0) {
        const struct command *about = command_find(options->operands[0]);
        if (!about) {
            command_unknown(options->operands[0], err);
            return error_prefix(err, "%s", command->name);
        }
        print_command_help(stdout, about);
    } else {
        print_usage(stdout);
    }
    return show_finish(err);
}

const struct command command_help = {
    .name = "help",
    .summary = N_("help for a command; without one, this list"),
    .about =
        N_("Prints what a command does and which options it takes; without a command, the list "
           "of commands."),
    .operand = "[COMMAND]",
    .operand_kinds = OPERAND_COMMANDS,
    .options = OPTION_BIT(OPTION_MAN) | OPTION_BIT(OPTION_COMPLETION),
    .examples = {"help", "help xor"},
    .run = run,
};
