#include "cli/manual.h"

#include "base/message.h"
#include "view/grid.h"

#include <string.h>

#define HELP_COLUMNS 80

/* Prints a text whose lines all begin at column `indent`, where the cursor is, breaking them
 * before HELP_COLUMNS where possible: at blanks, and between Chinese characters. Ends the line. */
static void print_wrapped(FILE *out, const char *string, int indent) {
    while (*string) {
        const int bytes = (int)text_line(string, HELP_COLUMNS - indent);
        fprintf(out, "%.*s\n", bytes, string);
        string += bytes;
        string += strspn(string, " ");
        if (*string)
            fprintf(out, "%*s", indent, "");
    }
}

void print_paragraph(FILE *out, const char *string, int indent) {
    fprintf(out, "%*s", indent, "");
    print_wrapped(out, string, indent);
}

void print_front(FILE *out) {
    static const struct {
        const char *command, *what;
    } first[] = {
        {"shflviz", N_("begin here: your first warp sum")},
        {"shflviz '__shfl_xor_sync(~0u, x, 3, 16)'", N_("one call, as you would write it")},
        {"shflviz run FILE.cu", N_("your program or kernel, step by step")},
        {"shflviz check FILE.cu", N_("what is wrong with your program")},
        {"shflviz lesson", N_("from a lane to a grid reduction")},
        {"shflviz exercise", N_("complete code and have it judged")},
    };
    fputs(_("shflviz shows how the lanes of a GPU warp exchange values, step by step.\n\n"), out);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        fprintf(out, "  %-40s  %s\n", first[i].command, _(first[i].what));
    fputs(_("\nAll commands:  shflviz help\nOptions of a command:  shflviz COMMAND --help\n"), out);
}

void print_usage(FILE *out) {
    size_t count;
    const struct command *const *commands = command_table(&count);
    fputs(_("Usage: shflviz COMMAND [OPTIONS]\n\nCommands:\n"), out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  %-9s  %s\n", commands[i]->name, _(commands[i]->summary));
    fputs(_("\nOptions of a command:  shflviz COMMAND --help\n"), out);
}

/* "--width W", "-o, --output FILE", padded to a column. */
static void print_option(FILE *out, const struct option_info *info) {
    const int indent = 24;
    int column = info->letter ? fprintf(out, "  -%c, --%s", info->letter, info->name)
                              : fprintf(out, "  --%s", info->name);
    if (info->argument)
        column += fprintf(out, " %s", info->argument);
    fprintf(out, "%*s", column < indent ? indent - column : 2, "");
    print_wrapped(out, _(info->help), indent);
    if (info->values) {
        fprintf(out, "%*s", indent, "");
        print_wrapped(out, info->values, indent);
    }
}

static void print_options(FILE *out, const char *heading, option_set set) {
    if (!set)
        return;
    fprintf(out, _("\n%s:\n"), heading);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (set & OPTION_BIT(id) && !option_at(id)->is_hidden)
            print_option(out, option_at(id));
}

void print_command_help(FILE *out, const struct command *command) {
    fprintf(out, _("Usage: shflviz %s"), command->name);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (command->required & OPTION_BIT(id))
            fprintf(out, " --%s %s", option_at(id)->name, option_at(id)->argument);
    fprintf(out, "%s%s%s\n\n", command->operand ? " " : "",
            command->operand ? command->operand : "", command->options ? _(" [OPTIONS]") : "");
    print_wrapped(out, _(command->about), 0);
    print_options(out, _("Needed"), command->required);
    print_options(out, _("Options"), (command->options & ~command->required) | OPTIONS_ALWAYS);
    if (command->options & OPTION_BIT(LAUNCH_IN)) {
        putc('\n', out);
        print_wrapped(out,
                      _("Values:  numbers are decimal, 0x hex or 0b binary. --in, --src, --delta "
                        "and --mask take C expressions with the variables lane and thread, lists "
                        "such as 1,2,3, and random:SEED."),
                      0);
    }
    fputs(_("\nExamples:\n"), out);
    for (int i = 0; i < COMMAND_EXAMPLES_MAX && command->examples[i]; i++)
        fprintf(out, "  shflviz %s\n", command->examples[i]);
}
