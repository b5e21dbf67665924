#include "cli/manual.h"

#include <string.h>

#define HELP_COLUMNS 80

/* Prints words from column `indent` on, breaking lines between words before HELP_COLUMNS. The
 * cursor stands at column `column`. Ends the line. */
static void print_wrapped(FILE *out, const char *string, int column, int indent) {
    while (*string) {
        int length = (int)strcspn(string, " ");
        if (column > indent && column + 1 + length > HELP_COLUMNS) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", length, string);
        column += length;
        string += length;
        string += strspn(string, " ");
    }
    putc('\n', out);
}

void print_usage(FILE *out) {
    size_t count;
    const struct command *const *commands = command_table(&count);
    fputs("shflviz shows where each lane of a warp shuffle gets its value.\n\n"
          "Usage: shflviz COMMAND [OPTIONS]\n\nCommands:\n",
          out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  %-8s  %s\n", commands[i]->name, commands[i]->summary);
    fputs("\nBegin with:  shflviz xor --mask 3 --width 16\n"
          "Options of a command:  shflviz COMMAND --help\n",
          out);
}

/* "--width W", "-o, --output FILE", padded to a column. */
static void print_option(FILE *out, const struct option_info *info) {
    const int indent = 24;
    int column = info->letter ? fprintf(out, "  -%c, --%s", info->letter, info->name)
                              : fprintf(out, "  --%s", info->name);
    if (info->argument)
        column += fprintf(out, " %s", info->argument);
    column += fprintf(out, "%*s", column < indent ? indent - column : 2, "");
    print_wrapped(out, info->help, indent, indent);
    if (info->values) {
        fprintf(out, "%*s", indent, "");
        print_wrapped(out, info->values, indent, indent);
    }
}

static void print_options(FILE *out, const char *heading, option_set set) {
    const struct option_info *table = option_table();
    if (!set)
        return;
    fprintf(out, "\n%s:\n", heading);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (set & OPTION_BIT(id) && !table[id].is_hidden)
            print_option(out, &table[id]);
}

void print_command_help(FILE *out, const struct command *command) {
    const struct option_info *table = option_table();
    fprintf(out, "Usage: shflviz %s", command->name);
    for (int id = 0; id < OPTION_COUNT; id++)
        if (command->required & OPTION_BIT(id))
            fprintf(out, " --%s %s", table[id].name, table[id].argument);
    fprintf(out, "%s%s%s\n\n", command->operand ? " " : "",
            command->operand ? command->operand : "", command->options ? " [OPTIONS]" : "");
    print_wrapped(out, command->about, 0, 0);
    print_options(out, "Needed", command->required);
    print_options(out, "Options", (command->options & ~command->required) | OPTIONS_ALWAYS);
    if (command->options & OPTION_BIT(OPTION_IN)) {
        fputs("\nValues: ", out);
        print_wrapped(
            out,
            "numbers are decimal, 0x hexadecimal or 0b binary. --in, --src, --delta and "
            "--mask take C expressions in lane and thread, lists as 1,2,3 and random:SEED.",
            8, 0);
    }
    fputs("\nExamples:\n", out);
    for (int i = 0; i < COMMAND_EXAMPLES_MAX && command->examples[i]; i++)
        fprintf(out, "  shflviz %s\n", command->examples[i]);
}
