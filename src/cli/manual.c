#include "cli/manual.h"

#include "device/device.h"
#include "replay/action.h"

#include <string.h>

/* Text as roff takes it: no backslash, quote or dot is mistaken for a request. */
static void roff(FILE *out, const char *string) {
    for (const char *c = string; *c; c++) {
        if (*c == '\\')
            fputs("\\e", out);
        else if (*c == '-')
            fputs("\\-", out);
        else if (*c == '\'')
            fputs("\\(aq", out);
        else if (*c == '^')
            fputs("\\(ha", out);
        else if (*c == '~')
            fputs("\\(ti", out);
        else if (*c == '.' && c == string)
            fputs("\\&.", out);
        else
            putc(*c, out);
    }
}

static void paragraph(FILE *out, const char *string) {
    fputs(".PP\n", out);
    roff(out, string);
    putc('\n', out);
}

/* A term, and what it means below it; what follows is the description. */
static void term(FILE *out, const char *name, const char *argument) {
    fputs(".TP\n.B ", out);
    roff(out, name);
    if (argument)
        fprintf(out, " \\fI%s\\fR", argument);
    putc('\n', out);
}

static void described(FILE *out, const char *name, const char *description) {
    term(out, name, NULL);
    roff(out, description);
    putc('\n', out);
}

static void option_synopsis(FILE *out, const struct option_info *info) {
    fputs("\\fB\\-\\-", out);
    roff(out, info->name);
    fputs("\\fR", out);
    if (info->argument)
        fprintf(out, " \\fI%s\\fR", info->argument);
}

static void print_commands(FILE *out) {
    size_t count;
    const struct command *const *commands = command_table(&count);
    fputs(".SH COMMANDS\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct command *command = commands[i];
        fprintf(out, ".TP\n\\fBshflviz %s\\fR", command->name);
        for (int id = 0; id < OPTION_COUNT; id++)
            if (command->required & OPTION_BIT(id)) {
                putc(' ', out);
                option_synopsis(out, option_at(id));
            }
        if (command->operand)
            fprintf(out, " \\fI%s\\fR", command->operand);
        fputs("\n", out);
        roff(out, command->about);
        fputs("\nTakes", out);
        for (int id = 0; id < OPTION_COUNT; id++)
            if ((command->options | OPTIONS_ALWAYS) & OPTION_BIT(id) && !option_at(id)->is_hidden) {
                fputs(" \\fB\\-\\-", out);
                roff(out, option_at(id)->name);
                fputs("\\fR", out);
            }
        fputs(".\n", out);
    }
}

static void print_options(FILE *out) {
    fputs(".SH OPTIONS\n", out);
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (option_at(id)->is_hidden)
            continue;
        fputs(".TP\n", out);
        if (option_at(id)->letter)
            fprintf(out, "\\fB\\-%c\\fR, ", option_at(id)->letter);
        option_synopsis(out, option_at(id));
        putc('\n', out);
        roff(out, option_at(id)->help);
        fputs(".\n", out);
        if (option_at(id)->manual) {
            roff(out, option_at(id)->manual);
            putc('\n', out);
        }
        if (option_at(id)->values) {
            fputs("One of: ", out);
            roff(out, option_at(id)->values);
            fputs(".\n", out);
        }
    }
}

static void print_kernels(FILE *out) {
    size_t count;
    const struct program *const *programs = device_programs(&count);
    fputs(".SH KERNELS\n", out);
    for (size_t i = 0; i < count; i++)
        if (!command_find(programs[i]->name))
            described(out, programs[i]->name, programs[i]->summary);
}

static void print_row(FILE *out, enum action_place place, const struct action_info *info) {
    const char *keys[ACTION_KEYS];
    size_t count = action_keys(place, info, keys);
    fputs(".TP\n.B", out);
    for (size_t key = 0; key < count; key++) {
        putc(' ', out);
        roff(out, keys[key]);
    }
    fprintf(out, "%s\n", count ? "" : " none");
    roff(out, info->help);
    fputs(" (\\fI", out);
    roff(out, info->name);
    fputs("\\fR)\n", out);
}

/* The rows that a place shares with a replay are named; what they are is said there. */
static void print_place(FILE *out, enum action_place place) {
    const struct action_info *list[ACTION_ROWS_MAX];
    size_t count = action_list(place, list), shared = 0;
    fprintf(out, ".SS %s (\\fI%s\\fR)\n", action_place_title(place), action_place_name(place));
    for (size_t i = 0; i < count; i++)
        if (place == ACTION_PLACE_REPLAY || !action_shared(list[i]))
            print_row(out, place, list[i]);
    if (place == ACTION_PLACE_REPLAY)
        return;
    for (size_t i = 0; i < count; i++)
        if (action_shared(list[i])) {
            fputs(shared++ ? ", " : ".PP\nAs in a replay: ", out);
            roff(out, list[i]->name);
        }
    fputs(".\n", out);
}

static void print_keys(FILE *out) {
    fputs(".SH KEYS\n", out);
    paragraph(out, "Each key is followed by what it does and, in parentheses, the name of the "
                   "action.");
    for (int place = 0; place < ACTION_PLACE_COUNT; place++)
        print_place(out, (enum action_place)place);
    paragraph(out, "A count may be typed before a movement: 3n goes three operations on. A click "
                   "selects a lane or an operation; the wheel steps.");
}

static void print_expressions(FILE *out) {
    fputs(".SH EXPRESSIONS\n", out);
    paragraph(out,
              "--in, --src, --delta and --mask take an expression that is worked out for each "
              "lane. It has C's operators and precedence, numbers in decimal, hexadecimal (0x) "
              "or binary (0b), and the names lane (0 to 31) and thread (in the grid). Integers "
              "have 64 bits and wrap.");
    paragraph(out,
              "A list with commas between gives the values in order: one for all, one for each "
              "thread, or 32 for the lanes of every warp. random:SEED gives values that look "
              "drawn by chance and are the same on every machine.");
}

static void print_rest(FILE *out) {
    fputs(".SH FORMATS\n", out);
    described(out, "tui", "A screen to step through. The default on a terminal.");
    described(out, "text", "A table an operation. The default elsewhere.");
    described(out, "json", "One object with all steps and findings.");
    described(out, "jsonl", "A header line, one step a line, and a last line with the findings.");
    described(out, "csv", "A header row, then one row a lane a step.");
    fputs(".SH EXIT STATUS\n", out);
    described(out, "0",
              "All went well. Commands that show what a kernel does end with 0 even if what "
              "they show is misuse; check reports it.");
    described(out, "1", "check found something.");
    described(out, "2",
              "Wrong usage, unreadable input, or output that could not be written. Also "
              "shflviz without a command, which prints the list of commands.");
    described(out, "3", "This machine lacks what was asked for: a GPU, a compiler.");
    described(out, "4",
              "The kernel did not finish. What was recorded is shown and saved all the "
              "same.");
    fputs(".SH ENVIRONMENT\n", out);
    described(out, "NO_COLOR",
              "If set and not empty, no colour unless --color always asks for it.");
    described(out, "TERM, COLORTERM", "What the terminal can do.");
    described(out, "LC_ALL, LC_CTYPE, LANG",
              "Where the character set is not UTF-8, ASCII characters are drawn.");
    described(out, "LANGUAGE, LC_ALL, LC_MESSAGES, LANG",
              "The language, where the character set is UTF-8 and --lang names none. LANGUAGE, a "
              "list with colons between, counts first, unless the locale is set to C.");
    described(out, "SOURCE_DATE_EPOCH",
              "Seconds since 1970 to date a recording by, so that the same "
              "run makes the same file.");
    described(out, "SHFLVIZ_SYNC",
              "0: -o does not wait until the recording has reached the disk. It may then be lost "
              "with the machine's power.");
    described(out, "TMPDIR",
              "Where the list of warps goes that the recording of a killed run lacks, if it is "
              "long. Such a file is gone when it is no longer needed.");
    fputs(".SH EXAMPLES\n", out);
    size_t count;
    const struct command *const *commands = command_table(&count);
    fputs(".nf\n", out);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < COMMAND_EXAMPLES_MAX && commands[i]->examples[k]; k++) {
            fputs("shflviz ", out);
            roff(out, commands[i]->examples[k]);
            putc('\n', out);
        }
    fputs(".fi\n", out);
}

void print_manual(FILE *out) {
    fputs(".TH SHFLVIZ 1 \"\" \"shflviz " SHFLVIZ_VERSION "\" \"User Commands\"\n"
          ".SH NAME\nshflviz \\- see a warp shuffle, one step a keypress\n"
          ".SH SYNOPSIS\n.B shflviz\n.I COMMAND\n[\\fIOPTIONS\\fR]\n"
          ".SH DESCRIPTION\n",
          out);
    paragraph(out,
              "shflviz runs a CUDA kernel on a GPU or on the CPU warp, a small CUDA device in "
              "software, records every warp operation in it, and shows where each lane's value "
              "comes from and whether that is defined.");
    paragraph(out, "A value that the rules leave undefined is shown as undefined, with what the "
                   "device happened to return as an observation. Lanes of a warp do not run in "
                   "step; --schedule chooses the order in which the CPU warp runs them.");
    print_commands(out);
    print_options(out);
    print_expressions(out);
    print_kernels(out);
    print_keys(out);
    print_rest(out);
}
