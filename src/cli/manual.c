/*
 * Writes roff from the tables that the program itself uses, so that the manual cannot contradict
 * the program.
 */
#include "cli/manual.h"

#include "base/message.h"
#include "check/rule.h"
#include "device/device.h"
#include "replay/keys/action.h"

#include <string.h>

/* Escapes text for roff, so that no backslash, quote or dot is mistaken for a request. */
static void roff(FILE *out, const char *string) {
    static const char special[] = "\\-'^~";
    static const char *const escapes[] = {"\\e", "\\-", "\\(aq", "\\(ha", "\\(ti"};
    for (const char *c = string; *c; c++) {
        const char *found = strchr(special, *c);
        if (found)
            fputs(escapes[found - special], out);
        else if (*c == '.' && c == string)
            fputs("\\&.", out);
        else if ((unsigned char)*c >= 0xe4 && (unsigned char)*c <= 0xe9 && c > string)
            fprintf(out, "\\:%c", *c); /* a line may break before an ideograph */
        else
            putc(*c, out);
    }
}

static void heading(FILE *out, const char *string) {
    fprintf(out, ".SH %s\n", string);
}

static void paragraph(FILE *out, const char *string) {
    fputs(".PP\n", out);
    roff(out, string);
    putc('\n', out);
}

/* Prints a term; its meaning follows as the description. */
static void term(FILE *out, const char *name, const char *argument) {
    fputs(".TP\n.B ", out);
    roff(out, name);
    if (argument)
        fprintf(out, " \\fI%s\\fR", argument);
    putc('\n', out);
}

static void definition(FILE *out, const char *name, const char *description) {
    term(out, name, NULL);
    roff(out, description);
    putc('\n', out);
}

static void option_name(FILE *out, const struct option_info *info) {
    fputs("\\fB\\-\\-", out);
    roff(out, info->name);
    fputs("\\fR", out);
}

static void option_synopsis(FILE *out, const struct option_info *info) {
    option_name(out, info);
    if (info->argument)
        fprintf(out, " \\fI%s\\fR", info->argument);
}

static void print_commands(FILE *out) {
    size_t count;
    const struct command *const *commands = command_table(&count);
    heading(out, _("COMMANDS"));
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
        roff(out, _(command->about));
        fprintf(out, "\n%s", _("Takes"));
        for (int id = 0; id < OPTION_COUNT; id++)
            if ((command->options | OPTIONS_ALWAYS) & OPTION_BIT(id) && !option_at(id)->is_hidden) {
                putc(' ', out);
                option_name(out, option_at(id));
            }
        fputs(".\n", out);
    }
}

static void print_options(FILE *out) {
    heading(out, _("OPTIONS"));
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (option_at(id)->is_hidden)
            continue;
        fputs(".TP\n", out);
        if (option_at(id)->letter)
            fprintf(out, "\\fB\\-%c\\fR, ", option_at(id)->letter);
        option_synopsis(out, option_at(id));
        putc('\n', out);
        roff(out, _(option_at(id)->help));
        fputs(".\n", out);
        if (option_at(id)->manual) {
            roff(out, _(option_at(id)->manual));
            putc('\n', out);
        }
        if (option_at(id)->values) {
            fputs(_("One of: "), out);
            roff(out, option_at(id)->values);
            fputs(".\n", out);
        }
    }
}

static void print_kernels(FILE *out) {
    size_t count;
    const struct program *const *programs = device_programs(&count);
    heading(out, _("KERNELS"));
    for (size_t i = 0; i < count; i++)
        if (!command_find(programs[i]->name))
            definition(out, programs[i]->name, _(programs[i]->summary));
}

static void print_row(FILE *out, enum action_mode mode, const struct action_info *info) {
    const char *keys[ACTION_KEYS];
    size_t count = action_keys(mode, info, keys);
    fputs(".TP\n.B", out);
    for (size_t key = 0; key < count; key++) {
        putc(' ', out);
        roff(out, keys[key]);
    }
    fprintf(out, "%s\n", count ? "" : _(" none"));
    roff(out, _(info->help));
    fputs(" (\\fI", out);
    roff(out, info->name);
    fputs("\\fR)\n", out);
}

/* Rows that a screen shares with a replay are only named here; the replay's section describes
 * them. */
static void print_mode(FILE *out, enum action_mode mode) {
    const struct action_info *list[ACTION_ROWS_MAX];
    size_t count = action_list(mode, list), shared = 0;
    fprintf(out, ".SS %s (\\fI%s\\fR)\n", _(action_mode_title(mode)), action_mode_name(mode));
    for (size_t i = 0; i < count; i++)
        if (mode == ACTION_MODE_REPLAY || !action_shared(list[i]))
            print_row(out, mode, list[i]);
    if (mode == ACTION_MODE_REPLAY)
        return;
    for (size_t i = 0; i < count; i++)
        if (action_shared(list[i])) {
            if (shared++ == 0)
                fprintf(out, ".PP\n%s", _("As in a replay: "));
            else
                fputs(", ", out);
            roff(out, list[i]->name);
        }
    if (shared)
        fputs(".\n", out);
}

static void print_keys(FILE *out) {
    heading(out, _("KEYS"));
    paragraph(out, _("Each key is followed by what it does and, in parentheses, the name of the "
                     "action."));
    for (int mode = 0; mode < ACTION_MODE_COUNT; mode++)
        print_mode(out, (enum action_mode)mode);
    fprintf(out, ".SS %s\n", _("Keys of your own"));
    paragraph(out, _("The file $XDG_CONFIG_HOME/shflviz/keys, or ~/.config/shflviz/keys, binds "
                     "other keys. Each line is bind MODE KEY ACTION, with the names in parentheses "
                     "above; the action none unbinds a key, and # begins a comment:"));
    fputs(".PP\n.nf\nbind replay x phase-next\nbind lesson x beat-next\nbind replay b none\n.fi\n",
          out);
    paragraph(out, _("An invalid line is reported; the other lines apply. The key bar and the help "
                     "show the keys as bound. At a question, a character that may be part of the "
                     "answer is typed, whatever it is bound to."));
    paragraph(out, _("A count may be typed before a movement: 3n acts like pressing n three times. "
                     "A click selects a lane or an operation; the wheel steps."));
}

static void print_expressions(FILE *out) {
    heading(out, _("EXPRESSIONS"));
    paragraph(out, _("--in, --src, --delta and --mask take an expression that is evaluated for "
                     "each lane. It has C's operators and precedence, numbers in decimal, "
                     "hexadecimal (0x) or binary (0b), and the names lane (0 to 31) and thread (in "
                     "the grid). Integers have 64 bits and wrap."));
    paragraph(out, _("A comma-separated list gives the values in order: one for all, one for each "
                     "thread, or 32 for the lanes of every warp. random:SEED gives pseudo-random "
                     "values that are the same on every machine."));
}

/* A heading, or a term and what it means. */
static const struct {
    const char *term, *text;
} rest[] = {
    {NULL, N_("FORMATS")},
    {"tui", N_("A screen to step through. The default on a terminal.")},
    {"text", N_("One table per operation. The default elsewhere.")},
    {"json", N_("One object with all steps and findings.")},
    {"jsonl", N_("A header line, one line per step, and a last line with the findings.")},
    {"csv", N_("A header row, then one row per lane and step.")},
    {NULL, N_("EXIT STATUS")},
    {"0",
     N_("Success. A command that merely shows misuse ends with 0, too; check reports the misuse.")},
    {"1", N_("check found something.")},
    {"2", N_("Wrong usage, unreadable input, or output that could not be written. Also shflviz "
             "without a command, which prints the list of commands.")},
    {"3", N_("This machine lacks what was asked for: a GPU, a compiler, memory.")},
    {"4", N_("The kernel did not finish. Everything recorded until then is shown and saved.")},
    {NULL, N_("ENVIRONMENT")},
    {"NO_COLOR", N_("If set and not empty, colour is used only with --color always.")},
    {"TERM, COLORTERM", N_("The capabilities of the terminal.")},
    {"LC_ALL, LC_CTYPE, LANG", N_("The character set; if it is not UTF-8, ASCII characters are "
                                  "drawn. A locale that is not installed is judged by its name.")},
    {"LANGUAGE, LC_ALL, LC_MESSAGES, LANG",
     N_("The language, if the character set is UTF-8 and --lang is not given. LANGUAGE, a "
        "colon-separated list, takes precedence, unless the locale is C.")},
    {"SOURCE_DATE_EPOCH", N_("The date of a recording, in seconds since 1970, so that the same run "
                             "makes the same file.")},
    {"SHFLVIZ_LEGEND", N_("always, never: whether a picture begins with a legend that explains its "
                          "symbols. If unset, the symbols are explained once; a file named legend "
                          "beside your progress records that they were explained.")},
    {"SHFLVIZ_PROGRESS",
     N_("never, always: whether a line on a terminal shows a command's progress. If unset, the "
        "line appears after a second; with always, it appears immediately and at each change. In a "
        "log, one message after a minute (with always, immediately) reports that a program is "
        "still running.")},
    {"SHFLVIZ_SYNC", N_("0: -o does not wait until the recording has reached the disk. The "
                        "recording may then be lost if the power fails.")},
    {"SHFLVIZ_HEADERS",
     N_("now: your first program waits until the header for your programs is compiled. Otherwise "
        "the header is compiled in the background, for later programs.")},
    {"SHFLVIZ_CLANG", N_("The clang++ that builds your programs for the CPU warp; it must have the "
                         "LLVM version that shflviz was built with. Default: the clang++ that came "
                         "with that LLVM, or a clang++ on PATH.")},
    {"XDG_CACHE_HOME",
     N_("Compiled headers are kept in its subfolder shflviz (default ~/.cache/shflviz).")},
    {"TMPDIR", N_("The folder in which a file holds a long list of warps while the recording of a "
                  "killed run is open. The file is removed afterwards.")},
};

static void print_rest(FILE *out) {
    for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
        if (rest[i].term)
            definition(out, rest[i].term, _(rest[i].text));
        else
            heading(out, _(rest[i].text));
    heading(out, _("EXAMPLES"));
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
    fputs(".TH SHFLVIZ 1 \"\" \"shflviz " SHFLVIZ_VERSION
          "\" \"User Commands\"\n.ad l\n.SH NAME\nshflviz \\- ",
          out);
    roff(out, _("see a warp shuffle, step by step"));
    fputs("\n", out);
    heading(out, _("SYNOPSIS"));
    fputs(".B shflviz\n.I COMMAND\n[\\fIOPTIONS\\fR]\n", out);
    heading(out, _("DESCRIPTION"));
    paragraph(out,
              _("Without a command, on a terminal, shflviz lists things to do and continues where "
                "you left off. Its fast track has five stops and takes under half an hour: it "
                "leads from what a lane is to a warp sum that you write and shflviz judges."));
    paragraph(out, _("shflviz runs a CUDA kernel on a GPU or on the CPU warp, a small CUDA device "
                     "in software, records every warp operation in it, and shows where each lane's "
                     "value comes from and whether that is defined."));
    paragraph(out, _("A value that the rules leave undefined is shown as undefined, with what the "
                     "device happened to return as an observation. Lanes of a warp do not run in "
                     "step; --schedule chooses the order in which the CPU warp runs them."));
    print_commands(out);
    print_options(out);
    print_expressions(out);
    print_kernels(out);
    print_keys(out);
    heading(out, _("RULES"));
    paragraph(out, _("The mistakes that check looks for; shflviz help rule RULE explains a rule "
                     "and says what to write instead."));
    for (size_t i = 0; check_rule_at(i); i++)
        definition(out, check_rule_at(i)->id, _(check_rule_at(i)->what));
    print_rest(out);
}
