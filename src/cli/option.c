#include "cli/option.h"

#include "base/complaint.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/language.h"
#include "teach/quiz.h"

#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

#define LANGUAGES "en zh" /* those of po/LINGUAS; a test compares them */

static int parse_lang(void *target, const char *value, struct error *err) {
    (void)target;
    if (message_language_use(value))
        return 0;
    return complain(err, &(struct complaint){.option = "lang",
                                             .value = value,
                                             .wrong = _("is not a language that shflviz speaks"),
                                             .allowed = LANGUAGES});
}

/* clang-format off */
#define ROW(ID)                              [(ID) - LAUNCH_OPTION_COUNT]
#define FIELD(NAME)                          .field = offsetof(struct options, NAME)
#define CHOICE(NAME, ARGUMENT, MEMBER, FIRST) .name = NAME, .argument = ARGUMENT, .kind = OPTION_CHOICE, FIELD(MEMBER), .least = FIRST
#define FLAG(NAME)                           .name = NAME, .kind = OPTION_FLAG, .field = OPTION_NO_FIELD
#define WORD(NAME, ARGUMENT)                 .name = NAME, .argument = ARGUMENT, .kind = OPTION_WORD, .field = OPTION_NO_FIELD

static const struct option_info options_known[] = {
    ROW(OPTION_FORMAT) = {CHOICE("format", "FORMAT", format, FORMAT_TUI), .values = "tui text json jsonl csv",
        .help = N_("tui on a terminal, text otherwise")},
    ROW(OPTION_COLOR) = {CHOICE("color", "WHEN", color, COLOR_AUTO), .values = "auto always never",
        .help = N_("colour in text and screens (default auto)")},
    ROW(OPTION_BACKGROUND) = {CHOICE("background", "SHADE", background, BACKGROUND_UNKNOWN), .values = "auto dark light",
        .help = N_("the background that colours are chosen for (default auto)"),
        .manual = N_("auto asks the terminal, and where it does not say takes colours that can be read on both; dark and light have "
                  "brighter and deeper ones.")},
    ROW(OPTION_ASCII) = {.name = "ascii", .kind = OPTION_FLAG, FIELD(ascii), .help = N_("draw with ASCII characters only")},
    ROW(OPTION_LANG) = {.name = "lang", .argument = "CODE", .kind = OPTION_PARSED, .parse = parse_lang, .values = LANGUAGES,
        .help = N_("language of texts and screens"),
        .manual = N_("Without it what LANGUAGE, LC_ALL, LC_MESSAGES or LANG say. What scripts read (JSON, CSV, names, exit codes) is "
                  "the same in all.")},
    ROW(OPTION_BEAT) = {WORD("beat", "N"), .help = N_("begin at this beat: its number, from 1, or its name")},
    ROW(OPTION_PRESENT) = {FLAG("present"), .help = N_("before a class: the picture, and the line being spoken of"),
        .manual = N_("No progress is saved. Speaker's notes on another terminal follow along: shflviz lesson --notes.")},
    ROW(OPTION_NOTES) = {FLAG("notes"), .help = N_("the speaker's notes of the presentation on another terminal")},
    ROW(OPTION_RESET) = {FLAG("reset"), .help = N_("forget the progress in a lesson, or without a name in all"),
        .manual = N_("Progress is kept in $XDG_STATE_HOME/shflviz/progress, which is ~/.local/state/shflviz/progress where that is not set.")},
    ROW(OPTION_TRUST) = {FLAG("trust"), .help = N_("build and run the program that a lesson brings along, without asking"),
        .manual = N_("Only a lesson from a file can bring one. It is compiled and runs with all that you may do.")},
    ROW(OPTION_LEVEL) = {.name = "level", .argument = "N", .kind = OPTION_U32, FIELD(level), .least = 1, .most = QUIZ_LEVELS,
        .help = N_("how hard to begin, 1 to 5 (default 1)")},
    ROW(OPTION_SEED) = {.name = "seed", .argument = "N", .kind = OPTION_U64, FIELD(seed), .most = UINT64_MAX,
        .help = N_("the same questions each time")},
    ROW(OPTION_LIST) = {FLAG("list"), .help = N_("list what questions can be drawn from")},
    ROW(OPTION_HELP) = {FLAG("help"), .letter = 'h', .help = N_("print help for the command")},
    ROW(OPTION_MAN) = {FLAG("man"), .is_hidden = true, .help = N_("print the manual page as roff")},
    ROW(OPTION_COMPLETION) = {CHOICE("completion", "SHELL", completion, SHELL_BASH), .values = "bash zsh fish", .is_hidden = true,
        .help = N_("print the completions of a shell")},
};
/* clang-format on */

const struct option_info *option_at(int id) {
    return id < LAUNCH_OPTION_COUNT ? launch_option(id) : &options_known[id - LAUNCH_OPTION_COUNT];
}

/* ---- what is wrong with a command line ---- */

static enum launch_option argument_of(const struct command *command) {
    const struct program *program = device_program_find(command->name);
    return program ? launch_argument(program) : LAUNCH_OPTION_COUNT;
}

/* An option that exists, but for other commands: says for which, and what to use instead. */
static int misplaced_option(const struct option_reader *reader, int id, struct error *err) {
    const struct command *command = reader->context;
    const enum launch_option argument = argument_of(command);
    struct text owners = TEXT_INIT, allowed = TEXT_INIT;
    size_t count;
    const struct command *const *commands = command_table(&count);
    for (size_t i = 0; i < count; i++)
        if (commands[i]->options & OPTION_BIT(id))
            text_append_format(&owners, "%s%s", owners.length ? ", " : "", commands[i]->name);
    options_list(&allowed, reader, reader->allowed);
    if (argument != LAUNCH_OPTION_COUNT && id <= LAUNCH_MASK)
        error_set(err, ERROR_USAGE,
                  _("%s: --%s belongs to %s; %s takes --%s\ntry: shflviz %s --%s 3"), command->name,
                  option_at(id)->name, owners.data, command->name, option_at(argument)->name,
                  command->name, option_at(argument)->name);
    else
        error_set(err, ERROR_USAGE,
                  _("%s: --%s belongs to %s\nallowed: %s\ntry: shflviz %s --help"), command->name,
                  option_at(id)->name, owners.data, allowed.data, command->name);
    text_release(&owners);
    text_release(&allowed);
    return -1;
}

/* A word that is neither an option nor wanted. */
static int check_operands(const struct options *options, const struct command *command,
                          struct error *err) {
    int most = command->operands_most ? command->operands_most : command->operand ? 1 : 0;
    if (options->operand_count > most) {
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
    if (options->operand_count < command->operands_needed)
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
    options->operand_count = reader.operand_count;
    memcpy(options->launch.typed, options->text, sizeof(options->launch.typed));
    if (status != 0)
        return -1;
    if (language_settle(options->text[OPTION_LANG], err) != 0) {
        error_prefix(err, "%s", command->name);
        return -1;
    }
    if (options->given & OPTION_BIT(OPTION_HELP))
        return 0;
    return check_operands(options, command, err) != 0 ? -1 : check_required(options, command, err);
}

void options_release(struct options *options) {
    free(options->operands);
    options->operands = NULL;
}
