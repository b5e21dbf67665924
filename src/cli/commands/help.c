#include "base/complaint.h"
#include "base/message.h"
#include "base/text.h"
#include "check/rule.h"
#include "cli/command.h"
#include "cli/direct_input.h"
#include "cli/manual.h"
#include "cli/show.h"

#include <stdio.h>
#include <string.h>

static void print_code(const char *heading, const char *code) {
    if (!*code)
        return;
    printf("\n%s\n", heading);
    while (*code) {
        int length = (int)strcspn(code, "\n");
        printf("    %.*s\n", length, code);
        code += length + (code[length] == '\n');
    }
}

/* Prints the page on one rule of `check`, or the list of all rules. */
static int print_rules(const char *id, struct error *err) {
    const struct check_rule *rule = id ? check_rule_find(id) : NULL;
    if (id && !rule) {
        struct text names = TEXT_INIT;
        for (size_t i = 0; check_rule_at(i); i++)
            text_append_format(&names, "%s%s", i ? " " : "", check_rule_at(i)->id);
        complain(err, "rule", id, _("is not a rule"), names.data, NULL);
        text_release(&names);
        return -1;
    }
    for (size_t i = 0; !rule && check_rule_at(i); i++) {
        printf("%s\n", check_rule_at(i)->id);
        print_paragraph(stdout, _(check_rule_at(i)->what), 4);
    }
    if (!rule)
        return 0;
    printf("%s\n\n", rule->id);
    print_paragraph(stdout, _(rule->what), 0);
    putchar('\n');
    print_paragraph(stdout, _(rule->why), 0);
    print_code(_("Wrong:"), rule->wrong);
    print_code(_("Right:"), rule->right);
    putchar('\n');
    struct text instead = TEXT_INIT;
    text_append_format(&instead, _("Instead: %s."), _(rule->instead));
    print_paragraph(stdout, instead.data, 0);
    text_release(&instead);
    if (*rule->source)
        printf(_("Source: %s\n"), rule->source);
    if (rule->accesses)
        print_paragraph(stdout,
                        _("Found only in programs, whose memory accesses are watched; a recording "
                          "does not show those accesses."),
                        0);
    return 0;
}

static int run(const struct command *command, const struct options *options, struct error *err) {
    if (options->given & OPTION_BIT(OPTION_MAN)) {
        print_manual(stdout);
    } else if (options->given & OPTION_BIT(OPTION_COMPLETION)) {
        print_completion(stdout, options->completion);
    } else if (options->operand_count > 0 && strcmp(options->operands[0], "rule") == 0) {
        if (print_rules(options->operand_count > 1 ? options->operands[1] : NULL, err) != 0) {
            error_prefix(err, "%s", command->name);
            return -1;
        }
    } else if (options->operand_count > 1) {
        return error_set(err, ERROR_USAGE, _("%s: name one command, or: rule RULE"), command->name);
    } else if (options->operand_count > 0 && direct_input_print_function(options->operands[0])) {
        return show_finish(err);
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
    .about = N_(
        "Prints what a command does and which options it takes; without a command, prints the list "
        "of commands. help rule lists the rules that check applies, and help rule RULE explains a "
        "rule; help with a warp function, such as __shfl_sync, explains the function."),
    .operand = "[COMMAND|FUNCTION|rule [RULE]]",
    .operand_kinds = OPERAND_COMMANDS,
    .operands_most = 2,
    .options = OPTION_BIT(OPTION_MAN) | OPTION_BIT(OPTION_COMPLETION),
    .examples = {"help", "help xor", "help rule shared_race"},
    .run = run,
};

static int run_front(const struct command *command, const struct options *options,
                     struct error *err) {
    if (options->operand_count > 0)
        return run(command, options, err);
    print_front(stdout);
    return show_finish(err);
}

/* `shflviz --help`: a command that appears in no list. */
const struct command command_front = {
    .name = "help",
    .operand_kinds = OPERAND_COMMANDS,
    .operands_most = 2,
    .run = run_front,
};
